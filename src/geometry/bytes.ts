/** Formula bytes: what a geometry says a cache takes. Shares nothing with the code that measures. */
import { exactBytes, requireCount, requirePositive } from './checks';
import type { Geometry, LayerCache } from './geometry';

export interface CacheSize {
  /** Sequences. */
  batch: number;
  /** Tokens per sequence. */
  tokens: number;
  /** Bytes of one element: 4 for fp32, 2 for fp16. */
  elementBytes: number;
}

/**
 * Bytes that the first token of one sequence adds: the sum over layers of elements per token x element bytes. Entries that
 * are stored once for several tokens add nothing yet.
 */
export function bytesPerToken(geometry: Geometry, elementBytes: number): number {
  return sum(geometry.caches, (cache) =>
    (cache.tokensPerEntry ?? 1) > 1 ? 0 : cache.elementsPerToken * (cache.elementBytes ?? elementBytes),
  );
}

/**
 * Bytes that a token adds in the long run, past every cap; an entry stored once for several tokens counts its share, so
 * the number can have a fraction.
 */
export function bytesPerTokenFar(geometry: Geometry, elementBytes: number): number {
  return sum(geometry.caches, (cache) =>
    cache.capTokens !== null
      ? 0
      : (cache.elementsPerToken * (cache.elementBytes ?? elementBytes)) / (cache.tokensPerEntry ?? 1),
  );
}

/** Bytes of one sequence that are there whatever its length: states, convolutions, an encoder's keys and values. */
export function fixedBytes(geometry: Geometry, elementBytes: number): number {
  return sum(geometry.caches, (cache) => cache.fixedElements * (cache.elementBytes ?? elementBytes));
}

/**
 * Formula bytes of the whole cache: batch x the sum over layers of (elements per token x tokens, up to the layer's
 * cap, + fixed elements) x element bytes. For full attention: 2 x layers x KV heads x head dim x tokens x batch x bytes.
 * @throws RangeError when the size is no exact integer (above 2^53) or an argument is no positive integer.
 */
export function formulaBytes(geometry: Geometry, { batch, tokens, elementBytes }: CacheSize): number {
  requirePositive('batch', batch);
  requirePositive('elementBytes', elementBytes);
  requireCount('tokens', tokens);
  return exactBytes(
    batch *
      sum(geometry.caches, (cache) => entryElements(cache, tokens) * (cache.elementBytes ?? elementBytes)),
  );
}

/** Elements of one layer's entry of one sequence: stored tokens, up to the cap, x elements per token, + fixed elements. */
function entryElements(cache: LayerCache, tokens: number): number {
  const kept = Math.min(tokens, cache.capTokens ?? tokens);
  return cache.elementsPerToken * Math.floor(kept / (cache.tokensPerEntry ?? 1)) + cache.fixedElements;
}

function sum(caches: readonly LayerCache[], bytesOf: (cache: LayerCache) => number): number {
  return caches.reduce((total, cache) => total + bytesOf(cache), 0);
}
