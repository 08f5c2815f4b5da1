/** The sum at the end of `npm test`, from reports cut out of real ones. */
import { expect, it } from 'vitest';
import { addTotals, formatTotals, totalsOf } from './totals';

const VITEST = {
  numTotalTests: 9,
  numPassedTests: 6,
  numFailedTests: 1,
  numPendingTests: 1,
  numTodoTests: 1,
};
const PLAYWRIGHT = {
  stats: { startTime: '2026-01-01', duration: 1, expected: 4, unexpected: 2, flaky: 1, skipped: 3 },
};

it('sums unit and browser tests into one line', () => {
  expect(formatTotals(addTotals(totalsOf(VITEST), totalsOf(PLAYWRIGHT)))).toBe(
    '11 passed, 3 failed, 5 skipped',
  );
});

it('refuses a report that it does not know', () => {
  expect(() => totalsOf({ passed: 3 })).toThrow();
});
