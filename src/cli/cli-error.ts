/** What stops a command, as one sentence for standard error. */
import { GeometryError } from '../geometry/geometry-error';
import { describeFault, toFault } from '../protocol/faults';

/** Thrown with one sentence that names the option or the file. */
export class CliError extends Error {}

/** One line for any thrown value: a fault's sentence, or the error's own message. */
export function sentenceOf(error: unknown, file: string): string {
  const text =
    error instanceof GeometryError
      ? `${file}: ${describeFault(toFault(error, 'config-not-json'))}`
      : error instanceof Error
        ? error.message
        : String(error);
  const line = text.replace(/\s+/g, ' ').trim();
  return /[.!?]$/.test(line) ? line : `${line}.`;
}
