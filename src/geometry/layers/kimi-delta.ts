/** Layer caches of Kimi delta attention: three convolutions and a state. */
import type { LayerCache } from '../geometry';
import { convCache } from './conv';
import { recurrentCache } from './recurrent';

export interface KimiDeltaShape {
  heads: number;
  headDim: number;
  kernel: number;
}

/** Float32 whatever the cache's type (vLLM mamba_utils.py `kda_state_dtype`; transformers modeling_kimi_linear.py). */
const STATE_BYTES = 4;

/**
 * One convolution each over queries, keys and values: 3 x heads x head dim x (kernel - 1); state heads x head dim x head dim
 * (vLLM mamba_utils.py `kda_state_shape`).
 */
export function kimiDeltaCaches(layer: number, { heads, headDim, kernel }: KimiDeltaShape): LayerCache[] {
  return [
    convCache(layer, 3 * heads * headDim, kernel),
    recurrentCache(layer, [heads, headDim, headDim], STATE_BYTES),
  ];
}
