/** Formula bytes: what a geometry says a cache takes. Shares nothing with the code that measures. */
import type { Geometry, LayerCache } from './geometry';

export interface CacheSize {
  /** Sequences. */
  batch: number;
  /** Tokens per sequence. */
  tokens: number;
  /** Bytes of one element: 4 for fp32, 2 for fp16. */
  elementBytes: number;
}

/** Bytes that the first token of one sequence adds: the sum over layers of elements per token x element bytes. */
export function bytesPerToken(geometry: Geometry, elementBytes: number): number {
  return formulaBytes(withoutFixed(geometry), { batch: 1, tokens: 1, elementBytes });
}

/**
 * Formula bytes of the whole cache: batch x the sum over layers of (elements per token x tokens, up to the layer's
 * cap, + fixed elements) x element bytes. For full attention: 2 x layers x KV heads x head dim x tokens x batch x bytes.
 * @throws RangeError when the size is no exact integer (above 2^53) or an argument is no positive integer.
 */
export function formulaBytes(geometry: Geometry, { batch, tokens, elementBytes }: CacheSize): number {
  for (const [name, value] of Object.entries({ batch, elementBytes })) {
    if (!Number.isSafeInteger(value) || value < 1)
      throw new RangeError(`${name} = ${value} is no positive integer`);
  }
  if (!Number.isSafeInteger(tokens) || tokens < 0) throw new RangeError(`tokens = ${tokens} is no count`);
  const elements = geometry.caches.reduce((sum, cache) => sum + layerElements(cache, tokens), 0);
  const bytes = elements * elementBytes * batch;
  if (!Number.isSafeInteger(bytes)) throw new RangeError('the cache would take more than 2^53 bytes');
  return bytes;
}

/** Elements of one layer's entry of one sequence. */
function layerElements(cache: LayerCache, tokens: number): number {
  return cache.elementsPerToken * Math.min(tokens, cache.capTokens ?? tokens) + cache.fixedElements;
}

function withoutFixed(geometry: Geometry): Geometry {
  return { ...geometry, caches: geometry.caches.map((cache) => ({ ...cache, fixedElements: 0 })) };
}
