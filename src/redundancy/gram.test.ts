import { describe, expect, it } from 'vitest';
import { centre, combine, sums } from './gram';
import { plainMultiply } from './matrix';

describe('centre', () => {
  it('takes every channel’s mean out', () => {
    const { mean, rest } = centre(Float32Array.of(1, 10, 3, 20, 5, 60), 2);
    expect([...mean]).toEqual([3, 30]);
    expect([...rest.values]).toEqual([-2, -20, 0, -10, 2, 30]);
  });

  it('leaves exactly nothing of a constant channel, whatever its value', () => {
    const { mean, rest } = centre(new Float32Array(999).fill(0.1), 3);
    expect(mean[1]).toBe(Math.fround(0.1));
    expect(rest.values.every((value) => value === 0)).toBe(true);
  });

  it('refuses a part of a token, and no token', () => {
    expect(() => centre(new Float32Array(5), 2)).toThrow('5 values');
    expect(() => centre(new Float32Array(0), 2)).toThrow('0 values');
  });
});

describe('combine', () => {
  it('is what the documents give when they are one, far from 0 too', async () => {
    // x 1 2 | 6 with y 2 6 | 10: means 3 and 6, so 14 for xᵀx and (-2)(-4) + (-1)(0) + 3·4 = 20 for xᵀy.
    const far = 2 ** 20;
    const one = [centre(Float32Array.of(far + 1, far + 2), 1), centre(Float32Array.of(2, 6), 1)] as const;
    const two = [centre(Float32Array.of(far + 6), 1), centre(Float32Array.of(10), 1)] as const;
    const xy = combine([await sums(...one, plainMultiply), await sums(...two, plainMultiply)]);
    expect(xy.tokens).toBe(3);
    expect(xy.meanX[0]).toBeCloseTo(far + 3, 9);
    expect(xy.meanY[0]).toBeCloseTo(6, 12);
    expect(xy.product.values[0]).toBeCloseTo(20, 9);
    const xx = combine([
      await sums(one[0], one[0], plainMultiply),
      await sums(two[0], two[0], plainMultiply),
    ]);
    expect(xx.product.values[0]).toBeCloseTo(14, 9);
  });
});
