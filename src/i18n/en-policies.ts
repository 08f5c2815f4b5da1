/** English texts of the experiment policies, and of the settings of cache policies. */
export const enPolicies = {
  'setting.room.help':
    'Tokens per sequence that the buffers are made for at first. 0: as many as the run needs.',
  'setting.overflow.help':
    'refuse: more tokens are not taken. move: the cache is copied to buffers twice as large.',
  'setting.bits.help': 'Bits of a quantised element; its scales come on top.',
  'setting.block.help':
    'Tokens per block of a paged cache. What the last block does not hold is lost inside it.',
  'policies.policies': 'Cache policies',
  'policies.allocators': 'Allocator modes',
  'policies.allocators.help':
    'ONNX Runtime’s storageBufferCacheMode. Every policy runs with every mode, each with the model loaded anew.',
  'policies.how':
    'Every policy runs with every allocator mode in turn, with the model loaded anew: the same prompt, the same lengths, the same number of decode steps.',
} as const;
