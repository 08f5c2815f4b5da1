/** Checks of counts and sizes, by name. */

/** @throws RangeError when the value is no positive integer. */
export function requirePositive(name: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 1)
    throw new RangeError(`${name} = ${value} is no positive integer`);
}

/** @throws RangeError when the value is no whole number from 0 up. */
export function requireCount(name: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${name} = ${value} is no count`);
}

/**
 * A cache's size as it is, once it is known to be exact.
 * @throws RangeError above 2^53, where numbers are no longer exact.
 */
export function exactBytes(bytes: number): number {
  if (!Number.isSafeInteger(bytes)) throw new RangeError('the cache would take more than 2^53 bytes');
  return bytes;
}
