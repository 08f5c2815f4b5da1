/** From R² to bits, and from bits to bytes of a cache: the third article's arithmetic. */
import type { PairResult, Spread } from './types';

/** A shuffled R² above this is a leak: more than rounding. */
const ROUNDING = 1e-9;
/** A shuffled R² above 0 and below this is flagged like any other, but can be chance: one channel that outweighs all is enough. */
export const CHANCE = 0.01;

/** Mean and ends of the documents' R²; documents whose target does not vary are left out. */
export function spreadOf(perDocument: (number | null)[]): Spread {
  const known = perDocument.filter((value) => value !== null);
  if (known.length === 0) return { mean: null, min: null, max: null, perDocument };
  return {
    mean: known.reduce((sum, value) => sum + value, 0) / known.length,
    min: Math.min(...known),
    max: Math.max(...known),
    perDocument,
  };
}

/** Whether some document of some pair is predicted from tokens in another order: the way of testing leaks then. */
export function leaks(pairs: readonly Pick<PairResult, 'shuffled'>[]): boolean {
  return pairs.some(({ shuffled }) =>
    shuffled.perDocument.some((value) => value !== null && value > ROUNDING),
  );
}

/**
 * Bits per element that a predictor with this R² saves at best, at equal distortion, if values are Gaussian:
 * 0.5·log2(1/(1 - R²)).
 * @returns 0 for an R² up to 0; null where R² is unknown, or 1 and the bound is none.
 */
export function savedBits(r2: number | null): number | null {
  if (r2 === null || r2 >= 1) return null;
  return r2 <= 0 ? 0 : 0.5 * Math.log2(1 / (1 - r2));
}

/** Mean over the adjacent pairs, K and V, of the bits per element; null when none is known. */
export function meanSavedBits(pairs: readonly Pick<PairResult, 'adjacent' | 'savedBits'>[]): number | null {
  return spreadOf(pairs.filter(({ adjacent }) => adjacent).map(({ savedBits: bits }) => bits)).mean;
}

/**
 * What `bits` saved per element are worth in a cache of these layers (one sequence of `context` tokens).
 * @param channels KV heads x head dim of each layer's keys and values.
 * @returns Bytes, whole; shares of a cache of 16 and of 4 bits an element.
 */
export function savingsOf(channels: readonly { K: number; V: number }[], context: number, bits: number) {
  const elements = channels.reduce((sum, { K, V }) => sum + K + V, 0);
  const bytesPerTokenF16 = elements * 2;
  const cacheBytesF16 = bytesPerTokenF16 * context;
  return {
    context,
    savedBits: bits,
    shareF16: bits / 16,
    share4Bit: bits / 4,
    bytesPerTokenF16,
    cacheBytesF16,
    cacheBytes4Bit: Math.round(cacheBytesF16 / 4),
    savedBytes: Math.round((elements * context * bits) / 8),
  };
}
