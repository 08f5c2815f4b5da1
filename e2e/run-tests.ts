/** `npm test`: every stage in order, stopping at the first that fails; the last line sums up unit and browser tests, flaky ones are named before it. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './support/site';
import { addTotals, formatFlaky, formatTotals, NO_TESTS, readTotals, type Totals } from './support/totals';

const REPORTS = join(ROOT, '.cache/reports');
const UNIT_REPORT = join(REPORTS, 'unit.json');
/** Written by the JSON reporter that playwright.config.ts names. */
const E2E_REPORT = join(REPORTS, 'e2e.json');

interface Stage {
  name: string;
  command: string[];
  /** The JSON report that the stage writes, when it runs tests. */
  report?: string;
}

const STAGES: Stage[] = [
  { name: 'browser', command: ['npx', 'tsx', 'e2e/ensure-browser.ts'] },
  { name: 'types', command: ['npm', 'run', '--silent', 'typecheck'] },
  { name: 'lint', command: ['npm', 'run', '--silent', 'lint'] },
  {
    name: 'unit tests',
    command: [
      'npx',
      'vitest',
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${UNIT_REPORT}`,
    ],
    report: UNIT_REPORT,
  },
  { name: 'build', command: ['npm', 'run', '--silent', 'build'] },
  { name: 'browser tests', command: ['npx', 'playwright', 'test'], report: E2E_REPORT },
];

rmSync(REPORTS, { recursive: true, force: true });
mkdirSync(REPORTS, { recursive: true });

let totals: Totals = NO_TESTS;
let failedStage: string | null = null;
for (const [index, { name, command, report }] of STAGES.entries()) {
  const started = Date.now();
  console.log(`\n== ${index + 1} of ${STAGES.length}: ${name} (${command.slice(0, 4).join(' ')})`);
  const [program = '', ...args] = command;
  const status = spawnSync(program, args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] }).status;
  if (report !== undefined) totals = addTotals(totals, readTotals(report));
  if (status !== 0) {
    failedStage = name;
    // A stage can fail without a failed test (a file that does not load); the sum must still not read as a success.
    if (totals.failed === 0) totals = addTotals(totals, { ...NO_TESTS, failed: 1 });
    break;
  }
  console.log(`== ${name}: ok in ${Math.round((Date.now() - started) / 1000)} s`);
}

console.log(failedStage === null ? '\nAll stages passed.' : `\nStopped: the stage “${failedStage}” failed.`);
process.stdout.write(formatFlaky(totals));
console.log(formatTotals(totals));
process.exitCode = failedStage === null ? 0 : 1;
