/** Dense float64 matrices, row by row: making them, a product in plain loops, sums over them. */
import type { Matrix, Multiply } from './types';

/** A matrix of zeros. */
export function zeros(rows: number, columns: number): Matrix {
  return { rows, columns, values: new Float64Array(rows * columns) };
}

/** The identity of `size` x `size`, with `inner` (square, not larger) in its upper left corner. */
export function identityAround(inner: Matrix, size: number): Matrix {
  const out = zeros(size, size);
  for (let row = 0; row < inner.rows; row++) {
    const at = row * inner.columns;
    out.values.set(inner.values.subarray(at, at + inner.columns), row * size);
  }
  for (let row = inner.rows; row < size; row++) out.values[row * size + row] = 1;
  return out;
}

/** Rows of `b` that are kept in the cache while every row of the product passes over them. */
const BLOCK = 64;

/**
 * a·b, or aᵀ·b, in plain loops: for tests, and for small matrices. Every inner loop runs along rows, four of them at
 * once.
 * @throws {RangeError} when the shapes do not fit.
 */
export const plainMultiply: Multiply = (a, b, transposeA = false) => {
  const rows = transposeA ? a.columns : a.rows;
  const depth = transposeA ? a.rows : a.columns;
  if (depth !== b.rows)
    return Promise.reject(new RangeError(`a product of ${depth} columns and ${b.rows} rows is none`));
  const out = zeros(rows, b.columns);
  const step = transposeA ? a.columns : 1;
  const stride = transposeA ? 1 : a.columns;
  for (let from = 0; from < depth; from += BLOCK) {
    const to = Math.min(from + BLOCK, depth);
    for (let row = 0; row < rows; row++) addRow(out, row, a.values, row * stride, step, b, from, to);
  }
  return Promise.resolve(out);
};

/** Adds rows `from` to `to` of `b`, weighted by a's elements at `at` + k·`step`, to one row of `out`. */
function addRow(
  out: Matrix,
  row: number,
  a: Float64Array,
  at: number,
  step: number,
  b: Matrix,
  from: number,
  to: number,
): void {
  const n = b.columns;
  const target = out.values.subarray(row * n, (row + 1) * n);
  let k = from;
  for (; k + 4 <= to; k += 4) {
    const w0 = a[at + k * step] as number;
    const w1 = a[at + (k + 1) * step] as number;
    const w2 = a[at + (k + 2) * step] as number;
    const w3 = a[at + (k + 3) * step] as number;
    const b0 = b.values.subarray(k * n, (k + 1) * n);
    const b1 = b.values.subarray((k + 1) * n, (k + 2) * n);
    const b2 = b.values.subarray((k + 2) * n, (k + 3) * n);
    const b3 = b.values.subarray((k + 3) * n, (k + 4) * n);
    for (let j = 0; j < n; j++)
      target[j] =
        (target[j] as number) +
        (w0 * (b0[j] as number) + w1 * (b1[j] as number) + w2 * (b2[j] as number) + w3 * (b3[j] as number));
  }
  for (; k < to; k++) {
    const weight = a[at + k * step] as number;
    const source = b.values.subarray(k * n, (k + 1) * n);
    for (let j = 0; j < n; j++) target[j] = (target[j] as number) + weight * (source[j] as number);
  }
}

/** Columns of a symmetric product that are made at a time. */
const PANEL = 128;

/**
 * aᵀ·b where that is known to be symmetric (b is a, or a symmetric matrix times a): panels of columns, each down to
 * the diagonal, and the rest is mirrored. 5/8 of the work at 4 panels.
 */
export async function symmetricProduct(a: Matrix, b: Matrix, multiply: Multiply): Promise<Matrix> {
  const n = b.columns;
  if (n <= PANEL) return multiply(a, b, true);
  const out = zeros(n, n);
  for (let from = 0; from < n; from += PANEL) {
    const to = Math.min(from + PANEL, n);
    const panel = await multiply(columnsOf(a, 0, to), columnsOf(b, from, to), true);
    for (let row = 0; row < to; row++)
      for (let column = Math.max(row, from); column < to; column++) {
        const value = panel.values[row * (to - from) + column - from] as number;
        out.values[row * n + column] = value;
        out.values[column * n + row] = value;
      }
  }
  return out;
}

/** Columns `from` to `to`, as a matrix of their own. */
function columnsOf(a: Matrix, from: number, to: number): Matrix {
  if (from === 0 && to === a.columns) return a;
  const out = zeros(a.rows, to - from);
  for (let row = 0; row < a.rows; row++)
    out.values.set(a.values.subarray(row * a.columns + from, row * a.columns + to), row * out.columns);
  return out;
}

/** Sum of the products of elements at the same place: tr(aᵀ·b). */
export function sumOfProducts(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}

/** Sum of the diagonal. */
export function trace(a: Matrix): number {
  let sum = 0;
  for (let i = 0; i < a.rows; i++) sum += a.values[i * a.columns + i] as number;
  return sum;
}

/** target += scale·source, element by element. */
export function addScaled(target: Float64Array, source: Float64Array, scale: number): void {
  for (let i = 0; i < target.length; i++) target[i] = (target[i] as number) + scale * (source[i] as number);
}

/** target += scale·left·rightᵀ, for a target of [left][right]. */
export function addOuter(target: Matrix, left: Float64Array, right: Float64Array, scale: number): void {
  for (let row = 0; row < target.rows; row++) {
    const weight = scale * (left[row] as number);
    if (weight === 0) continue;
    const at = row * target.columns;
    for (let j = 0; j < target.columns; j++)
      target.values[at + j] = (target.values[at + j] as number) + weight * (right[j] as number);
  }
}

/** left·a, for a vector of as many elements as `a` has rows. */
export function rowTimes(left: Float64Array, a: Matrix): Float64Array<ArrayBuffer> {
  const out = new Float64Array(a.columns);
  for (let row = 0; row < a.rows; row++) {
    const weight = left[row] as number;
    if (weight === 0) continue;
    const at = row * a.columns;
    for (let j = 0; j < a.columns; j++) out[j] = (out[j] as number) + weight * (a.values[at + j] as number);
  }
  return out;
}

/** Edge of the squares that are swapped at a time, so that both stay in the cache. */
const TILE = 32;

/** Turns a square matrix into its transpose, in place. */
export function transposeInPlace(a: Matrix): void {
  const n = a.rows;
  const v = a.values;
  for (let top = 0; top < n; top += TILE)
    for (let left = 0; left <= top; left += TILE)
      for (let row = top; row < Math.min(top + TILE, n); row++)
        for (let column = left; column < Math.min(left + TILE, row); column++) {
          const here = v[row * n + column] as number;
          v[row * n + column] = v[column * n + row] as number;
          v[column * n + row] = here;
        }
}
