/** Fits a power law: how fast a cost grows with a size. */

export interface PowerLaw {
  /** The slope in log-log: 1 where twice the size costs twice as much, 2 where it costs four times as much. */
  exponent: number;
  /** Share of the variance of log cost that the line explains. */
  r2: number;
}

/**
 * Least squares of log y on log x.
 * @param points Sizes and costs, all above 0.
 * @throws RangeError for fewer than three points: two always lie on a line, so that r2 would say nothing.
 */
export function fitPowerLaw(points: readonly { x: number; y: number }[]): PowerLaw {
  if (points.length < 3) throw new RangeError('a power law is fitted to three points or more');
  const xs = points.map(({ x }) => Math.log(x));
  const ys = points.map(({ y }) => Math.log(y));
  const [meanX, meanY] = [mean(xs), mean(ys)];
  let [xx, xy, yy] = [0, 0, 0];
  for (const [i, x] of xs.entries()) {
    const dx = x - meanX;
    const dy = (ys[i] ?? NaN) - meanY;
    xx += dx * dx;
    xy += dx * dy;
    yy += dy * dy;
  }
  return { exponent: xy / xx, r2: xy ** 2 / (xx * yy) };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
