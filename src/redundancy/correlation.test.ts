import { describe, expect, it } from 'vitest';
import { channelCorrelation, constantChannels, median } from './correlation';

describe('channelCorrelation', () => {
  // Channel by channel over both documents: x 1 2 3 4 with y 2 4 6 8 is 1; with y 1 3 2 4 it is 0.8; falling, -1.
  const x = [Float32Array.of(1, 1, 1, 2, 2, 2), Float32Array.of(3, 3, 3, 4, 4, 4)];

  it('is the median of absolute correlations over all documents together', () => {
    const y = [Float32Array.of(2, 1, 1, 4, 3, 1), Float32Array.of(6, 2, 0, 8, 4, 0)];
    // 1, 0.8 and |-2/sqrt(5)| = 0.8944.
    expect(channelCorrelation(x, y, 3)).toBeCloseTo(2 / Math.sqrt(5), 12);
  });

  it('leaves constant channels of either layer out', () => {
    const y = [Float32Array.of(5, 1, -1, 5, 3, -2), Float32Array.of(5, 2, -3, 5, 4, -4)];
    expect(channelCorrelation(x, y, 3)).toBeCloseTo(0.9, 12);
    expect(channelCorrelation(y, x, 3)).toBeCloseTo(0.9, 12);
    expect(channelCorrelation([new Float32Array(6)], [Float32Array.of(1, 2, 3, 4, 5, 6)], 3)).toBeNull();
  });
});

describe('constantChannels', () => {
  it('looks at all documents: constant in each is not constant', () => {
    expect(constantChannels([Float32Array.of(1, 2, 1, 2), Float32Array.of(1, 3)], 2)).toEqual([true, false]);
  });

  it('takes a last bit of float32 for rounding, and a hundredth of a thousandth for a change', () => {
    // 1 + 2^-23 is float32's next number above 1.
    const values = [Float32Array.of(1, 1, 1 + 2 ** -23, 1.00001)];
    expect(constantChannels(values, 2)).toEqual([true, false]);
  });
});

describe('median', () => {
  it.each([
    [[3, 1, 10], 3],
    [[4, 1, 10, 2], 3],
    [[], null],
  ])('of %j is %s', (values, middle) => {
    expect(median(values)).toBe(middle);
  });
});
