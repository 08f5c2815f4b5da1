/** Builds the page when needed and serves the build, by Vite's own JavaScript API. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, preview } from 'vite';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** What a build is made from. A change in any of them makes the build stale. */
const SOURCES = ['src', 'public', 'index.html', 'vite.config.ts', 'package.json', 'package-lock.json'];

/** Time of the newest file at or below a path, in ms; 0 when there is none. */
function newestMs(path: string): number {
  if (!existsSync(path)) return 0;
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newestMs(join(path, name))));
}

/** True when the commit that the page shows in its records is written somewhere in the build (or there is no checkout). */
function carriesCommit(dist: string): boolean {
  let commit: string;
  try {
    commit = execFileSync('git', ['rev-parse', 'HEAD'], {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: 'pipe',
    }).trim();
  } catch {
    return true;
  }
  const assets = join(dist, 'assets');
  return readdirSync(assets).some(
    (name) => name.endsWith('.js') && readFileSync(join(assets, name), 'utf8').includes(commit),
  );
}

/** True when there is no build, or one older than its sources or of another commit. */
export function isStale(dist = join(ROOT, 'dist')): boolean {
  const page = join(dist, 'index.html');
  if (!existsSync(page) || !existsSync(join(dist, 'assets'))) return true;
  return (
    newestMs(page) < Math.max(...SOURCES.map((name) => newestMs(join(ROOT, name)))) || !carriesCommit(dist)
  );
}

/** Builds the page into dist/ unless the build there is up to date. `log` is told what is done. */
export async function buildIfStale(log: (line: string) => void): Promise<void> {
  if (!isStale()) return;
  log('Building the page…');
  await build({ root: ROOT, logLevel: 'warn' });
}

export interface Site {
  /** Address of the page, ending with a slash. */
  url: string;
  close: () => Promise<void>;
}

/**
 * Serves dist/ with the headers of public/_headers.
 * @param port the port to listen on; when `strict` is false and it is taken, the next free one.
 * @throws Error when `strict` and the port is taken.
 */
export async function serveBuild({ port, strict }: { port: number; strict: boolean }): Promise<Site> {
  const server = await preview({
    root: ROOT,
    logLevel: 'warn',
    preview: { port, strictPort: strict, open: false },
  });
  const url = server.resolvedUrls?.local[0];
  if (url === undefined) throw new Error('The server started, but has no local address.');
  return { url, close: () => server.close() };
}
