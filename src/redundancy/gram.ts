/** What of a document's keys or values ridge regression needs: means, and products of what is left without them. */
import { addOuter, addScaled, symmetricProduct, zeros } from './matrix';
import type { Matrix, Multiply } from './types';

/** Some tokens of one layer, with the channels' means over them taken out. */
export interface Centred {
  mean: Float64Array<ArrayBuffer>;
  /** [tokens][channels]; the sum of every channel is 0. */
  rest: Matrix;
}

/**
 * Takes the means out first, in float64, so that no product is a small difference of large sums. A channel that is
 * constant becomes exactly 0.
 * @param values [tokens][channels], row by row. @throws {RangeError} when they are no whole number of tokens.
 */
export function centre(values: Float32Array, channels: number): Centred {
  const tokens = values.length / channels;
  if (!Number.isInteger(tokens) || tokens === 0)
    throw new RangeError(`${values.length} values are no whole number of tokens of ${channels} channels`);
  const mean = means(values, channels);
  const rest = zeros(tokens, channels);
  for (let token = 0; token < tokens; token++) {
    const at = token * channels;
    for (let c = 0; c < channels; c++) rest.values[at + c] = (values[at + c] as number) - (mean[c] as number);
  }
  return { mean, rest };
}

/** Mean of every channel. Summed as differences from the first token, so that the mean of equal values is that value. */
function means(values: Float32Array, channels: number): Float64Array<ArrayBuffer> {
  const mean = new Float64Array(channels);
  for (let at = 0; at < values.length; at += channels)
    for (let c = 0; c < channels; c++)
      mean[c] = (mean[c] as number) + ((values[at + c] as number) - (values[c] as number));
  const tokens = values.length / channels;
  for (let c = 0; c < channels; c++) mean[c] = (mean[c] as number) / tokens + (values[c] as number);
  return mean;
}

/** Sums over some tokens of a pair of layers x and y (the same layer twice for a Gram matrix), means taken out. */
export interface Sums {
  tokens: number;
  meanX: Float64Array<ArrayBuffer>;
  meanY: Float64Array<ArrayBuffer>;
  /** xᵀ·y, [channels of x][channels of y]. */
  product: Matrix;
}

/** The sums of one document. */
export async function sums(x: Centred, y: Centred, multiply: Multiply): Promise<Sums> {
  return {
    tokens: x.rest.rows,
    meanX: x.mean,
    meanY: y.mean,
    product: await (x === y ? symmetricProduct(x.rest, x.rest, multiply) : multiply(x.rest, y.rest, true)),
  };
}

/**
 * The sums of several documents together, with the means of all their tokens taken out instead of their own: to the
 * products of each comes tokens·(its mean of x - mean of x)·(its mean of y - mean of y)ᵀ.
 */
export function combine(parts: readonly Sums[]): Sums {
  const [first] = parts;
  if (!first) throw new RangeError('no document to combine');
  const tokens = parts.reduce((sum, part) => sum + part.tokens, 0);
  const meanX = weightedMean(parts, tokens, (part) => part.meanX);
  const meanY = weightedMean(parts, tokens, (part) => part.meanY);
  const product = zeros(first.product.rows, first.product.columns);
  for (const part of parts) {
    addScaled(product.values, part.product.values, 1);
    addOuter(product, difference(part.meanX, meanX), difference(part.meanY, meanY), part.tokens);
  }
  return { tokens, meanX, meanY, product };
}

function weightedMean(parts: readonly Sums[], tokens: number, of: (part: Sums) => Float64Array) {
  const mean = new Float64Array(of(parts[0] as Sums).length);
  // As in `means`: the mean of equal values is that value.
  const base = of(parts[0] as Sums);
  for (const part of parts) addScaled(mean, difference(of(part), base), part.tokens / tokens);
  addScaled(mean, base, 1);
  return mean;
}

/** a - b. */
export function difference(a: Float64Array, b: Float64Array): Float64Array<ArrayBuffer> {
  const out = new Float64Array(a.length);
  for (let i = 0; i < a.length; i++) out[i] = (a[i] as number) - (b[i] as number);
  return out;
}

/**
 * Standard deviation, as a share of the root mean square, up to which values differ by the rounding of float32 alone:
 * a sum over some hundred equal tokens is off by about 1e-6. Values of a model that differ do so by far more.
 */
const ROUNDING = 1e-6;

/** Whether values with this variance and this mean square differ by rounding alone, or not at all. */
export function onlyRounding(variance: number, meanSquare: number): boolean {
  return variance <= ROUNDING ** 2 * meanSquare;
}

/** Sum of squares around the channels' means; 0 where all that is left is rounding, and nothing can be predicted. */
export function variation({ mean, rest }: Centred): number {
  const sum = squares(rest.values);
  const variance = sum / (rest.rows * rest.columns);
  return onlyRounding(variance, variance + squares(mean) / rest.columns) ? 0 : sum;
}

/** Sum of squares: the variance of a centred matrix times its tokens. */
export function squares(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value * value;
  return sum;
}
