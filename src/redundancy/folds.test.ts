import { describe, expect, it } from 'vitest';
import { foldsOf } from './folds';

describe('foldsOf', () => {
  it('documents: each is the test once; six pairs of four are trained on, each tried on the other two', () => {
    const { blocks, folds, trials } = foldsOf('documents', [10, 20, 30, 40]);
    expect(blocks[2]).toEqual({ document: 2, from: 0, to: 30 });
    expect(folds[1]).toEqual({
      train: [0, 2, 3],
      test: 1,
      inner: [
        { train: [2, 3], test: 0 },
        { train: [0, 3], test: 2 },
        { train: [0, 2], test: 3 },
      ],
    });
    expect(folds.map(({ test }) => test)).toEqual([0, 1, 2, 3]);
    expect(trials).toHaveLength(6);
    expect(trials).toContainEqual({ train: [0, 3], tests: [2, 1] });
    // No test is ever trained on.
    for (const { train, tests } of trials) expect(tests.some((test) => train.includes(test))).toBe(false);
  });

  it('halves: the first half is trained on, the rest is the test, and nothing is chosen', () => {
    const { blocks, folds, trials } = foldsOf('halves', [10, 7]);
    expect(blocks.slice(2)).toEqual([
      { document: 1, from: 0, to: 3 },
      { document: 1, from: 3, to: 7 },
    ]);
    expect(folds).toEqual([
      { train: [0], test: 1, inner: [] },
      { train: [2], test: 3, inner: [] },
    ]);
    expect(trials).toEqual([]);
  });

  it('refuses what cannot be split', () => {
    expect(() => foldsOf('documents', [10, 10])).toThrow('2 documents');
    expect(() => foldsOf('halves', [10, 1])).toThrow('document 1 has 1 tokens');
  });
});
