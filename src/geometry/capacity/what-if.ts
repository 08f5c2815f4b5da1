/** Other geometries to plan with: the same model without grouped queries or latents. */
import type { Geometry, LayerCache } from '../geometry';

/** Lowest and highest share of cache memory that held tokens before paged attention (Kwon et al. 2023; second article). */
export const UTILISATION = { low: 0.204, high: 0.382 } as const;

/**
 * The geometry with a KV head for every attention head, and a latent as keys and values of every head at its value dim
 * (second article: DeepSeek-V2 "2 x 128 x 128 x 60"); null when it has neither grouped queries nor latents.
 */
export function withoutGrouping(geometry: Geometry): Geometry | null {
  const caches = geometry.caches.map((cache) => ungrouped(cache, geometry.attentionHeads));
  const changed = caches.some((cache, index) => cache !== geometry.caches[index]);
  return changed ? { ...geometry, kvHeads: geometry.attentionHeads, caches } : null;
}

function ungrouped(cache: LayerCache, heads: number): LayerCache {
  switch (cache.kind) {
    case 'latent': {
      const dim = cache.expanded?.valueDim ?? 0;
      if (dim === 0) return cache;
      return {
        ...cache,
        expanded: undefined,
        kind: 'full',
        kvHeads: heads,
        keyDim: dim,
        valueDim: dim,
        elementsPerToken: heads * 2 * dim,
      };
    }
    case 'full':
    case 'sliding':
    case 'chunked':
    case 'cross': {
      if (cache.kvHeads === 0 || cache.kvHeads >= heads) return cache;
      const times = heads / cache.kvHeads;
      return {
        ...cache,
        kvHeads: heads,
        elementsPerToken: cache.elementsPerToken * times,
        fixedElements: cache.fixedElements * times,
      };
    }
    case 'indexer':
    case 'compressed':
    case 'recurrent':
    case 'conv':
    case 'shared':
    case 'none':
      return cache;
  }
}
