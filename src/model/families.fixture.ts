/** Geometries by hand, for tests of twins. */
import { fullCache } from '../geometry/layers/full';
import { noCache, type Geometry, type LayerCache } from '../geometry/geometry';

export function attention(layer: number, kvHeads: number, keyDim: number, valueDim = keyDim): LayerCache {
  return fullCache(layer, { kvHeads, keyDim, valueDim });
}

/** The ideal keeps kernel - 1 columns. */
export function conv(layer: number, channels: number, kernel: number): LayerCache {
  return {
    ...noCache(layer),
    kind: 'conv',
    conv: { channels, kernel },
    fixedElements: channels * (kernel - 1),
  };
}

export function state(layer: number, stateDims: number[]): LayerCache {
  const fixedElements = stateDims.reduce((product, dim) => product * dim, 1);
  return { ...noCache(layer), kind: 'recurrent', stateDims, fixedElements };
}

export function family(modelType: string, caches: LayerCache[]): Geometry {
  const first = caches.find(({ kvHeads }) => kvHeads > 0);
  return {
    modelType,
    layers: Math.max(...caches.map(({ layer }) => layer)) + 1,
    attentionHeads: first?.kvHeads ?? 0,
    kvHeads: first?.kvHeads ?? 0,
    headDim: first?.keyDim ?? 0,
    hiddenSize: 64,
    maxPositions: null,
    caches,
  };
}
