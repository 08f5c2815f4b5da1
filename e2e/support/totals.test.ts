/** The sum at the end of `npm test`, from reports cut out of real ones. */
import { expect, it } from 'vitest';
import { addTotals, formatFlaky, formatTotals, totalsOf } from './totals';

const VITEST = {
  numTotalTests: 9,
  numPassedTests: 6,
  numFailedTests: 1,
  numPendingTests: 1,
  numTodoTests: 1,
};
const PLAYWRIGHT = {
  stats: { startTime: '2026-01-01', duration: 1, expected: 4, unexpected: 2, flaky: 1, skipped: 3 },
  suites: [
    {
      title: 'hub.spec.ts',
      specs: [{ file: 'hub.spec.ts', line: 7, title: 'is fine', tests: [{ status: 'expected' }] }],
      suites: [
        {
          title: 'a group',
          specs: [{ file: 'hub.spec.ts', line: 9, title: 'is shaky', tests: [{ status: 'flaky' }] }],
        },
      ],
    },
  ],
};

it('sums unit and browser tests into one line', () => {
  expect(formatTotals(addTotals(totalsOf(VITEST), totalsOf(PLAYWRIGHT)))).toBe(
    '11 passed, 3 failed, 5 skipped',
  );
});

it('names flaky tests, which are counted as passed', () => {
  expect(formatFlaky(totalsOf(PLAYWRIGHT))).toBe(
    '1 flaky (failed, and passed when tried again; among the passed below):\n  hub.spec.ts:9 › is shaky\n',
  );
  expect(formatFlaky(totalsOf(VITEST))).toBe('');
});

it('refuses a report that it does not know', () => {
  expect(() => totalsOf({ passed: 3 })).toThrow();
});
