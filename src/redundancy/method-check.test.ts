import { describe, expect, it } from 'vitest';
import { checkMethod } from './method-check';

describe('checkMethod', () => {
  it('finds R² of 0, 0.25, 0.5 and 0.9 within 0.02, controls not above 0, and the leak', async () => {
    const check = await checkMethod();
    const found = check.planted.map((one) => one.found);
    for (const [place, truth] of [0, 0.25, 0.5, 0.9].entries()) {
      expect(check.planted[place]?.truth).toBe(truth);
      expect(Math.abs((found[place] ?? NaN) - truth)).toBeLessThan(0.02);
      expect(check.planted[place]?.shuffled).toBeLessThan(0);
    }
    expect(check.leak.shuffled).toBeGreaterThan(0.9);
    expect(check).toMatchObject({ tolerance: 0.02, honest: true, leak: { caught: true }, pass: true });
  });

  it('is the same every time', async () => {
    expect(await checkMethod()).toEqual(await checkMethod());
  });
});
