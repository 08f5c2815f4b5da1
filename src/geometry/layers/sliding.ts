/** Layer cache of kind `sliding`: a layer keeps the keys and values of the last `window` tokens. */
import type { KeyValueShape, LayerCache } from '../geometry';
import { fullCache } from './full';

/**
 * The ideal is exactly the window. Engines differ by a token or more: Hugging Face's `DynamicSlidingWindowLayer` keeps
 * window - 1, vLLM's `SlidingWindowSpec` window - 1 + the batched tokens, llama.cpp window + its micro-batch, padded.
 */
export function slidingCache(layer: number, shape: KeyValueShape, window: number): LayerCache {
  return { ...fullCache(layer, shape), kind: 'sliding', capTokens: window };
}
