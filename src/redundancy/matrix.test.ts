import { describe, expect, it } from 'vitest';
import { plainMultiply, sumOfProducts, symmetricProduct, transposeInPlace, zeros } from './matrix';
import type { Matrix } from './types';

const matrix = (rows: number, columns: number, value: (row: number, column: number) => number): Matrix => ({
  rows,
  columns,
  values: Float64Array.from({ length: rows * columns }, (_, i) =>
    value(Math.floor(i / columns), i % columns),
  ),
});

describe('plainMultiply', () => {
  it('multiplies', async () => {
    const a = matrix(2, 3, (row, column) => row * 3 + column + 1);
    const b = matrix(3, 2, (row, column) => (row + 1) * 10 + column);
    // [1 2 3; 4 5 6]·[10 11; 20 21; 30 31], and with the transpose of [1 2; 3 4; 5 6].
    expect([...(await plainMultiply(a, b)).values]).toEqual([140, 146, 320, 335]);
    const tall = matrix(3, 2, (row, column) => row * 2 + column + 1);
    expect([...(await plainMultiply(tall, b, true)).values]).toEqual([220, 229, 280, 292]);
  });

  it('is right across its blocks of 64 and its groups of four', async () => {
    // Sum over k below 131 of k = 8515, of k² = 130·131·261/6 = 740,805.
    const a = matrix(3, 131, (row, k) => k + row);
    const product = await plainMultiply(
      a,
      matrix(131, 2, (k, column) => (column === 0 ? 1 : k)),
    );
    expect([...product.values.slice(0, 2)]).toEqual([8515, 740_805]);
    expect([...product.values.slice(4)]).toEqual([8515 + 2 * 131, 740_805 + 2 * 8515]);
  });

  it('refuses shapes that do not fit', async () => {
    await expect(plainMultiply(zeros(2, 3), zeros(2, 3))).rejects.toThrow('3 columns and 2 rows');
  });
});

describe('symmetricProduct', () => {
  it('is the whole product, across panels of 128', async () => {
    const a = matrix(5, 300, (row, column) => Math.sin(row * 7 + column * 3));
    const whole = await plainMultiply(a, a, true);
    const panels = await symmetricProduct(a, a, plainMultiply);
    for (const [i, value] of panels.values.entries()) expect(value).toBeCloseTo(whole.values[i] ?? NaN, 12);
  });
});

it('transposeInPlace swaps across tiles of 32', () => {
  const a = matrix(70, 70, (row, column) => row * 100 + column);
  transposeInPlace(a);
  expect(a.values).toEqual(matrix(70, 70, (row, column) => column * 100 + row).values);
});

it('sumOfProducts is tr(aᵀ·b)', () => {
  expect(sumOfProducts(Float64Array.of(1, 2, 3), Float64Array.of(4, 5, 6))).toBe(32);
});
