/** How much work the steps of a job are, so that progress is even and its end is known at the start. */
import { type Folds, foldsOf, tokensOf } from './folds';
import type { SourceJob } from './types';

/** Work of each step, in units of a million multiplications of a matrix product, at least 1. */
export interface Work {
  gram: (tokens: number) => number;
  cross: (tokens: number, target: number) => number;
  factorise: () => number;
  turn: () => number;
  score: (target: number, tests: number) => number;
  predict: (target: number, tokens: number) => number;
}

/** The plain loops of a factorisation against those of a matrix product of the same size (n³), as measured at n = 512. */
const FACTORISATION = 3;
/** Solving with T for one candidate, the same way. */
const CANDIDATE = 0.1;

export function workOf(job: Pick<SourceJob, 'channels' | 'lambdas'>): Work {
  const n = job.channels;
  const units = (multiplications: number): number => Math.ceil(multiplications / 1e6);
  return {
    gram: (tokens) => units(tokens * n * n),
    cross: (tokens, m) => units(tokens * n * m),
    factorise: () => units(FACTORISATION * n * n * n),
    turn: () => units(2 * n * n * n),
    score: (m, tests) => units(n * n * m * (2 + tests) + CANDIDATE * job.lambdas.length * n * n * n),
    predict: (m, tokens) => units(2 * n * n * m + tokens * n * m),
  };
}

/**
 * All units of a job: `total` of `onStep`. Several jobs' units can be added up.
 * @throws {RangeError} as `foldsOf`.
 */
export function unitsOf(job: SourceJob): number {
  return totalOf(job, foldsOf(job.split, tokensOf(job)));
}

export function totalOf(job: SourceJob, { blocks, folds, trials }: Folds): number {
  const work = workOf(job);
  const tokens = blocks.map(({ from, to }) => to - from);
  const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);
  const source =
    sum(tokens.map(work.gram)) +
    work.factorise() * (trials.length + folds.length) +
    sum(trials.map(({ tests }) => tests.length * work.turn()));
  const targets = job.targets.map(
    ({ channels: m }) =>
      sum(tokens.map((count) => work.cross(count, m))) +
      sum(trials.map(({ tests }) => work.score(m, tests.length))) +
      sum(folds.map(({ test }) => work.predict(m, tokens[test] as number))),
  );
  return source + sum(targets);
}
