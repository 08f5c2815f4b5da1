/** Layer lists as config.json has them, written short. */

export const FULL = 'full_attention';
export const SLIDING = 'sliding_attention';
export const LINEAR = 'linear_attention';
export const CONV = 'conv';
export const MAMBA = 'mamba';
export const ATTENTION = 'attention';
export const MOE = 'moe';
/** GLM 5.2's `indexer_types`: a layer with an indexer of its own, and one that reuses the choice of the one before. */
export const OWN = 'full';
export const SHARED = 'shared';

/** A list that repeats a pattern: `repeat([SLIDING, FULL], 2)` has 4 entries. */
export function repeat<T>(pattern: readonly T[], times: number): T[] {
  return Array.from({ length: times }, () => pattern).flat();
}
