/**
 * `npm run bench`: measures our own speed, headless, in one run (cases: bench/cases). Table on stdout, progress on stderr; writes
 * bench/results.json and bench/results.md. Exits 0, 1 (a check failed) or 2 (could not run; one sentence says why).
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { CASES } from './bench/cases';
import { describeMachine } from './bench/machine';
import { markdown } from './bench/report';
import { runCases } from './bench/run-cases';
import { closeSite, DATA_FOLDER, openBenchPage, openProductPage } from './bench/site';
import type { Machine, Results } from './bench/types';
import { log, runCommand, type ExitCode } from './support/command';
import { ROOT } from './support/site';

const USAGE = `npm run bench -- [options]

  --only id,id   runs some of the cases: ${CASES.map(({ id }) => id).join(', ')}
  --quick        the smallest sizes and one turn, to see that the cases work; prints, and writes no results
  --help         prints this
`;
const FOLDER = join(ROOT, 'e2e/bench');

/** @throws Error for an id that no case has. */
function readOnly(text: string | undefined): string[] | null {
  if (text === undefined) return null;
  const ids = text.split(',').map((id) => id.trim());
  const unknown = ids.find((id) => !CASES.some((one) => one.id === id));
  if (unknown !== undefined)
    throw new Error(`--only ${unknown} is no case: ${CASES.map(({ id }) => id).join(', ')}.`);
  return ids;
}

/** The commit, with `+` where files were changed since; "unknown" outside a checkout. */
function commit(): string {
  const git = (...parameters: string[]): string =>
    execFileSync('git', parameters, {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  try {
    const changed = git('status', '--porcelain', '--untracked-files=no') !== '';
    return `${git('rev-parse', 'HEAD')}${changed ? '+' : ''}`;
  } catch {
    return 'unknown';
  }
}

/** Writes a file of results, laid out as the linter wants every file here. */
async function write(name: string, text: string): Promise<void> {
  const path = join(FOLDER, name);
  writeFileSync(path, await format(text, { ...(await resolveConfig(path)), filepath: path }));
}

async function machineHere(): Promise<Machine> {
  const bench = await openBenchPage(log);
  try {
    return await describeMachine(bench);
  } finally {
    await bench.close();
  }
}

async function bench(): Promise<ExitCode> {
  const { values } = parseArgs({
    options: { only: { type: 'string' }, quick: { type: 'boolean' }, help: { type: 'boolean' } },
  });
  if (values.help === true) {
    console.log(USAGE);
    return 0;
  }
  const only = readOnly(values.only);
  const quick = values.quick === true;
  try {
    const machine = await machineHere();
    const gathered = await runCases(CASES, only, {
      log,
      dataFolder: DATA_FOLDER,
      quick,
      openPage: () => openBenchPage(log),
      openProduct: () => openProductPage(log),
    });
    const results: Results = { machine, at: new Date().toISOString(), commit: commit(), ...gathered };
    if (!quick) {
      await write('results.json', JSON.stringify(results));
      await write('results.md', markdown(results));
    }
    console.log(markdown(results));
    return results.checks.every(({ pass }) => pass) ? 0 : 1;
  } finally {
    await closeSite();
  }
}

await runCommand(bench);
