/**
 * The third article's method as it is written there: stack the documents, take the means out, solve the normal
 * equations for every fold and candidate, predict token by token. Float64, number[][] and Gaussian elimination;
 * shares nothing with the code under test.
 */
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { SourceJob } from './types';

type Rows = number[][];

export interface ReferenceResult {
  r2: number[];
  shuffled: number[];
  lambda: number[];
}

const at = (values: ArrayLike<number>, i: number): number => values[i] ?? NaN;
const row = (rows: Rows, i: number): number[] => rows[i] ?? [];
const mean = (values: number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

export function rowsOf(values: Float32Array, channels: number): Rows {
  return Array.from({ length: values.length / channels }, (_, t) => [
    ...values.subarray(t * channels, (t + 1) * channels),
  ]);
}

const columnMeans = (rows: Rows): number[] => row(rows, 0).map((_, c) => mean(rows.map((r) => at(r, c))));

/** A·W = B by elimination with exchange of rows. */
function solve(a: Rows, b: Rows): Rows {
  const n = a.length;
  const all = a.map((r, i) => [...r, ...row(b, i)]);
  for (let k = 0; k < n; k++) {
    let best = k;
    for (let i = k + 1; i < n; i++)
      if (Math.abs(at(row(all, i), k)) > Math.abs(at(row(all, best), k))) best = i;
    const pivot = row(all, best);
    all[best] = row(all, k);
    all[k] = pivot;
    for (let i = 0; i < n; i++) {
      if (i === k) continue;
      const factor = at(row(all, i), k) / at(pivot, k);
      if (factor !== 0) all[i] = row(all, i).map((value, j) => value - factor * at(pivot, j));
    }
  }
  return all.map((r, k) => r.slice(n).map((value) => value / at(r, k)));
}

function fit(x: Rows, y: Rows, relative: number) {
  const [mx, my] = [columnMeans(x), columnMeans(y)];
  const xc = x.map((r) => r.map((value, c) => value - at(mx, c)));
  const yc = y.map((r) => r.map((value, c) => value - at(my, c)));
  const product = (left: Rows, right: Rows): Rows =>
    row(left, 0).map((_, i) =>
      row(right, 0).map((__, j) => left.reduce((sum, r, t) => sum + at(r, i) * at(row(right, t), j), 0)),
    );
  const gram = product(xc, xc);
  const lambda = (relative * gram.reduce((sum, r, i) => sum + at(r, i), 0)) / gram.length;
  const weights = solve(
    gram.map((r, i) => r.map((value, j) => value + (i === j ? lambda : 0))),
    product(xc, yc),
  );
  return (token: number[]): number[] =>
    my.map(
      (m, j) => m + token.reduce((sum, value, c) => sum + (value - at(mx, c)) * at(row(weights, c), j), 0),
    );
}

function r2(predict: (token: number[]) => number[], x: Rows, y: Rows): number {
  const my = columnMeans(y);
  let [errors, variance] = [0, 0];
  for (const [t, token] of x.entries()) {
    const p = predict(token);
    for (const [c, value] of row(y, t).entries()) {
      errors += (value - at(p, c)) ** 2;
      variance += (value - at(my, c)) ** 2;
    }
  }
  return 1 - errors / variance;
}

const without = <T>(list: T[], i: number): T[] => list.filter((_, j) => j !== i);

/** @param orders Of each test document's tokens, for the shuffled control. */
export function reference(job: SourceJob, target: number, orders: ArrayLike<number>[]): ReferenceResult {
  const wanted = job.targets[target] ?? { channels: 0, values: [] };
  const xs = job.source.map((values) => rowsOf(values, job.channels));
  const ys = wanted.values.map((values) => rowsOf(values, wanted.channels));
  const result: ReferenceResult = { r2: [], shuffled: [], lambda: [] };
  const test = (trainX: Rows, trainY: Rows, x: Rows, y: Rows, lambda: number, order: ArrayLike<number>) => {
    const predict = fit(trainX, trainY, lambda);
    result.lambda.push(lambda);
    result.r2.push(r2(predict, x, y));
    result.shuffled.push(
      r2(
        predict,
        Array.from(order, (token) => row(x, token)),
        y,
      ),
    );
  };
  for (const [d, x] of xs.entries()) {
    const [y, order] = [ys[d] ?? [], orders[d] ?? []];
    if (job.split === 'halves') {
      const middle = Math.floor(x.length / 2);
      const least = Math.min(...job.lambdas);
      test(x.slice(0, middle), y.slice(0, middle), x.slice(middle), y.slice(middle), least, order);
      continue;
    }
    const [trainX, trainY] = [without(xs, d), without(ys, d)];
    const inner = job.lambdas.map((lambda) =>
      mean(
        trainX.map((vx, v) =>
          r2(fit(without(trainX, v).flat(), without(trainY, v).flat(), lambda), vx, trainY[v] ?? []),
        ),
      ),
    );
    const best = job.lambdas[inner.lastIndexOf(Math.max(...inner))] ?? NaN;
    test(trainX.flat(), trainY.flat(), x, y, best, order);
  }
  return result;
}

export interface Planted {
  /** Tokens of each document. */
  tokens: number[];
  channels: number;
  targetChannels: number;
  /** Standard deviation of the target's noise beside a signal of about 1 a channel. */
  noise: number;
  seed: number;
}

/** Seeded data: y = x·W + noise, uniform values around a mean that differs from document to document. */
export function plantedJob({ tokens, channels, targetChannels, noise, seed }: Planted): SourceJob {
  const random = xoroshiro128plus(seed);
  const draw = (): number => (2 * uniformFloat64(random) - 1) * Math.sqrt(3);
  const weights = Array.from({ length: channels * targetChannels }, () => draw() / Math.sqrt(channels));
  const source: Float32Array[] = [];
  const values: Float32Array[] = [];
  for (const [d, count] of tokens.entries()) {
    const shift = Array.from({ length: channels }, () => 3 + d * draw());
    const x = Float32Array.from({ length: count * channels }, (_, i) => draw() + at(shift, i % channels));
    const y = Float32Array.from({ length: count * targetChannels }, (_, i) => {
      const [t, j] = [Math.floor(i / targetChannels), i % targetChannels];
      let sum = noise * draw();
      for (let c = 0; c < channels; c++) sum += at(x, t * channels + c) * at(weights, c * targetChannels + j);
      return sum;
    });
    source.push(x);
    values.push(y);
  }
  return {
    kind: 'K',
    from: 3,
    channels,
    source,
    targets: [{ to: 7, adjacent: true, channels: targetChannels, values }],
    lambdas: [0.001, 0.01, 0.1, 1, 10, 100],
    split: 'documents',
    seed: 11,
  };
}
