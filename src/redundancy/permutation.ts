/** The shuffled control's order of tokens: seeded, the same for every pair of layers. */
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Keeps the seeds of a run's documents apart: the golden ratio in 32 bits, as in Knuth's multiplicative hash. */
const APART = 0x9e3779b1;

/**
 * An order of `count` tokens, every one as likely as any other (Fisher and Yates).
 * @param seed Integer. @param document The document's place in the run: each has an order of its own.
 * @returns result[i] is the token that takes place i.
 */
export function permutation(count: number, seed: number, document: number): Uint32Array {
  const random = xoroshiro128plus((seed + Math.imul(document + 1, APART)) | 0);
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const j = uniformInt(random, 0, i);
    const here = order[i] as number;
    order[i] = order[j] as number;
    order[j] = here;
  }
  return order;
}
