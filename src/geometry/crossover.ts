/** Crossover: the point from which a model's cache takes more memory than its weights. */
import { bytesPerToken, formulaBytes } from './bytes';
import type { Geometry } from './geometry';

/** The request length in which the first article counts, tokens. */
export const REQUEST_TOKENS = 2048;

export interface Crossover {
  /** Weight bytes that the cache is set against. */
  weightBytes: number;
  /** Formula bytes of one token of one sequence. */
  bytesPerToken: number;
  /**
   * Tokens at which the cache of one sequence equals the weights, as an exact quotient; null where it never does, since
   * every layer's entry is capped. It may lie beyond the model's maximum position.
   */
  tokens: number | null;
  /** Requests of `requestTokens` tokens at which their caches together equal the weights, as an exact quotient. */
  requests: number;
  requestTokens: number;
  /** The smallest whole number of such requests whose caches together take more than the weights. */
  requestsOwning: number;
}

/**
 * Where cache and weights are equal: weight bytes / bytes per token, and weight bytes / the cache of one request (the first
 * article, "꺾이는 지점"). Nothing is rounded here; the article's tables round to the nearest token and to one decimal of a
 * request (80409.3 → 80,409, 11676.6 → 11,677: nearest, not down). Weights and cache must have the same element size, then
 * the result does not depend on it.
 * @param weightBytes bytes, positive. @param elementBytes bytes of one cache element. @param requestTokens tokens of a request.
 * @throws RangeError when there are no weights, or as {@link formulaBytes}.
 */
export function crossover(
  geometry: Geometry,
  weightBytes: number,
  elementBytes: number,
  requestTokens: number = REQUEST_TOKENS,
): Crossover {
  if (!(weightBytes > 0)) throw new RangeError(`weightBytes = ${weightBytes} is no size`);
  const requestBytes = formulaBytes(geometry, { batch: 1, tokens: requestTokens, elementBytes });
  const requests = weightBytes / requestBytes;
  return {
    weightBytes,
    bytesPerToken: bytesPerToken(geometry, elementBytes),
    tokens: tokensFor(geometry, weightBytes, elementBytes),
    requests,
    requestTokens,
    requestsOwning: Math.floor(requests) + 1,
  };
}

/** Tokens (fractional) at which one sequence's cache has that many bytes; null when it never gets there. */
function tokensFor(geometry: Geometry, bytes: number, elementBytes: number): number | null {
  // The cache is linear in the tokens between two caps.
  const caps = new Set(geometry.caches.flatMap(({ capTokens }) => (capTokens === null ? [] : [capTokens])));
  const starts = [0, ...[...caps].sort((a, b) => a - b)];
  for (const [index, start] of starts.entries()) {
    const at = formulaBytes(geometry, { batch: 1, tokens: start, elementBytes });
    const slope = geometry.caches
      .filter(({ capTokens }) => capTokens === null || capTokens > start)
      .reduce((sum, { elementsPerToken }) => sum + elementsPerToken * elementBytes, 0);
    if (at >= bytes) return start;
    const tokens = slope === 0 ? Infinity : start + (bytes - at) / slope;
    if (tokens <= (starts[index + 1] ?? Number.MAX_VALUE)) return tokens;
  }
  return null;
}
