/** What the commands of the terminal have in common: progress on stderr, one sentence for an error, exit code 2 for it. */
import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

export type ExitCode = 0 | 1 | 2;

/** A line of progress or a reason, on stderr; stdout is for tables. */
export function log(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Runs a command. What it throws becomes one sentence on stderr and exit code 2. */
export async function runCommand(command: () => ExitCode | Promise<ExitCode>): Promise<void> {
  try {
    process.exitCode = await command();
  } catch (error) {
    log(oneSentence(error));
    process.exitCode = 2;
  }
}

/** Node's and Playwright's own messages go on for lines; the first sentence says it. */
function oneSentence(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split(/\n|(?<=\.) (?=To specify)/)[0] ?? message;
}

/**
 * Absolute path of a file to write, or null where none was given.
 * @throws Error with one sentence when it is a folder, or its folder is not there.
 */
export function outputFile(option: string, path: string | undefined): string | null {
  if (path === undefined) return null;
  const folder = dirname(resolve(path));
  if (existsSync(path) && statSync(path).isDirectory())
    throw new Error(`--${option} ${path} cannot be written: it is a folder.`);
  if (!existsSync(folder))
    throw new Error(`--${option} ${path} cannot be written: there is no folder ${folder}.`);
  return resolve(path);
}
