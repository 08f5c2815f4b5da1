/** Seeded random weights, the same on every machine. */
import { uniformFloat32 } from 'pure-rand/distribution/uniformFloat32';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

export interface WeightSource {
  /** `count` values, uniform in ±sqrt(3 / fanIn): unit variance of a product of unit-variance inputs. */
  uniform(count: number, fanIn: number): Float32Array;
}

/** @param seed Integer from 0 to 2^32 - 1. */
export function seededWeights(seed: number): WeightSource {
  const random = xoroshiro128plus(seed);
  return {
    uniform(count, fanIn) {
      const bound = Math.sqrt(3 / fanIn);
      const values = new Float32Array(count);
      for (let i = 0; i < count; i++) values[i] = (2 * uniformFloat32(random) - 1) * bound;
      return values;
    },
  };
}

/** `count` seeded token ids below `vocabSize`, for prompts that are given as a length only. */
export function seededTokens(seed: number, count: number, vocabSize: number): number[] {
  const random = xoroshiro128plus(seed ^ 0x5eed);
  return Array.from({ length: count }, () => Math.floor(uniformFloat32(random) * vocabSize));
}
