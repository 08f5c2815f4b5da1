/** Ridge regression from the sums of a training set, which is factorised once for all candidates and targets. */
import { type Centred, combine, difference, onlyRounding, squares, type Sums, variation } from './gram';
import { rowTimes, sumOfProducts, symmetricProduct, trace, transposeInPlace, zeros } from './matrix';
import { type Factors, factorise, rankOf, solveShifted } from './tridiagonal';
import type { Matrix, Multiply } from './types';

/** A training set's tokens of one source layer: its Gram matrix as Q·T·Qᵀ. */
export interface Training {
  factors: Factors;
  tokens: number;
  mean: Float64Array<ArrayBuffer>;
  /** Mean of the Gram matrix's diagonal, to which candidates are relative; 0 where the source varies by rounding alone. */
  scale: number;
}

/** @param parts Sums of the source with itself, one a block of the training set. */
export async function train(parts: readonly Sums[], multiply: Multiply): Promise<Training> {
  const { tokens, meanX, product } = combine(parts);
  const diagonal = trace(product) / product.rows;
  const variance = diagonal / tokens;
  const scale = onlyRounding(variance, variance + squares(meanX) / product.rows) ? 0 : diagonal;
  return { factors: await factorise(product, multiply), tokens, mean: meanX, scale };
}

/** Rank of the training set's Gram matrix. */
export function rankOfTraining({ factors }: Training): number {
  return rankOf(factors.t);
}

/** A target as a training set sees it. */
export interface Regression {
  training: Training;
  /** Means of the target's channels over the training set. */
  meanY: Float64Array<ArrayBuffer>;
  /** Qᵀ·(xᵀ·y). */
  turned: Matrix;
}

/** @param parts Sums of source and target, one a block of the training set. */
export async function regress(
  training: Training,
  parts: readonly Sums[],
  multiply: Multiply,
): Promise<Regression> {
  const { meanY, product } = combine(parts);
  return { training, meanY, turned: await multiply(training.factors.q, product, true) };
}

/** A block on which candidates are tried, in the basis of a training set. */
export interface TurnedBlock {
  tokens: number;
  /** Qᵀ·(its means of x - those of the training set). */
  shift: Float64Array<ArrayBuffer>;
  /** Qᵀ·(xᵀ·x)·Q. */
  gram: Matrix;
}

/** @param sumsXX Sums of the source with itself over the block. */
export async function turnBlock(training: Training, sumsXX: Sums, multiply: Multiply): Promise<TurnedBlock> {
  const { q } = training.factors;
  return {
    tokens: sumsXX.tokens,
    shift: rowTimes(difference(sumsXX.meanX, training.mean), q),
    gram: await symmetricProduct(q, await multiply(sumsXX.product, q), multiply),
  };
}

/** A block and what of a target belongs to it. */
export interface TriedBlock {
  block: TurnedBlock;
  /** Sums of source and target over the block. */
  sumsXY: Sums;
  /** Sum of squares of the target's centred values over the block; 0 where they vary by rounding alone (`variation`). */
  variance: number;
}

/**
 * R² of every candidate on every block, without making the weights W = Q·Z, Z = (T + lambda)⁻¹·C, C = Qᵀ·xᵀ·y of the
 * training set. With products over the block, centred by its own means, H = Qᵀ·xᵀx·Q, and d the differences of its
 * means to the training set's, the sum of squared errors is
 * tr(yᵀy) - 2·tr(Zᵀ·Qᵀ·xᵀy) + tr(H·(T + lambda)⁻¹·C·Cᵀ·(T + lambda)⁻¹) + tokens·|d_y - d_xᵀ·W|².
 * So a candidate takes solutions with T alone, and no product of matrices.
 * @returns [candidate][block]; null where the target does not vary.
 */
export async function scores(
  regression: Regression,
  tried: readonly TriedBlock[],
  lambdas: readonly number[],
  multiply: Multiply,
): Promise<(number | null)[][]> {
  const { training, turned } = regression;
  const { q, t } = training.factors;
  const squared = await outerSquare(turned, multiply);
  const cross: Matrix[] = [];
  for (const { sumsXY } of tried) cross.push(await multiply(q, sumsXY.product, true));
  return lambdas.map((lambda) => {
    const strength = strengthOf(training, lambda);
    if (strength === 0) return tried.map((one) => meanOnly(regression, one));
    const z = copy(turned);
    solveShifted(t, strength, z);
    const both = copy(squared);
    solveShifted(t, strength, both);
    transposeInPlace(both);
    solveShifted(t, strength, both);
    return tried.map(({ block, sumsXY, variance }, i) => {
      const offset = difference(difference(sumsXY.meanY, regression.meanY), rowTimes(block.shift, z));
      const errors =
        variance -
        2 * sumOfProducts(z.values, (cross[i] as Matrix).values) +
        sumOfProducts(block.gram.values, both.values) +
        block.tokens * squares(offset);
      return variance === 0 ? null : 1 - errors / variance;
    });
  });
}

/** C·Cᵀ. */
function outerSquare(c: Matrix, multiply: Multiply): Promise<Matrix> {
  const transposed = zeros(c.columns, c.rows);
  for (let row = 0; row < c.rows; row++)
    for (let column = 0; column < c.columns; column++)
      transposed.values[column * c.rows + row] = c.values[row * c.columns + column] as number;
  return symmetricProduct(transposed, transposed, multiply);
}

/** R² where no channel of the source varies and the prediction is the training set's mean. */
function meanOnly({ meanY }: Regression, { sumsXY, variance }: TriedBlock): number | null {
  return variance === 0 ? null : -(sumsXY.tokens * squares(difference(sumsXY.meanY, meanY))) / variance;
}

/** What is added to the Gram matrix's diagonal. */
function strengthOf(training: Training, lambda: number): number {
  return lambda * training.scale;
}

function copy({ rows, columns, values }: Matrix): Matrix {
  return { rows, columns, values: values.slice() };
}

/** A prediction of one block: centred, in float64, with the distance of its means. */
export interface Prediction {
  /** [tokens][channels of the target]: (x - mean of x over the block)·W. */
  rest: Matrix;
  /** Mean of the target over the block less that of the prediction. */
  offset: Float64Array<ArrayBuffer>;
}

/** Predicts a block of the source with one candidate. */
export async function predict(
  { training, meanY, turned }: Regression,
  x: Centred,
  blockMeanY: Float64Array,
  lambda: number,
  multiply: Multiply,
): Promise<Prediction> {
  const strength = strengthOf(training, lambda);
  const offset = difference(blockMeanY, meanY);
  if (strength === 0) return { rest: zeros(x.rest.rows, turned.columns), offset };
  const z = copy(turned);
  solveShifted(training.factors.t, strength, z);
  const weights = await multiply(training.factors.q, z);
  const shift = rowTimes(difference(x.mean, training.mean), weights);
  return { rest: await multiply(x.rest, weights), offset: difference(offset, shift) };
}

/**
 * R² of a prediction: 1 - (sum of squared errors)/(sum of squares of the target around its mean over the block), all
 * channels together.
 * @param y The block's target. @param order Token order[i] of the prediction is held against token i; null for the order it has.
 * @returns Null where the target does not vary.
 */
export function r2Of({ rest, offset }: Prediction, y: Centred, order: Uint32Array | null): number | null {
  const { rows, columns, values } = y.rest;
  let errors = 0;
  for (let token = 0; token < rows; token++) {
    const at = token * columns;
    const from = (order ? (order[token] as number) : token) * columns;
    for (let c = 0; c < columns; c++) {
      const error = (values[at + c] as number) - (rest.values[from + c] as number);
      errors += error * error;
    }
  }
  const variance = variation(y);
  return variance === 0 ? null : 1 - (errors + rows * squares(offset)) / variance;
}
