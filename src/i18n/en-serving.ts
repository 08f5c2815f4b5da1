/** English texts of the experiment serving. */
export const enServing = {
  'serving.block.help': 'Tokens per block of the paged pool.',
  'serving.how': 'Lengths and arrivals of the requests are simulated; the pools are buffers that exist.',
} as const;
