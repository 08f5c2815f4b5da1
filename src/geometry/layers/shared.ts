/** Layer cache of kind `shared`: a layer that reads the keys and values of another and keeps none. */
import { noCache, type LayerCache } from '../geometry';

/** Nothing of its own; `sharedWith` is the layer whose entry is read. */
export function sharedCache(layer: number, sharedWith: number): LayerCache {
  return { ...noCache(layer), kind: 'shared', sharedWith };
}
