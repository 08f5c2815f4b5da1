/** Geometries for the tests of the engines, written by hand from the models' published configs. */
import type { Geometry, LayerCache } from '../geometry';
import { fullCache } from '../layers/full';
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
  return Array.from({ length: count }, (_, i) => ({
    ...fullCache(first + i, { kvHeads, keyDim: dim, valueDim: dim }),
    ...(window === null ? {} : { kind: 'sliding' as const, capTokens: window }),
  }));
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
  const empty = { kvHeads: 0, keyDim: 0, valueDim: 0, elementsPerToken: 0, capTokens: null };
  return Array.from({ length: count }, (_, i): LayerCache[] => [
    {
      ...empty,
      layer: first + i,
      kind: 'conv',
      fixedElements: channels * (kernel - 1),
      conv: { channels, kernel },
    },
    {
      ...empty,
      layer: first + i,
      kind: 'recurrent',
      fixedElements: dims.reduce((product, dim) => product * dim, 1),
      stateDims: dims,
      elementBytes: stateBytes,
    },
  ]).flat();
}

/** One latent entry per layer, as DeepSeek's models have it. */
export function latent(count: number, keyDim: number, heads: number): LayerCache[] {
  return Array.from({ length: count }, (_, layer) => ({
    layer,
    kind: 'latent' as const,
    kvHeads: 1,
    keyDim,
    valueDim: 0,
    elementsPerToken: keyDim,
    capTokens: null,
    fixedElements: 0,
    expanded: { kvHeads: heads, keyDim: 192, valueDim: 128 },
  }));
}

/** One indexer entry per layer. */
export function indexer(count: number, dim: number): LayerCache[] {
  return Array.from({ length: count }, (_, layer) => ({
    layer,
    kind: 'indexer' as const,
    kvHeads: 1,
    keyDim: dim,
    valueDim: 0,
    elementsPerToken: dim,
    capTokens: null,
    fixedElements: 0,
  }));
}

/** One sequence in bf16. */
export function bf16(tokens: number, more: Partial<EngineOptions> = {}): EngineOptions {
  return { dtype: kvDtype('bf16'), batch: 1, tokens, ...more };
}
