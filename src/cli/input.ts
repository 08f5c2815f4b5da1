/** Reads the text of a config.json from a file or from standard input. */
import { readFile, stat } from 'node:fs/promises';
import process from 'node:process';
import { CliError } from './cli-error';

/** Larger files are no config.json; they are refused before they are read (bytes). */
const MOST_BYTES = 4_000_000;

const REASONS: Record<string, string> = {
  ENOENT: 'there is no such file',
  EACCES: 'it may not be read',
  ENOTDIR: 'there is no such file',
};

/**
 * @param file A path, or `-` for standard input.
 * @throws CliError naming the file.
 */
export async function readInput(file: string): Promise<string> {
  return file === '-' ? readStandardInput() : readPath(file);
}

async function readPath(file: string): Promise<string> {
  try {
    const found = await stat(file);
    if (found.isDirectory()) throw new CliError(`${file} is a folder: give the path of a config.json in it.`);
    if (found.size > MOST_BYTES)
      throw new CliError(
        `${file} has ${found.size.toLocaleString('en-US')} bytes; a config.json is far smaller.`,
      );
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof CliError) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new CliError(`${file} cannot be read: ${REASONS[code] ?? code}.`);
  }
}

async function readStandardInput(): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MOST_BYTES) throw new CliError('Standard input is too long for a config.json.');
  }
  return Buffer.concat(chunks).toString('utf8');
}
