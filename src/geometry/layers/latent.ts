/** Layer cache of kind `latent` (multi-head latent attention): one compressed vector and one rotary key a token, for all heads. */
import type { KeyValueShape, LayerCache } from '../geometry';
import { fullCache } from './full';

export interface LatentShape {
  /** `kv_lora_rank`: elements of the compressed vector from which all heads' keys and values are computed. */
  rank: number;
  /** `qk_rope_head_dim`: elements of the rotary key that all heads share; 0 where the attention has no positions. */
  ropeDim: number;
  /** What an engine that decompresses keeps instead. */
  expanded: KeyValueShape;
}

/**
 * Elements per token are rank + rope dim, without a factor of 2: the vector is key and value at once
 * (DeepSeek-V2 paper, "cache c_KV and k_R"; vLLM's head size of such models is kv_lora_rank + qk_rope_head_dim with one KV head).
 * Decompressed, a token takes heads x (nope dim + rope dim + value dim) (transformers, `DeepseekV3Attention`).
 */
export function latentCache(layer: number, { rank, ropeDim, expanded }: LatentShape): LayerCache {
  return {
    ...fullCache(layer, { kvHeads: 1, keyDim: rank + ropeDim, valueDim: 0 }),
    kind: 'latent',
    expanded,
  };
}
