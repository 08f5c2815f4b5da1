/** The method tried on data whose answer is known: for the page, and for whoever doubts a number. */
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { plainMultiply } from './matrix';
import { permutation } from './permutation';
import { analyseSource } from './ridge';
import { leaks } from './savings';
import type { PairResult, SourceJob } from './types';

export interface MethodCheck {
  /** R² that was planted, and what the method says. */
  planted: { truth: number; found: number; shuffled: number }[];
  /** How far a found R² may be from the truth. */
  tolerance: number;
  /** Whether no shuffled control of the planted cases is above 0. */
  honest: boolean;
  /** A leak that was planted: the highest R² of its shuffled controls, and whether it was noticed. */
  leak: { shuffled: number; caught: boolean };
  pass: boolean;
}

const TRUTHS = [0, 0.25, 0.5, 0.9];
const TOLERANCE = 0.02;
const SEED = 5;
const LAMBDAS = [0.001, 0.01, 0.1, 1, 10, 100];

/**
 * Plants linear maps of which the true R² is known, and a leak, and looks whether `analyseSource` finds them. Always
 * the same data; a fraction of a second.
 */
export async function checkMethod(): Promise<MethodCheck> {
  const planted: MethodCheck['planted'] = [];
  let honest = true;
  for (const [place, truth] of TRUTHS.entries()) {
    const pair = await onlyPair(plantedJob(truth, SEED + place));
    planted.push({ truth, found: pair.r2.mean ?? NaN, shuffled: pair.shuffled.max ?? NaN });
    if (leaks([pair])) honest = false;
  }
  const leaking = await onlyPair(leakingJob(SEED));
  const leak = { shuffled: leaking.shuffled.max ?? NaN, caught: leaks([leaking]) };
  const near = planted.every(({ truth, found }) => Math.abs(found - truth) <= TOLERANCE);
  return { planted, tolerance: TOLERANCE, honest, leak, pass: near && honest && leak.caught };
}

async function onlyPair(job: SourceJob): Promise<PairResult> {
  const [pair] = await analyseSource(job, plainMultiply);
  if (!pair) throw new RangeError('a job with one target has one pair');
  return pair;
}

/** Seeded values of mean 0 and variance 1. */
function noise(seed: number): (count: number) => Float32Array {
  const random = xoroshiro128plus(seed);
  return (count) =>
    Float32Array.from({ length: count }, () => (2 * uniformFloat64(random) - 1) * Math.sqrt(3));
}

/**
 * y = x·W + noise, with a share `truth` of y's variance in x·W. Channels and tokens are chosen so that what is lost
 * by having to learn W, about (1 - truth)·channels/(tokens trained on), is well under the tolerance.
 */
function plantedJob(truth: number, seed: number): SourceJob {
  const [channels, tokens, documents] = [24, 1000, 4];
  const draw = noise(seed);
  // Every column of W has length 1, so that each channel of x·W has variance 1.
  const weights = draw(channels * channels);
  for (let j = 0; j < channels; j++) {
    let length = 0;
    for (let c = 0; c < channels; c++) length += (weights[c * channels + j] as number) ** 2;
    for (let c = 0; c < channels; c++)
      weights[c * channels + j] = (weights[c * channels + j] as number) / Math.sqrt(length);
  }
  const source = Array.from({ length: documents }, () => draw(tokens * channels));
  const values = source.map((x) => {
    const y = draw(tokens * channels);
    for (let t = 0; t < tokens; t++)
      for (let j = 0; j < channels; j++) {
        let signal = 0;
        for (let c = 0; c < channels; c++)
          signal += (x[t * channels + c] as number) * (weights[c * channels + j] as number);
        const at = t * channels + j;
        y[at] = Math.sqrt(truth) * signal + Math.sqrt(1 - truth) * (y[at] as number);
      }
    return y;
  });
  return job(channels, source, values, LAMBDAS);
}

/**
 * Nothing but noise, and more channels than tokens; but the second document is the first as its shuffled control will
 * have it, with the first one's target: what the control is tested on was trained on.
 */
function leakingJob(seed: number): SourceJob {
  const [channels, tokens] = [96, 24];
  const draw = noise(seed);
  const source = Array.from({ length: 3 }, () => draw(tokens * channels));
  const values = Array.from({ length: 3 }, () => draw(tokens * channels));
  const [first, target] = [source[0] as Float32Array, values[0] as Float32Array];
  const order = permutation(tokens, SEED, 0);
  source[1] = first.map(
    (_, i) => first[(order[Math.floor(i / channels)] as number) * channels + (i % channels)] as number,
  );
  values[1] = target;
  return job(channels, source, values, LAMBDAS.slice(0, 1));
}

function job(channels: number, source: Float32Array[], values: Float32Array[], lambdas: number[]): SourceJob {
  const targets = [{ to: 1, adjacent: true, channels, values }];
  return { kind: 'K', from: 0, channels, source, targets, lambdas, split: 'documents', seed: SEED };
}
