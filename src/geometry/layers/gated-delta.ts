/** Layer caches of gated delta-rule layers: a convolution and a state. */
import type { LayerCache } from '../geometry';
import { convCache } from './conv';
import { recurrentCache } from './recurrent';

export interface GatedDeltaShape {
  keyHeads: number;
  valueHeads: number;
  keyDim: number;
  valueDim: number;
  kernel: number;
}

/**
 * Convolution over queries, keys and values: (2 x key heads x key dim + value heads x value dim) x (kernel - 1); state value
 * heads x value dim x key dim (vLLM mamba_utils.py `gated_delta_net_state_shape`).
 * @param stateBytes of an element of the state where the model fixes its type; the cache's type where undefined.
 */
export function gatedDeltaCaches(
  layer: number,
  { keyHeads, valueHeads, keyDim, valueDim, kernel }: GatedDeltaShape,
  stateBytes?: number,
): LayerCache[] {
  return [
    convCache(layer, 2 * keyHeads * keyDim + valueHeads * valueDim, kernel),
    recurrentCache(layer, [valueHeads, valueDim, keyDim], stateBytes),
  ];
}
