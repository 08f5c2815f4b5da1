/** Geometries for the tests of the engines, written by hand from the models' published configs. */
import type { Geometry, LayerCache } from '../geometry';
import { convCache } from '../layers/conv';
import { fullCache } from '../layers/full';
import { indexerCache } from '../layers/indexer';
import { latentCache } from '../layers/latent';
import { recurrentCache } from '../layers/recurrent';
import { slidingCache } from '../layers/sliding';
import type { EngineOptions } from './engine';
import { kvDtype } from './kv-dtype';

/** A geometry of these entries; heads and dims that no engine reads come from the first entry. */
export function geometryOf(caches: LayerCache[], more: Partial<Geometry> = {}): Geometry {
  return {
    modelType: 'test',
    layers: new Set(caches.map(({ layer }) => layer)).size,
    attentionHeads: 0,
    kvHeads: caches[0]?.kvHeads ?? 0,
    headDim: caches[0]?.keyDim ?? 0,
    hiddenSize: 0,
    maxPositions: null,
    caches,
    ...more,
  };
}

/** `count` layers from `first` on, each with the keys and values of every token, or of the last `window`. */
export function attention(
  count: number,
  [kvHeads, dim]: [number, number],
  { first = 0, window = null }: { first?: number; window?: number | null } = {},
): LayerCache[] {
  const shape = { kvHeads, keyDim: dim, valueDim: dim };
  return Array.from({ length: count }, (_, i) =>
    window === null ? fullCache(first + i, shape) : slidingCache(first + i, shape, window),
  );
}

/** `count` layers, each with a convolution and a state. */
export function stateLayers(
  count: number,
  {
    channels,
    kernel,
    dims,
    first = 0,
    stateBytes,
  }: {
    channels: number;
    kernel: number;
    dims: number[];
    first?: number;
    stateBytes?: number;
  },
): LayerCache[] {
  return Array.from({ length: count }, (_, i) => [
    convCache(first + i, channels, kernel),
    recurrentCache(first + i, dims, stateBytes),
  ]).flat();
}

/** One latent entry per layer, as DeepSeek's models have it: a rotary key of 64 elements, heads of 192 and 128. */
export function latent(count: number, keyDim: number, heads: number): LayerCache[] {
  const shape = {
    rank: keyDim - 64,
    ropeDim: 64,
    expanded: { kvHeads: heads, keyDim: 192, valueDim: 128 },
  };
  return Array.from({ length: count }, (_, layer) => latentCache(layer, shape));
}

/** One indexer entry per layer. */
export function indexer(count: number, dim: number): LayerCache[] {
  return Array.from({ length: count }, (_, layer) => indexerCache(layer, dim));
}

/** One sequence in bf16. */
export function bf16(tokens: number, more: Partial<EngineOptions> = {}): EngineOptions {
  return { dtype: kvDtype('bf16'), batch: 1, tokens, ...more };
}
