/** The ready-made repositories for scripts and browser tests, built once in a process. */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Rolldown } from 'vite';
import { ROOT } from '../support/site';
import type { FakeRepo } from './types';

export { REPO_IDS, REPO_SHAS, type RepoName } from './repo-ids';

let built: Promise<FakeRepo[]> | null = null;

/** All ready-made repositories, in the order of REPO_IDS. */
export function readyMadeRepos(): Promise<FakeRepo[]> {
  built ??= loadBundled();
  return built;
}

/**
 * The builders import onnx-proto by a name that Node does not find in it (it is CommonJS and sets `module.exports` as a whole), so
 * they are bundled for Node as the page's are for the browser. Named by its content: two processes never write different files.
 */
async function loadBundled(): Promise<FakeRepo[]> {
  const result = (await build({
    configFile: false,
    root: ROOT,
    logLevel: 'error',
    build: { ssr: join(ROOT, 'e2e/fake-hub/build-repos.ts'), write: false, copyPublicDir: false },
    ssr: { noExternal: true },
  })) as Rolldown.RolldownOutput;
  const { code } = result.output[0];
  const folder = join(ROOT, '.cache/fake-hub');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${createHash('sha256').update(code).digest('hex').slice(0, 16)}.mjs`);
  writeFileSync(file, code);
  const { buildRepos } = (await import(pathToFileURL(file).href)) as typeof import('./build-repos');
  return buildRepos();
}
