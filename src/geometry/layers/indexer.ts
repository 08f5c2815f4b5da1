/** Layer cache of kind `indexer`: the short keys by which sparse attention chooses the tokens that a query reads. */
import type { LayerCache } from '../geometry';
import { fullCache } from './full';

/**
 * One vector of `dim` elements for each token, or for each `tokensPerEntry` tokens (transformers `DynamicIndexedLayer`:
 * [batch, tokens, index_head_dim]; vLLM keeps the same beside the latent of DeepSeek-V3.2; DeepSeek-V4 one for 4 tokens).
 */
export function indexerCache(layer: number, dim: number, tokensPerEntry = 1): LayerCache {
  return {
    ...fullCache(layer, { kvHeads: 1, keyDim: dim, valueDim: 0 }),
    kind: 'indexer',
    ...(tokensPerEntry > 1 ? { tokensPerEntry } : {}),
  };
}
