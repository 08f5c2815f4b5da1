/** Drawn lengths: their means, their shape, their limits. */
import { describe, expect, it } from 'vitest';
import { drawRequests, LENGTH_MEANS, meansOf } from './workload';

const MANY = 20_000;

describe('drawRequests', () => {
  it.each([
    // Means of Kwon et al. 2023, Figure 11; so many draws stray from them by a hundredth or so.
    ['sharegpt', 161.31, 337.99],
    ['alpaca', 19.31, 58.45],
  ] as const)('has the means of %s', (name, prompt, output) => {
    const means = meansOf(drawRequests(LENGTH_MEANS[name], MANY, 1_000_000, 7));
    expect(means.prompt / prompt).toBeCloseTo(1, 1);
    expect(means.output / output).toBeCloseTo(1, 1);
    expect(Math.abs(means.output / output - 1)).toBeLessThan(0.03);
  });

  it('is geometric: half of all are below ln 2 of the mean, and one in e⁴ above four means', () => {
    const outputs = drawRequests({ prompt: 1, output: 1000 }, MANY, 1_000_000, 3).map(({ output }) => output);
    expect(outputs.filter((length) => length <= 693).length / MANY).toBeCloseTo(0.5, 1);
    expect(outputs.filter((length) => length > 4000).length / MANY).toBeCloseTo(0.0183, 2);
  });

  it('cuts a request at the longest and leaves at least one token of each', () => {
    const requests = drawRequests(LENGTH_MEANS.sharegpt, 500, 64, 0);
    expect(Math.max(...requests.map(({ prompt, output }) => prompt + output))).toBe(64);
    expect(Math.min(...requests.flatMap(({ prompt, output }) => [prompt, output]))).toBe(1);
  });

  it('gives the same requests for the same seed and others for another', () => {
    const first = drawRequests(LENGTH_MEANS.sharegpt, 3, 2048, 0);
    expect(first).toEqual(drawRequests(LENGTH_MEANS.sharegpt, 3, 2048, 0));
    expect(first).not.toEqual(drawRequests(LENGTH_MEANS.sharegpt, 3, 2048, 1));
  });
});
