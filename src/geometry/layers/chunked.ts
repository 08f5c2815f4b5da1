/** Layer cache of kind `chunked`: a layer keeps the keys and values of its present chunk, at most `chunk` tokens. */
import type { KeyValueShape, LayerCache } from '../geometry';
import { fullCache } from './full';

/** Capped at one chunk (vLLM `ChunkedLocalAttentionSpec`, without the batched tokens that it adds). */
export function chunkedCache(layer: number, shape: KeyValueShape, chunk: number): LayerCache {
  return { ...fullCache(layer, shape), kind: 'chunked', capTokens: chunk };
}
