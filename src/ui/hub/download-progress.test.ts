/** Progress of a download: whole percent within 0 and 100, and a time only when there is a speed. */
import { describe, expect, it } from 'vitest';
import { percentOf, remainingMs } from './download-progress';

describe('percentOf', () => {
  it.each([
    [0, 200, 0],
    [50, 200, 25],
    [199, 200, 99],
    [200, 200, 100],
    [300, 200, 100],
    [-1, 200, 0],
    [5, null, null],
    [0, 0, null],
    [Number.NaN, 200, null],
  ])('%s of %s is %s', (done, total, percent) => {
    expect(percentOf(done, total)).toBe(percent);
  });
});

describe('remainingMs', () => {
  it('goes on at the speed so far, what was stored before left out', () => {
    expect(remainingMs({ at: 1000, done: 500 }, { at: 5000, done: 1500 }, 2000)).toBe(2000);
  });

  it.each([
    ['before its speed has settled', { at: 1999, done: 10 }, 100],
    ['without a byte', { at: 5000, done: 0 }, 100],
    ['without a total', { at: 5000, done: 10 }, null],
  ] as const)('is unknown %s', (_, now, total) => {
    expect(remainingMs({ at: 0, done: 0 }, now, total)).toBeNull();
  });

  it('is never negative', () => {
    expect(remainingMs({ at: 0, done: 0 }, { at: 5000, done: 120 }, 100)).toBe(0);
  });
});
