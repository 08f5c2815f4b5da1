/** How the logits of a quantised cache are compared with those of floats: over which tokens, and by what. */

/** The prompt in two chunks where the graph takes chunks. */
export const CHUNKS = [40, 24];
export const PROMPT_TOKENS = 64;
export const STEPS = 10;
/** Tokens that the check puts into each cache. */
export const QUANTISED_CHECK_TOKENS = PROMPT_TOKENS + STEPS;
export interface LogitsCompared {
  cosine: number;
  /** Largest |a - b|. */
  difference: number;
}

/** NaN, another count and logits of zeros have a cosine of -1 and an infinite difference. */
export function compareLogits(a: Float32Array, b: Float32Array): LogitsCompared {
  let [dot, aa, bb, difference] = [0, 0, 0, 0];
  for (let i = 0; i < b.length; i++) {
    const [x, y] = [a[i] ?? NaN, b[i] ?? NaN];
    dot += x * y;
    aa += x * x;
    bb += y * y;
    difference = Math.max(difference, Math.abs(x - y));
  }
  const cosine = dot / Math.sqrt(aa * bb);
  return a.length !== b.length || Number.isNaN(cosine)
    ? { cosine: -1, difference: Infinity }
    : { cosine, difference };
}
