/**
 * `npm run soak`: many seeded runs in one headless page, with cancels and faults, after which everything must be given back.
 * Tables on stdout, progress on stderr; exits 0, 1 (a problem, or memory that grows) or 2 (could not run; one sentence says why).
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright';
import { planSoak } from './soak/plan';
import { closingSentence, problemsOf, soakTables } from './soak/report';
import { runSoak } from './soak/run-soak';
import { findChromium, launchOptions } from './support/chromium';
import { log, outputFile, runCommand, type ExitCode } from './support/command';
import { buildIfStale, serveBuild } from './support/site';

const USAGE = `npm run soak -- [options]

Runs a seeded sequence of recipes in one page of the build, headless, without a reload: models, experiments, backends,
allocator modes, cancels and faults. A run that was disturbed is followed by a plain one.

  --runs N     how many; 200 unless given
  --seed N     another sequence; 1 unless given
  --minutes N  ends after the first control behind so many minutes
  --json FILE  writes all runs and samples
  --help       prints this

Exit code 0: nothing is left behind and no memory grows. 1: a run had a problem, or a memory grows. 2: it could not run.
`;

/** @throws Error with one sentence for what is no integer from 1 to 100,000. */
function count(option: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new Error(`--${option} ${text} is no number from 1 to 99999.`);
  return Number(text);
}

async function soak(): Promise<ExitCode> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    options: { runs: text, seed: text, minutes: text, json: text, help: { type: 'boolean', default: false } },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const plan = planSoak({ runs: count('runs', values.runs, 200), seed: count('seed', values.seed, 1) });
  const minutes = count('minutes', values.minutes, Infinity);
  const json = outputFile('json', values.json);
  if (findChromium() === null)
    throw new Error('There is no Chromium: install one, or name it in CHROMIUM_PATH.');
  await buildIfStale(log);
  const site = await serveBuild({ port: 4193, strict: false });
  const browser = await chromium.launch(launchOptions());
  try {
    const until = Date.now() + minutes * 60_000;
    const result = await runSoak({ browser, page: await browser.newPage(), url: site.url }, plan, {
      log,
      until,
    });
    process.stdout.write(`${soakTables(result)}\n`);
    if (json !== null) writeFileSync(json, `${JSON.stringify(result, null, 1)}\n`);
    const problems = problemsOf(result);
    for (const problem of problems) log(problem);
    log(closingSentence(result));
    return problems.length === 0 ? 0 : 1;
  } finally {
    await browser.close();
    await site.close();
  }
}

await runCommand(soak);
