/** Layer caches of state-space layers: a convolution's inputs and a state. */
import type { LayerCache } from '../geometry';
import { convCache } from './conv';
import { recurrentCache } from './recurrent';

export interface Mamba1Shape {
  /** Channels of the layer: expand x hidden size. */
  inner: number;
  stateSize: number;
  kernel: number;
}

export interface Mamba2Shape extends Mamba1Shape {
  heads: number;
  headDim: number;
  /** Groups of the B and C projections, which pass through the convolution too. */
  groups: number;
}

/** Convolution inner x (kernel - 1), state inner x state size (vLLM mamba_utils.py `mamba1_state_shape`). */
export function mamba1Caches(
  layer: number,
  { inner, stateSize, kernel }: Mamba1Shape,
  stateBytes?: number,
): LayerCache[] {
  return [convCache(layer, inner, kernel), recurrentCache(layer, [inner, stateSize], stateBytes)];
}

/**
 * Convolution (inner + 2 x groups x state size) x (kernel - 1), state heads x head dim x state size
 * (vLLM mamba_utils.py `mamba2_state_shape`).
 */
export function mamba2Caches(
  layer: number,
  { inner, stateSize, kernel, heads, headDim, groups }: Mamba2Shape,
  stateBytes?: number,
): LayerCache[] {
  return [
    convCache(layer, inner + 2 * groups * stateSize, kernel),
    recurrentCache(layer, [heads, headDim, stateSize], stateBytes),
  ];
}
