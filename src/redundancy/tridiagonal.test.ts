/** The factorisation against ml-matrix, a well-kept linear algebra package. */
import { EigenvalueDecomposition, Matrix as MlMatrix, solve } from 'ml-matrix';
import { describe, expect, it } from 'vitest';
import { plainMultiply, zeros } from './matrix';
import { eigenvaluesAbove, factorise, rankOf, solveShifted, type Tridiagonal } from './tridiagonal';
import type { Matrix } from './types';

/** A seeded [rows][columns] of values in ±1 (a chain of sines is irregular enough). */
const values = (rows: number, columns: number, seed: number): number[][] =>
  Array.from({ length: rows }, (_, i) =>
    Array.from({ length: columns }, (__, j) => Math.sin(seed + 1e3 * Math.sin(i * columns + j + seed))),
  );

const ours = (rows: number[][]): Matrix => ({
  rows: rows.length,
  columns: rows[0]?.length ?? 0,
  values: Float64Array.from(rows.flat()),
});

function gramOf(size: number, tokens: number, scale: (channel: number) => number): MlMatrix {
  const x = new MlMatrix(values(tokens, size, 3).map((row) => row.map((value, c) => value * scale(c))));
  return x.transpose().mmul(x);
}

function dense({ diagonal, off }: Tridiagonal): MlMatrix {
  const t = MlMatrix.diag([...diagonal]);
  for (const [i, value] of off.entries()) {
    t.set(i, i + 1, value);
    t.set(i + 1, i, value);
  }
  return t;
}

const largest = (m: MlMatrix): number => Math.max(Math.abs(m.max()), Math.abs(m.min()));

const CASES: [string, MlMatrix][] = [
  ['one channel', gramOf(1, 5, () => 1)],
  ['two channels', gramOf(2, 5, () => 1)],
  ['odd', gramOf(7, 30, () => 1)],
  ['more than two groups of reflections', gramOf(150, 200, () => 1)],
  ['graded over six orders', gramOf(30, 60, (c) => 10 ** (-c / 5))],
  ['graded the other way', gramOf(30, 60, (c) => 10 ** (c / 5))],
  ['rank 5 of 20', gramOf(20, 5, () => 1)],
  ['already diagonal', MlMatrix.diag([3, 1, 2, 0, 5])],
  ['zero', MlMatrix.zeros(4, 4)],
];

describe('factorise', () => {
  it.each(CASES)('%s: Q is orthogonal, Q·T·Qᵀ is the matrix, and T has its eigenvalues', async (_, a) => {
    const { t, q } = await factorise(ours(a.to2DArray()), plainMultiply);
    const n = a.rows;
    const Q = MlMatrix.from1DArray(n, n, q.values);
    const scale = largest(a) || 1;
    expect(largest(Q.transpose().mmul(Q).sub(MlMatrix.eye(n)))).toBeLessThan(1e-13);
    expect(largest(Q.mmul(dense(t)).mmul(Q.transpose()).sub(a)) / scale).toBeLessThan(1e-13 * n);
    const eigenvalues = new EigenvalueDecomposition(a, { assumeSymmetric: true }).realEigenvalues;
    // As many eigenvalues of T above each midpoint as the package found.
    const sorted = eigenvalues.toSorted((x, y) => x - y);
    for (let i = 1; i < n; i++) {
      const [below, above] = [sorted[i - 1] ?? NaN, sorted[i] ?? NaN];
      if (above - below > 1e-9 * scale) expect(eigenvaluesAbove(t, (above + below) / 2)).toBe(n - i);
    }
  });

  it.each(CASES)('%s: (T + shift)⁻¹ in Q’s basis solves what the package solves', async (_, a) => {
    const { t, q } = await factorise(ours(a.to2DArray()), plainMultiply);
    const b = values(a.rows, 3, 8);
    const shift = 0.01 * (a.trace() / a.rows || 1);
    const z = await plainMultiply(q, ours(b), true);
    solveShifted(t, shift, z);
    const found = (await plainMultiply(q, z)).values;
    const expected = solve(a.clone().add(MlMatrix.eye(a.rows).mul(shift)), new MlMatrix(b)).to1DArray();
    for (const [i, value] of expected.entries())
      expect(Math.abs((found[i] ?? NaN) - value) * shift).toBeLessThan(1e-12);
  });
});

const RANKS: [string, MlMatrix, number][] = [
  ['full', gramOf(20, 40, () => 1), 20],
  ['fewer tokens than channels', gramOf(20, 5, () => 1), 5],
  ['one channel 1000 times larger', gramOf(20, 40, (c) => (c === 3 ? 1000 : 1)), 20],
  ['zero', MlMatrix.zeros(4, 4), 0],
];

describe('rankOf', () => {
  it.each(RANKS)('%s', async (_, a, rank) => {
    const { t } = await factorise(ours(a.to2DArray()), plainMultiply);
    expect(rankOf(t)).toBe(rank);
  });

  it('takes nothing', async () => {
    expect(rankOf((await factorise(zeros(0, 0), plainMultiply)).t)).toBe(0);
  });
});
