/** The rule of transformers.js and ONNX Runtime: what the exported graph's cache inputs keep. */
import type { Geometry, LayerCache } from '../geometry';

/**
 * The geometry that a transformers.js export of the model keeps. transformers.js trims nothing (its `cache_utils.js`), and
 * graphs return the whole past, so windows and chunks grow like full layers; MLA is decompressed to keys and values of every
 * head; convolution states have the whole kernel's width (Hugging Face pads to it); states have the cache's element type; an
 * indexer, which these exports do not have, and shared layers keep nothing (`getCacheNames` in transformers.js' configs.js).
 */
export function underGraphRule(geometry: Geometry): Geometry {
  const caches = geometry.caches.map(graphEntry);
  const expanded = geometry.caches.find((cache) => cache.expanded)?.expanded;
  const heads = expanded && { kvHeads: expanded.kvHeads, headDim: expanded.keyDim };
  return { ...geometry, ...heads, caches };
}

function graphEntry(cache: LayerCache): LayerCache {
  const entry = { ...cache };
  delete entry.elementBytes;
  switch (cache.kind) {
    case 'latent': {
      if (!cache.expanded) return entry;
      const { kvHeads, keyDim, valueDim } = cache.expanded;
      return { ...entry, ...cache.expanded, elementsPerToken: kvHeads * (keyDim + valueDim) };
    }
    case 'sliding':
    case 'chunked':
      return { ...entry, capTokens: null };
    case 'conv':
      return cache.conv ? { ...entry, fixedElements: cache.conv.channels * cache.conv.kernel } : entry;
    case 'indexer':
      return { ...entry, kind: 'none', elementsPerToken: 0, fixedElements: 0 };
    case 'full':
    case 'compressed':
    case 'recurrent':
    case 'cross':
    case 'shared':
    case 'none':
      return entry;
  }
}
