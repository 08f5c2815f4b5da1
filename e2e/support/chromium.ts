/** Finds a Chromium on this machine, and says how to start it so that it offers WebGPU. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium, type LaunchOptions } from 'playwright';

/** Keeps Chromium quiet: no request of its own, no dialog. Never `--disable-gpu`: it takes WebGPU away. */
const QUIET = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * `performance.measureUserAgentSpecificMemory` waits up to 20 s for the next garbage collection, so that a page cannot tell when
 * one happens. With this switch of Chromium's it collects and answers at once; what it counts stays the same.
 */
const EAGER_MEMORY = '--enable-blink-features=ForceEagerMeasureMemory';

/** Where systems keep a Chromium, in the order tried after CHROMIUM_PATH; Playwright's own comes last. */
const KNOWN_PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The version line of an executable, or null when it does not start (missing file, missing libraries). */
export function chromiumVersion(path: string): string | null {
  const tried = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 60_000 });
  return tried.status === 0 ? tried.stdout.trim() : null;
}

/**
 * Path of the Chromium to use, or null when there is none.
 * @throws Error when CHROMIUM_PATH names a file that does not exist: falling back would hide the mistake.
 */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | null {
  const chosen = env['CHROMIUM_PATH'];
  if (chosen !== undefined && chosen !== '') {
    if (!existsSync(chosen)) throw new Error(`CHROMIUM_PATH is ${chosen}, but there is no such file.`);
    return chosen;
  }
  return [...KNOWN_PATHS, chromium.executablePath()].find((path) => existsSync(path)) ?? null;
}

/**
 * Options for `chromium.launch`. `swiftshader` asks for the software adapter by name, so that a test measures the same
 * adapter everywhere; without it the browser chooses, and a real GPU is used where there is one.
 */
export function launchOptions({
  swiftshader = process.env['KVLAB_ADAPTER'] === 'swiftshader',
} = {}): LaunchOptions {
  const executablePath = findChromium();
  return {
    ...(executablePath === null ? {} : { executablePath }),
    args: [
      '--enable-unsafe-webgpu',
      EAGER_MEMORY,
      ...QUIET,
      // Chromium's sandbox refuses to start as root, which is what a container runs as.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ...(swiftshader ? ['--use-webgpu-adapter=swiftshader'] : []),
    ],
  };
}
