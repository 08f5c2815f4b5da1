/** NaN and infinity in an array, and how far two arrays are apart. */

/** The first element that is NaN or infinite; null when there is none. */
export function firstNonFinite(values: ArrayLike<number>): { index: number; value: number } | null {
  for (let index = 0; index < values.length; index++) {
    const value = values[index] as number;
    // NaN and the infinities are the only numbers for which this is not 0.
    if (value - value !== 0) return { index, value };
  }
  return null;
}

/**
 * Largest absolute difference of elements at the same place, 0 for empty arrays. Two NaN or two equal infinities
 * differ by 0; a NaN beside a number gives NaN, whatever follows, so that it is not overlooked.
 * @throws {RangeError} when the lengths differ.
 */
export function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) throw new RangeError(`${a.length} elements against ${b.length}`);
  let largest = 0;
  for (let i = 0; i < a.length; i++) {
    const [left, right] = [a[i] as number, b[i] as number];
    if (Object.is(left, right)) continue;
    const difference = Math.abs(left - right);
    if (Number.isNaN(difference)) return NaN;
    if (difference > largest) largest = difference;
  }
  return largest;
}
