/** What an engine's number leaves out or supposes, in English; the page translates by code. */

export const ENGINE_NOTES = {
  'dtype-not-offered':
    '{engine} has no cache of type {dtype} for this model: the number is what it would take if it had.',
  'states-not-quantised':
    'Convolutions and states are not quantised with the cache: they are counted at {bytes} bytes per element unless the model fixes another type.',
  'graph-keeps-all':
    'A window or chunk does not shorten the cache: exported graphs keep every token in every layer.',
  'latent-expanded':
    'The latent vector is not kept: the exported graph keeps keys and values of every head, {times} times as much.',
  'indexer-left-out': 'The exported graph has no indexer; its keys are not counted.',
  'max-tokens-assumed':
    'Reserved for {tokens} tokens per sequence, the highest number of positions of the model.',
  'max-tokens-unknown':
    'The model does not say how long it may get; reserved for the {tokens} tokens that were asked for.',
  'block-does-not-divide':
    'llama.cpp refuses {dtype} for this model: a head of {dim} elements is no whole number of blocks of 32.',
  'states-float32': 'Convolutions and states are kept in float32, whatever the type of the cache.',
  'window-ignored': '{engine} does not apply the window of this model: its layers keep every token.',
  'compressed-as-ideal':
    'How {engine} lays out compressed entries is not followed here: they are counted as the architecture needs them.',
  'cross-as-ideal':
    'Keys and values of the encoder’s output are counted as the architecture needs them; {engine} may keep the output instead.',
  'window-and-batch':
    'A window or chunk is held with the tokens of one batch ({tokens}) beside it, and with one block more.',
  'indexer-fp8': 'The indexer’s keys are fp8 with scales, whatever the type of the cache.',
  'compressed-by-layer':
    'The pages of compressed entries are counted layer by layer; vLLM’s pool may add padding between them.',
  'states-without-prefix-caching':
    'One page per state, as without prefix caching; newer versions of vLLM turn it on and keep two.',
  'per-gpu': 'Bytes of each of the {gpus} GPUs.',
  replicated:
    'There are fewer KV heads than GPUs, so that several of the {gpus} GPUs hold the same keys and values.',
  'padding-layers':
    'Layers are put into groups of equal size; empty places take memory all the same, and there are so many: {layers}.',
  'pages-padded':
    'Pages of some layers do not divide the largest one and are padded to it; vLLM does so with some attention backends and refuses with others.',
} as const;

export type EngineNoteCode = keyof typeof ENGINE_NOTES;
