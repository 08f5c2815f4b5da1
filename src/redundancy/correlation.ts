/** Correlation of channels that have the same number, and channels that never change. */
import { onlyRounding } from './gram';

/** Which channels have one value, but for rounding, in all tokens of all documents ([tokens][channels] each). */
export function constantChannels(documents: readonly Float32Array[], channels: number): boolean[] {
  const mean = pooledMean(documents, channels);
  const [around, square] = [new Float64Array(channels), new Float64Array(channels)];
  for (const values of documents)
    for (let at = 0; at < values.length; at += channels)
      for (let c = 0; c < channels; c++) {
        const value = values[at + c] as number;
        const off = value - (mean[c] as number);
        around[c] = (around[c] as number) + off * off;
        square[c] = (square[c] as number) + value * value;
      }
  return Array.from(around, (sum, c) => onlyRounding(sum, square[c] as number));
}

/**
 * Median over channels of |Pearson's correlation| of channel c of x with channel c of y, over the tokens of all
 * documents together. Channels that are constant in either have none and are left out.
 * @returns Null when no channel is left.
 */
export function channelCorrelation(
  x: readonly Float32Array[],
  y: readonly Float32Array[],
  channels: number,
): number | null {
  const meanX = pooledMean(x, channels);
  const meanY = pooledMean(y, channels);
  const [xx, yy, xy] = [new Float64Array(channels), new Float64Array(channels), new Float64Array(channels)];
  for (const [document, left] of x.entries()) {
    const right = y[document] as Float32Array;
    for (let at = 0; at < left.length; at += channels)
      for (let c = 0; c < channels; c++) {
        const dx = (left[at + c] as number) - (meanX[c] as number);
        const dy = (right[at + c] as number) - (meanY[c] as number);
        xx[c] = (xx[c] as number) + dx * dx;
        yy[c] = (yy[c] as number) + dy * dy;
        xy[c] = (xy[c] as number) + dx * dy;
      }
  }
  const [constantX, constantY] = [constantChannels(x, channels), constantChannels(y, channels)];
  const found: number[] = [];
  for (let c = 0; c < channels; c++)
    if (constantX[c] === false && constantY[c] === false)
      found.push(Math.abs((xy[c] as number) / Math.sqrt((xx[c] as number) * (yy[c] as number))));
  return median(found);
}

function pooledMean(documents: readonly Float32Array[], channels: number): Float64Array {
  const sum = new Float64Array(channels);
  let tokens = 0;
  for (const values of documents) {
    tokens += values.length / channels;
    for (let at = 0; at < values.length; at += channels)
      for (let c = 0; c < channels; c++) sum[c] = (sum[c] as number) + (values[at + c] as number);
  }
  return sum.map((value) => value / tokens);
}

/** The middle value, or the mean of the two in the middle; null of nothing. */
export function median(values: readonly number[]): number | null {
  const sorted = Float64Array.from(values).sort();
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle];
  if (upper === undefined) return null;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}
