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
} as const;

export type EngineNoteCode = keyof typeof ENGINE_NOTES;
