/** The requests of a serving: seeded lengths of prompts and outputs from a stated distribution. */
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** One request, in tokens; both are at least 1. */
export interface Request {
  prompt: number;
  output: number;
}

/** Means of prompt and output lengths, in tokens. */
export interface LengthMeans {
  prompt: number;
  output: number;
}

/**
 * Means of the two data sets of the PagedAttention paper (Kwon et al. 2023, arXiv 2309.06180, section 6.1, Figure 11), under the
 * names that recipes have for them.
 */
export const LENGTH_MEANS = {
  sharegpt: { prompt: 161.31, output: 337.99 },
  alpaca: { prompt: 19.31, output: 58.45 },
} as const satisfies Record<string, LengthMeans>;

/**
 * `count` requests in the order of their arrival. Prompt and output are drawn apart, each from a geometric distribution of its
 * mean: of all distributions of whole numbers from 1 on with that mean the one that assumes nothing else (the largest entropy),
 * and like the histograms of the paper's Figure 11 one that falls from short lengths to a long tail. A request that is longer
 * than `longest` in all is cut, its prompt to leave one token of output and then its output, so drawn means can be a little lower.
 * @param longest Tokens of prompt and output together, at least 2.
 */
export function drawRequests(means: LengthMeans, count: number, longest: number, seed: number): Request[] {
  const random = xoroshiro128plus(seed | 0);
  const draw = (mean: number): number => geometric(uniformFloat64(random), mean);
  return Array.from({ length: count }, () => {
    const prompt = Math.min(draw(means.prompt), longest - 1);
    const output = Math.min(draw(means.output), longest - prompt);
    return { prompt, output };
  });
}

/** Inverse of the geometric distribution on 1, 2, … with mean `mean`: P(X > k) = (1 - 1 / mean)^k. @param uniform In [0, 1). */
function geometric(uniform: number, mean: number): number {
  return 1 + Math.floor(Math.log1p(-uniform) / Math.log1p(-1 / mean));
}

/** Mean lengths of what was drawn; 0 of no requests. */
export function meansOf(requests: readonly Request[]): LengthMeans {
  const mean = (of: (request: Request) => number): number =>
    requests.length === 0 ? 0 : requests.reduce((sum, request) => sum + of(request), 0) / requests.length;
  return { prompt: mean(({ prompt }) => prompt), output: mean(({ output }) => output) };
}
