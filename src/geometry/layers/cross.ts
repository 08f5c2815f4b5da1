/** Layer cache of kind `cross`: keys and values of an encoder's output, computed once and then only read. */
import type { KeyValueShape, LayerCache } from '../geometry';

/**
 * `encoderTokens` x KV heads x (key dim + value dim) elements, whatever the decoded length (vLLM `CrossAttentionSpec`;
 * transformers.js' `past_key_values.N.encoder.key`, which stays as it is).
 */
export function crossCache(layer: number, shape: KeyValueShape, encoderTokens: number): LayerCache {
  const { kvHeads, keyDim, valueDim } = shape;
  return {
    layer,
    kind: 'cross',
    kvHeads,
    keyDim,
    valueDim,
    elementsPerToken: 0,
    capTokens: null,
    fixedElements: encoderTokens * kvHeads * (keyDim + valueDim),
    encoderTokens,
  };
}
