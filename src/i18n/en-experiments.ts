/** English: the experiments after length and growth, and what belongs to their views. */
export const enExperiments = {
  'nav.dtype': 'Dtype',
  'nav.batch': 'Batch',
  'nav.gqa': 'KV heads',
  'nav.weights': 'Weights and cache',
  'question.dtype': 'What do dtypes and quantised weights do to the cache?',
  'question.batch': 'Does the cache grow with the batch, and can a process meter see it?',
  'question.gqa': 'How much do shared KV heads save?',
  'question.weights': 'When does the cache outgrow the weights?',
  'about.dtype':
    'Fills one cache per dtype and reads its element type from the graph. float16 runs on WebGPU where the adapter can, otherwise on WASM, and the row says which.',
  'about.batch':
    'Fills one cache per batch size, several times over, then decodes one token. Beside the tensors stands what the browser reports for the whole page.',
  'about.gqa':
    'Measures a model and its counterfactual side by side: the same model with as many KV heads as attention heads.',
  'about.weights':
    'Sets the real model’s weight bytes against its cache, in tokens of one sequence and in requests of 2,048 tokens. Run measures points on the line.',
  'choice.bf16': 'bfloat16 (2 bytes)',
  'choice.q8': 'q8 weights',
  'choice.q4': 'q4 weights',
  'choice.q4f16': 'q4f16 weights',
  'check.repeats-identical': 'Every repeat gives the same bytes',
  'check.padded-batch': 'Prompts of unequal length in one batch give each its own logits',
  'check.merge-agrees': 'Merged records agree',
  'run.status.asking': 'Waiting for your word: a download is needed.',
  'run.status.downloading': 'Downloading.',
} as const;
