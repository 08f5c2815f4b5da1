/** A model too large for the device is measured by some of its layers: the first ones, whole periods of their pattern. */
import { formulaBytes } from '../geometry/bytes';
import type { Geometry } from '../geometry/geometry';

/** Layers that a geometry's caches speak of; a looped model's passes count on. */
export function layerCount({ layers, caches }: Geometry): number {
  return caches.reduce((most, { layer }) => Math.max(most, layer + 1), layers);
}

/**
 * After how many layers the pattern of layer caches repeats: 6 for five windows and one full layer, 1 where all are alike.
 * The last period may be cut off. The number of layers where nothing repeats.
 */
export function layerPeriod(geometry: Geometry): number {
  const count = layerCount(geometry);
  const signs = Array.from({ length: count }, (_, layer) =>
    JSON.stringify(
      geometry.caches
        .filter((cache) => cache.layer === layer)
        .map((cache) => ({ ...cache, layer: null, sharedWith: null })),
    ),
  );
  for (let period = 1; period < count; period++) {
    if (signs.every((sign, layer) => sign === signs[layer % period])) return period;
  }
  return count;
}

/** The geometry of the first `count` layers. */
export function cutLayers(geometry: Geometry, count: number): Geometry {
  return { ...geometry, layers: count, caches: geometry.caches.filter(({ layer }) => layer < count) };
}

/**
 * The most layers whose cache takes at most `budget` bytes: whole periods where one fits, else as many layers as do, at
 * least one. All of them where the whole cache fits.
 */
export function layersWithin(
  geometry: Geometry,
  size: { batch: number; tokens: number; elementBytes: number },
  budget: number,
): number {
  const count = layerCount(geometry);
  const fits = (layers: number): boolean => formulaBytes(cutLayers(geometry, layers), size) <= budget;
  if (fits(count)) return count;
  const period = layerPeriod(geometry);
  let layers = 1;
  while (layers + 1 < count && fits(layers + 1)) layers++;
  return layers >= period ? layers - (layers % period) : layers;
}
