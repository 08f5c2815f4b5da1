/**
 * `npm run merge -- a.json b.json …`: one record of several that `verify --json` or the page wrote, of the parts of a plan or of
 * several machines. Table on stdout; exits as `verify` does: 0 (all checks pass), 1 (a check failed) or 2 (not merged, or
 * parts are missing; one sentence says why).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { mergeRecords } from '../src/experiments/merge';
import type { LabRecord } from '../src/protocol/record';
import { parseRecordText } from '../src/protocol/schemas';
import { recordJson, recordMarkdown } from '../src/record/export';
import { log, outputFile, runCommand, type ExitCode } from './support/command';
import { judge } from './support/judge';

const USAGE = `npm run merge -- a.json b.json … [options]

Makes one record of the records of a plan's parts (npm run verify -- --shard 1/2 --json a.json), or of several machines.
All must have the same recipe. The table goes to stdout.

  --json FILE      writes the merged record
  --markdown FILE  writes the table
  --help           prints this

Exit code 0: all checks pass. 1: a check failed, such as two records that differ in a point that both measured.
2: they could not be merged, or a part of the plan is missing, and one sentence says so.
`;

/** @throws Error with one sentence that names the file. */
function readRecord(path: string): LabRecord {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const reason = missing ? 'there is no such file' : String(error);
    throw new Error(`${path} cannot be read: ${reason}.`, { cause: error });
  }
  try {
    return parseRecordText(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${path}: ${reason}`, { cause: error });
  }
}

function merge(args: string[]): ExitCode {
  const text = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { json: text, markdown: text, help: { type: 'boolean' } },
  });
  if (values.help === true) {
    process.stdout.write(USAGE);
    return 0;
  }
  const json = outputFile('json', values.json);
  const markdown = outputFile('markdown', values.markdown);
  if (positionals.length === 0) throw new Error('Name the records to merge: npm run merge -- a.json b.json');
  const record = mergeRecords(positionals.map(readRecord), positionals);
  process.stdout.write(`${recordMarkdown(record)}\n`);
  if (json !== null) writeFileSync(json, recordJson(record));
  if (markdown !== null) writeFileSync(markdown, recordMarkdown(record));
  const { code, sentences } = judge(record, null);
  for (const sentence of sentences) log(sentence);
  return code;
}

await runCommand(() => merge(process.argv.slice(2)));
