/** Counts of tests, read from the JSON reports of Vitest and Playwright. */
import { existsSync, readFileSync } from 'node:fs';
import * as v from 'valibot';

export interface Totals {
  passed: number;
  failed: number;
  skipped: number;
}

export const NO_TESTS: Totals = { passed: 0, failed: 0, skipped: 0 };

/** Vitest's JSON reporter (Jest's format). */
const VitestReport = v.object({
  numPassedTests: v.number(),
  numFailedTests: v.number(),
  numPendingTests: v.number(),
  numTodoTests: v.number(),
});

/** Playwright's JSON reporter. `flaky` tests passed on a retry. */
const PlaywrightReport = v.object({
  stats: v.object({ expected: v.number(), unexpected: v.number(), flaky: v.number(), skipped: v.number() }),
});

/** Counts in a report's parsed JSON. @throws ValiError when it is neither Vitest's nor Playwright's. */
export function totalsOf(report: unknown): Totals {
  if (v.is(PlaywrightReport, report)) {
    const { expected, unexpected, flaky, skipped } = report.stats;
    return { passed: expected + flaky, failed: unexpected, skipped };
  }
  const vitest = v.parse(VitestReport, report);
  return {
    passed: vitest.numPassedTests,
    failed: vitest.numFailedTests,
    skipped: vitest.numPendingTests + vitest.numTodoTests,
  };
}

/** Counts in a report file; zeros when the runner stopped before it wrote one. */
export function readTotals(path: string): Totals {
  return existsSync(path) ? totalsOf(JSON.parse(readFileSync(path, 'utf8'))) : NO_TESTS;
}

export function addTotals(a: Totals, b: Totals): Totals {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped };
}

/** The last line of `npm test`. */
export function formatTotals({ passed, failed, skipped }: Totals): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}
