/** Counts of tests, read from the JSON reports of Vitest and Playwright. */
import { existsSync, readFileSync } from 'node:fs';
import * as v from 'valibot';

export interface Totals {
  /** Those of `flaky` too. */
  passed: number;
  failed: number;
  skipped: number;
  /** File, line and title of each test that failed and passed when it was tried again. */
  flaky: string[];
}

export const NO_TESTS: Totals = { passed: 0, failed: 0, skipped: 0, flaky: [] };

/** Vitest's JSON reporter (Jest's format). */
const VitestReport = v.object({
  numPassedTests: v.number(),
  numFailedTests: v.number(),
  numPendingTests: v.number(),
  numTodoTests: v.number(),
});

interface Suite {
  specs: { file: string; line: number; title: string; tests: { status: string }[] }[];
  suites?: Suite[] | undefined;
}
const Suite: v.GenericSchema<Suite> = v.object({
  specs: v.array(
    v.object({
      file: v.string(),
      line: v.number(),
      title: v.string(),
      tests: v.array(v.object({ status: v.string() })),
    }),
  ),
  suites: v.optional(v.array(v.lazy(() => Suite))),
});

/** Playwright's JSON reporter. `flaky` tests passed on a retry. */
const PlaywrightReport = v.object({
  stats: v.object({ expected: v.number(), unexpected: v.number(), flaky: v.number(), skipped: v.number() }),
  suites: v.array(Suite),
});

/** Counts in a report's parsed JSON. @throws ValiError when it is neither Vitest's nor Playwright's. */
export function totalsOf(report: unknown): Totals {
  if (v.is(PlaywrightReport, report)) {
    const { expected, unexpected, flaky, skipped } = report.stats;
    return { passed: expected + flaky, failed: unexpected, skipped, flaky: report.suites.flatMap(flakyOf) };
  }
  const vitest = v.parse(VitestReport, report);
  return {
    passed: vitest.numPassedTests,
    failed: vitest.numFailedTests,
    skipped: vitest.numPendingTests + vitest.numTodoTests,
    flaky: [],
  };
}

function flakyOf({ specs, suites = [] }: Suite): string[] {
  const own = specs.filter(({ tests }) => tests.some(({ status }) => status === 'flaky'));
  return [...own.map(({ file, line, title }) => `${file}:${line} › ${title}`), ...suites.flatMap(flakyOf)];
}

/** Counts in a report file; zeros when the runner stopped before it wrote one. */
export function readTotals(path: string): Totals {
  return existsSync(path) ? totalsOf(JSON.parse(readFileSync(path, 'utf8'))) : NO_TESTS;
}

export function addTotals(a: Totals, b: Totals): Totals {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
    flaky: [...a.flaky, ...b.flaky],
  };
}

/** The lines before the last one of `npm test`: which tests passed only when tried again. Empty without any. */
export function formatFlaky({ flaky }: Totals): string {
  if (flaky.length === 0) return '';
  const lines = flaky.map((name) => `  ${name}\n`).join('');
  return `${flaky.length} flaky (failed, and passed when tried again; among the passed below):\n${lines}`;
}

/** The last line of `npm test`, in the form that readers of such lines know: nothing else may stand in it. */
export function formatTotals({ passed, failed, skipped }: Totals): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}
