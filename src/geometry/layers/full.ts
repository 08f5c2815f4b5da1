/** Layer cache of kind `full`: a layer keeps the keys and the values of every token. */
import type { KeyValueShape, LayerCache } from '../geometry';

/**
 * Elements per token are KV heads x (key dim + value dim), without a cap
 * (vLLM `FullAttentionSpec.real_page_size_bytes`; Hugging Face `DynamicLayer` [batch, KV heads, tokens, head dim]).
 */
export function fullCache(layer: number, { kvHeads, keyDim, valueDim }: KeyValueShape): LayerCache {
  return {
    layer,
    kind: 'full',
    kvHeads,
    keyDim,
    valueDim,
    elementsPerToken: kvHeads * (keyDim + valueDim),
    capTokens: null,
    fixedElements: 0,
  };
}

/** One full layer cache per layer, all alike. */
export function fullAttentionCaches(layers: number, kvHeads: number, headDim: number): LayerCache[] {
  return Array.from({ length: layers }, (_, layer) =>
    fullCache(layer, { kvHeads, keyDim: headDim, valueDim: headDim }),
  );
}
