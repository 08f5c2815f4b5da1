/** Layer cache of kind `full`: every layer keeps the keys and the values of every token. */
import type { LayerCache } from './geometry';

/**
 * One full layer cache per layer. Elements per token are 2 x KV heads x head dim (keys and values), without a cap
 * (vLLM `FullAttentionSpec.real_page_size_bytes`; Hugging Face `DynamicLayer` [batch, KV heads, tokens, head dim]).
 */
export function fullAttentionCaches(layers: number, kvHeads: number, headDim: number): LayerCache[] {
  return Array.from({ length: layers }, (_, layer) => ({
    layer,
    kind: 'full',
    kvHeads,
    keyDim: headDim,
    valueDim: headDim,
    elementsPerToken: 2 * kvHeads * headDim,
    capTokens: null,
    fixedElements: 0,
  }));
}
