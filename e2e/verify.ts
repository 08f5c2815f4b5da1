/**
 * `npm run verify`: runs a recipe in the built page, headless (options: support/verify-options.ts). Table on stdout, progress
 * on stderr; exits 0 (all checks pass), 1 (a check failed, or the results in the link differ) or 2 (could not run; one
 * sentence says why).
 */
import { writeFileSync } from 'node:fs';
import { describeFault } from '../src/protocol/faults';
import { parseRecipe } from '../src/protocol/options';
import { compareResults } from '../src/record/compare';
import { recordJson, recordMarkdown } from '../src/record/export';
import { decodeResults } from '../src/record/link';
import { log, runCommand, type ExitCode } from './support/command';
import { startHeadless } from './support/headless';
import { judge } from './support/judge';
import { buildIfStale, serveBuild } from './support/site';
import {
  readVerifyOptions,
  refuseOwnTexts,
  VERIFY_USAGE,
  type VerifyOptions,
} from './support/verify-options';

/** Refuses a bad recipe before anything is built; names options that will be ignored. */
function checkRecipe(query: string): void {
  const { faults, notices } = parseRecipe(new URLSearchParams(query));
  for (const notice of notices) log(describeFault(notice));
  if (faults[0]) throw new Error(describeFault(faults[0]));
}

async function verify(options: VerifyOptions): Promise<ExitCode> {
  if (options.help) {
    process.stdout.write(VERIFY_USAGE);
    return 0;
  }
  // A deployed page may be newer than this checkout, so it judges its recipe itself.
  if (options.url === null) checkRecipe(options.query);
  refuseOwnTexts(options.query);
  const expected = options.hash.startsWith('#r=') ? await decodeResults(options.hash) : null;
  let close = (): Promise<void> => Promise.resolve();
  let url = options.url;
  if (url === null) {
    await buildIfStale(log);
    const site = await serveBuild({ port: 4183, strict: false });
    ({ url, close } = site);
  }
  try {
    const { query, download, hub } = options;
    const lab = await startHeadless({ url, log, download, hub });
    const record = await lab.run(query).finally(() => lab.close());
    const comparison = expected === null ? null : compareResults(expected, record);
    process.stdout.write(`${recordMarkdown(record)}\n`);
    if (options.json !== null) writeFileSync(options.json, recordJson(record));
    if (options.markdown !== null) writeFileSync(options.markdown, recordMarkdown(record));
    const { code, sentences } = judge(record, comparison);
    for (const sentence of sentences) log(sentence);
    return code;
  } finally {
    await close();
  }
}

await runCommand(() => verify(readVerifyOptions(process.argv.slice(2))));
