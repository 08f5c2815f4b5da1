/** Layer cache of kind `cross`: keys and values of an encoder's output, computed once and then only read. */
import type { KeyValueShape, LayerCache } from '../geometry';
import { fullCache } from './full';

/**
 * `encoderTokens` x KV heads x (key dim + value dim) elements, whatever the decoded length (vLLM `CrossAttentionSpec`;
 * transformers.js' `past_key_values.N.encoder.key`, which stays as it is).
 */
export function crossCache(layer: number, shape: KeyValueShape, encoderTokens: number): LayerCache {
  const perToken = fullCache(layer, shape);
  return {
    ...perToken,
    kind: 'cross',
    elementsPerToken: 0,
    fixedElements: encoderTokens * perToken.elementsPerToken,
    encoderTokens,
  };
}
