/** Runs the bench's Python scripts in a process of their own. */
import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../support/site';

const run = promisify(execFile);
const MOST_OUTPUT_BYTES = 64 * 2 ** 20;

/** "Python 3.11.2, NumPy 2.4.6", or null and why there is none. */
export function findNumpy(): { version: string | null; why: string } {
  const tried = spawnSync(
    'python3',
    ['-c', 'import numpy, platform; print(f"Python {platform.python_version()}, NumPy {numpy.__version__}")'],
    { encoding: 'utf8' },
  );
  if (tried.error !== undefined) return { version: null, why: 'there is no python3 here' };
  if (tried.status !== 0) return { version: null, why: 'this python3 has no NumPy' };
  return { version: tried.stdout.trim(), why: '' };
}

/** What a script of e2e/bench printed, parsed. @throws Error with the last line of its complaint. */
export async function runScript(name: string, ...parameters: string[]): Promise<unknown> {
  try {
    const { stdout } = await run('python3', [join(ROOT, 'e2e/bench', name), ...parameters], {
      maxBuffer: MOST_OUTPUT_BYTES,
    });
    return JSON.parse(stdout);
  } catch (error) {
    const said = (error as { stderr?: string }).stderr?.trim().split('\n').at(-1);
    throw new Error(`${name} failed: ${said ?? String(error)}`, { cause: error });
  }
}
