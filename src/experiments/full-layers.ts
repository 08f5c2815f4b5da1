/** Which layers the experiment `redundancy` reads: those that keep keys and values of every token, whatever the length. */
import type { Geometry, LayerCache } from '../geometry/geometry';

/**
 * Entries with a full KV cache under the ideal rule: full attention, and latents, which exports decompress to keys and values
 * of every head. Sliding and chunked layers, states, convolutions and shared entries do not count, even where a graph keeps more.
 */
export function fullCaches({ caches }: Pick<Geometry, 'caches'>): LayerCache[] {
  return caches.filter(({ kind, kvHeads }) => (kind === 'full' || kind === 'latent') && kvHeads > 0);
}
