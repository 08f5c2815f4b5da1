import { describe, expect, it } from 'vitest';
import { firstNonFinite, largestDifference } from './finite';

describe('firstNonFinite', () => {
  it.each([
    [[1, NaN, Infinity], { index: 1, value: NaN }],
    [[0, -0, 3e38, -Infinity], { index: 3, value: -Infinity }],
    [[1e-45, 2, 3], null],
    [[], null],
  ])('%j', (values, found) => {
    expect(firstNonFinite(Float32Array.from(values))).toEqual(found);
  });
});

describe('largestDifference', () => {
  it('is the largest absolute one', () => {
    expect(largestDifference([1, -4, 2], [1.5, 3, 2])).toBe(7);
    expect(largestDifference(Float32Array.of(NaN, Infinity, 1), Float32Array.of(NaN, Infinity, 1))).toBe(0);
    expect(largestDifference([], [])).toBe(0);
  });

  it('does not pass over a NaN', () => {
    expect(largestDifference([1, NaN, 3], [1, 2, 9])).toBeNaN();
    expect(largestDifference([1, 2], [1, -Infinity])).toBe(Infinity);
  });

  it('wants arrays of the same length', () => {
    expect(() => largestDifference([1], [1, 2])).toThrow('1 elements against 2');
  });
});
