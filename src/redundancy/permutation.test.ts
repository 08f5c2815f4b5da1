import { describe, expect, it } from 'vitest';
import { permutation } from './permutation';

describe('permutation', () => {
  it('has every token once', () => {
    expect([...permutation(1536, 7, 2)].toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 1536 }, (_, i) => i),
    );
    expect([...permutation(0, 7, 0)]).toEqual([]);
  });

  it('is the same for the same seed and document, and another for another', () => {
    expect(permutation(100, 7, 2)).toEqual(permutation(100, 7, 2));
    expect(permutation(100, 7, 2)).not.toEqual(permutation(100, 7, 3));
    expect(permutation(100, 7, 2)).not.toEqual(permutation(100, 8, 2));
  });

  it("stays what it was when it was first written: an old link's numbers come out again", () => {
    expect([...permutation(10, 0, 0)]).toEqual([9, 1, 6, 7, 0, 5, 3, 4, 8, 2]);
  });

  it('leaves about one token of all in its place, wherever it is', () => {
    let fixed = 0;
    for (let seed = 0; seed < 500; seed++)
      for (const [place, token] of permutation(20, seed, 1).entries()) if (place === token) fixed++;
    // Expected 500, with a deviation of 22.
    expect(fixed).toBeGreaterThan(400);
    expect(fixed).toBeLessThan(600);
  });
});
