/** Is a series of measurements flat? A straight line by least squares, and how sure its slope is. */

export interface Slope {
  /** Per unit of x. */
  slope: number;
  /** Half the width of the slope's 95 % confidence interval. */
  margin: number;
}

/** Points below which a line says nothing about its own error. */
const FEWEST_POINTS = 6;

/**
 * The line through points, by ordinary least squares. The margin is that of independent errors: where a series wanders, as
 * a collected heap does, the true one is wider.
 * @returns null with fewer than {@link FEWEST_POINTS} points, or with all at one x.
 */
export function slopeOf(points: readonly { x: number; y: number }[]): Slope | null {
  const n = points.length;
  if (n < FEWEST_POINTS) return null;
  const meanX = points.reduce((sum, { x }) => sum + x, 0) / n;
  const meanY = points.reduce((sum, { y }) => sum + y, 0) / n;
  let sxx = 0;
  let sxy = 0;
  for (const { x, y } of points) {
    sxx += (x - meanX) ** 2;
    sxy += (x - meanX) * (y - meanY);
  }
  if (sxx === 0) return null;
  const slope = sxy / sxx;
  const squares = points.reduce((sum, { x, y }) => sum + (y - meanY - slope * (x - meanX)) ** 2, 0);
  return { slope, margin: studentT(n - 2) * Math.sqrt(squares / (n - 2) / sxx) };
}

/**
 * Student's t for 95 %, two sides, by the first terms of its expansion in 1 / degrees of freedom around the normal 1.96
 * (Abramowitz and Stegun 26.7.5); off by less than 0.005 from 4 degrees on.
 */
export function studentT(degrees: number): number {
  const z = 1.959964;
  const terms = [
    z,
    (z ** 3 + z) / 4,
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96,
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384,
    (79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z) / 92_160,
  ];
  return terms.reduce((sum, term, power) => sum + term / degrees ** power, 0);
}

/** `flat`: growth of the limit or more is excluded. `grows`: growth below it is. `undecided`: the points do not tell. */
export type SlopeVerdict = 'flat' | 'grows' | 'undecided';

/**
 * @param limit The growth over `span` units of x that is not accepted.
 */
export function judgeSlope(
  slope: Slope | null,
  { limit, span }: { limit: number; span: number },
): SlopeVerdict {
  if (slope === null) return 'undecided';
  if ((slope.slope + slope.margin) * span < limit) return 'flat';
  return (slope.slope - slope.margin) * span > limit ? 'grows' : 'undecided';
}
