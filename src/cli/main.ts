/** The program behind `kvlab`: arguments in, text and an exit code out. */
import process from 'node:process';
import { HELP, readArguments } from './arguments';
import { answerBytes } from './bytes-command';
import { sentenceOf } from './cli-error';
import { readInput } from './input';
import { reportJson, reportTable } from './report';

/** Runs the command line: the answer goes to standard output (exit code 0), or one sentence to standard error (2). */
export async function main(argv: readonly string[] = process.argv.slice(2)): Promise<void> {
  let file = '';
  try {
    const options = readArguments(argv);
    if (options === null) {
      process.stdout.write(HELP);
      return;
    }
    file = options.file === '-' ? 'standard input' : options.file;
    const answer = answerBytes(await readInput(options.file), options);
    process.stdout.write(options.json ? `${reportJson(answer)}\n` : reportTable(answer, options));
  } catch (error) {
    process.stderr.write(`${sentenceOf(error, file)}\n`);
    process.exitCode = 2;
  }
}
