/**
 * `npm run verify:paper`: the whole first article in one command. Measures its tables in the built page, one after the other in one
 * headless browser, and compares every number with the article's. Tables on stdout, progress on stderr; exits 0 (all are the
 * article's and all checks pass), 1 (a number or a check is not) or 2 (a table could not be measured; one sentence says why).
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { recordJson } from '../src/record/export';
import { log, runCommand, type ExitCode } from './support/command';
import { startHeadless, type HeadlessLab } from './support/headless';
import { judge } from './support/judge';
import { differences, PAPER, PAPER_PARTS, paperTable, type PaperPartName } from './support/paper';
import { buildIfStale, serveBuild } from './support/site';

const USAGE = `npm run verify:paper -- [options]

Measures every table of the first article on cache twins and compares each number with the article's.

  --only LIST   some of ${PAPER_PARTS.join(',')}
  --json DIR    writes the record of each table into this folder
  --help        prints this

Exit code 0: every number is the article's. 1: one is not, or a check failed. 2: a table could not be measured.
`;

interface PaperOptions {
  only: readonly PaperPartName[];
  folder: string | null;
  help: boolean;
}

/** @throws Error with one sentence for an unknown option or part. */
function readOptions(args: string[]): PaperOptions {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args,
    options: { only: text, json: text, help: { type: 'boolean', default: false } },
  });
  const names = values.only?.split(',').map((name) => name.trim()) ?? PAPER_PARTS;
  const stranger = names.find((name) => !PAPER_PARTS.some((part) => part === name));
  if (stranger !== undefined)
    throw new Error(`--only knows no part “${stranger}”; use some of ${PAPER_PARTS.join(',')}.`);
  return {
    // In the article's order, whatever the order of the list.
    only: PAPER_PARTS.filter((part) => names.includes(part)),
    folder: values.json === undefined ? null : resolve(values.json),
    help: values.help,
  };
}

function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Measures one table, prints it and says how it went. */
async function verifyPart(
  name: PaperPartName,
  lab: HeadlessLab | null,
  folder: string | null,
): Promise<ExitCode> {
  const { title, query, rows } = PAPER[name];
  const startedAt = Date.now();
  const record = query === null || lab === null ? null : await lab.run(query);
  if (record !== null && folder !== null) writeFileSync(join(folder, `${name}.json`), recordJson(record));
  const found = rows(record);
  const different = differences(found).length;
  const { code, sentences } = record === null ? ({ code: 0, sentences: [] } as const) : judge(record, null);
  for (const sentence of sentences) log(sentence);
  const verdict = different > 0 ? `${different} numbers differ` : code > 0 ? 'a check failed' : 'ok';
  process.stdout.write(
    `${paperTable(title, found)}\n${name}: ${verdict}, ${duration(Date.now() - startedAt)}\n\n`,
  );
  return code === 2 ? 2 : different > 0 ? 1 : code;
}

async function verifyPaper({ only, folder, help }: PaperOptions): Promise<ExitCode> {
  if (help) {
    process.stdout.write(USAGE);
    return 0;
  }
  if (folder !== null) mkdirSync(folder, { recursive: true });
  const startedAt = Date.now();
  const measures = only.some((name) => PAPER[name].query !== null);
  if (measures) await buildIfStale(log);
  const site = measures ? await serveBuild({ port: 4183, strict: false }) : null;
  let lab: HeadlessLab | null = null;
  const codes: ExitCode[] = [];
  try {
    if (site !== null) lab = await startHeadless({ url: site.url, log });
    for (const name of only) codes.push(await verifyPart(name, lab, folder));
  } finally {
    await lab?.close();
    await site?.close();
  }
  const good = codes.filter((code) => code === 0).length;
  process.stdout.write(
    `${good} of ${codes.length} tables are the article’s, ${duration(Date.now() - startedAt)}\n`,
  );
  return codes.includes(1) ? 1 : codes.includes(2) ? 2 : 0;
}

await runCommand(() => verifyPaper(readOptions(process.argv.slice(2))));
