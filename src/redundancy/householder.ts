/** Householder reduction of a symmetric matrix to a tridiagonal one, in loops along rows. */
import type { Matrix } from './types';

/** A symmetric tridiagonal matrix and the reflections that lead to it. */
export interface Reduction {
  diagonal: Float64Array<ArrayBuffer>;
  /** off[i] stands beside diagonal[i] and diagonal[i + 1]. */
  off: Float64Array<ArrayBuffer>;
  /** Row k has, in its first k elements, the vector of reflection k (from 1); the rest is of no meaning. */
  vectors: Matrix;
  /** tau[k]: reflection k is I - tau[k]·v·vᵀ. */
  tau: Float64Array<ArrayBuffer>;
}

/**
 * Reduces `a` (n x n, symmetric, of which the lower triangle is read; it is overwritten). Rows go from the last up,
 * as in LAPACK's dsytd2 with UPLO = 'U' (Golub and Van Loan, Matrix Computations, 8.3.1), so that every inner loop is
 * along a row. The rank-2 update of one reflection and the product with the vector of the next are one pass over the
 * matrix, two rows at a time: it is read and written once per reflection, which is what the time goes to. 4/3 n³
 * operations.
 */
export function reduce(a: Matrix): Reduction {
  const n = a.rows;
  const A = a.values;
  const diagonal = new Float64Array(n);
  const off = new Float64Array(Math.max(0, n - 1));
  const tau = new Float64Array(n);
  // The update that is still to be made, A -= v·wᵀ + w·vᵀ, and the vector and product of this reflection.
  let v = new Float64Array(n);
  let w = new Float64Array(n);
  let u = new Float64Array(n);
  let p = new Float64Array(n);
  for (let k = n - 1; k > 0; k--) {
    const row = k * n;
    updateRow(A, row, k + 1, v, w, v[k] as number, w[k] as number);
    diagonal[k] = A[row + k] as number;
    const { beta, t } = reflect(A, row, k);
    off[k - 1] = beta;
    tau[k] = t;
    for (let j = 0; j < k; j++) u[j] = t === 0 ? 0 : (A[row + j] as number);
    p.fill(0, 0, k);
    updateAndMultiply(A, n, k, v, w, u, p);
    let dot = 0;
    for (let j = 0; j < k; j++) {
      p[j] = t * (p[j] as number);
      dot += (p[j] as number) * (u[j] as number);
    }
    const half = 0.5 * t * dot;
    for (let j = 0; j < k; j++) p[j] = (p[j] as number) - half * (u[j] as number);
    [v, u] = [u, v];
    [w, p] = [p, w];
  }
  if (n > 0) {
    updateRow(A, 0, 1, v, w, v[0] as number, w[0] as number);
    diagonal[0] = A[0] as number;
  }
  return { diagonal, off, vectors: a, tau };
}

/** The first `count` elements of a row -= vk·w + wk·v. */
function updateRow(
  A: Float64Array,
  row: number,
  count: number,
  v: Float64Array,
  w: Float64Array,
  vk: number,
  wk: number,
): void {
  for (let j = 0; j < count; j++)
    A[row + j] = (A[row + j] as number) - vk * (w[j] as number) - wk * (v[j] as number);
}

/**
 * Makes the first k elements of a row the vector of the reflection that turns them into (0, …, 0, beta); its last
 * element is 1. t is 0 where there is nothing to turn.
 */
function reflect(A: Float64Array, row: number, k: number): { beta: number; t: number } {
  let rest = 0;
  for (let j = 0; j < k - 1; j++) rest += (A[row + j] as number) ** 2;
  const alpha = A[row + k - 1] as number;
  if (rest === 0) return { beta: alpha, t: 0 };
  const norm = Math.sqrt(rest + alpha * alpha);
  const beta = alpha > 0 ? -norm : norm;
  const scale = 1 / (alpha - beta);
  for (let j = 0; j < k - 1; j++) A[row + j] = (A[row + j] as number) * scale;
  A[row + k - 1] = 1;
  return { beta, t: (beta - alpha) / beta };
}

/** For the lower triangle of the first m rows: A -= v·wᵀ + w·vᵀ, then p += A·u. */
function updateAndMultiply(
  A: Float64Array,
  n: number,
  m: number,
  v: Float64Array,
  w: Float64Array,
  u: Float64Array,
  p: Float64Array,
): void {
  let i = 0;
  for (; i + 2 <= m; i += 2) {
    const top = i * n;
    const low = top + n;
    const v0 = v[i] as number;
    const w0 = w[i] as number;
    const u0 = u[i] as number;
    const v1 = v[i + 1] as number;
    const w1 = w[i + 1] as number;
    const u1 = u[i + 1] as number;
    let sum0 = 0;
    let sum1 = 0;
    for (let j = 0; j < i; j++) {
      const vj = v[j] as number;
      const wj = w[j] as number;
      const uj = u[j] as number;
      const a0 = (A[top + j] as number) - v0 * wj - w0 * vj;
      const a1 = (A[low + j] as number) - v1 * wj - w1 * vj;
      A[top + j] = a0;
      A[low + j] = a1;
      sum0 += a0 * uj;
      sum1 += a1 * uj;
      p[j] = (p[j] as number) + a0 * u0 + a1 * u1;
    }
    // The corner of the two rows: a, and b c below it.
    const a = (A[top + i] as number) - 2 * v0 * w0;
    const b = (A[low + i] as number) - v1 * w0 - w1 * v0;
    const c = (A[low + i + 1] as number) - 2 * v1 * w1;
    A[top + i] = a;
    A[low + i] = b;
    A[low + i + 1] = c;
    p[i] = (p[i] as number) + sum0 + a * u0 + b * u1;
    p[i + 1] = (p[i + 1] as number) + sum1 + b * u0 + c * u1;
  }
  if (i === m) return;
  const row = i * n;
  updateRow(A, row, i + 1, v, w, v[i] as number, w[i] as number);
  const ui = u[i] as number;
  let sum = 0;
  for (let j = 0; j < i; j++) {
    const aij = A[row + j] as number;
    sum += aij * (u[j] as number);
    p[j] = (p[j] as number) + aij * ui;
  }
  p[i] = (p[i] as number) + sum + (A[row + i] as number) * ui;
}
