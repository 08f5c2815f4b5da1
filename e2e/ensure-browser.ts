/** `tsx e2e/ensure-browser.ts`: exits 0 when a Chromium that starts is there, getting one first where it can; else 2. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromiumVersion, findChromium } from './support/chromium';

const MINUTE = 60_000;

/** Runs a command with its output shown; false when it fails or takes longer than the limit. */
function attempt(limitMs: number, command: string, ...args: string[]): boolean {
  console.log(`> ${[command, ...args].join(' ')}`);
  return spawnSync(command, args, { stdio: 'inherit', timeout: limitMs }).status === 0;
}

/** The version line of the Chromium that is there, or null. */
function ready(): string | null {
  const path = findChromium();
  const version = path === null ? null : chromiumVersion(path);
  return version === null ? null : `${version} (${path ?? ''})`;
}

function installWithApt(): boolean {
  const rootOnDebian = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (!rootOnDebian) return false;
  return (
    attempt(5 * MINUTE, 'apt-get', 'update') && attempt(10 * MINUTE, 'apt-get', 'install', '-y', 'chromium')
  );
}

try {
  let found = ready();
  if (found === null && process.env['CHROMIUM_PATH'] === undefined) {
    console.log('No Chromium that starts was found; trying to get one.');
    attempt(5 * MINUTE, 'npx', 'playwright', 'install', 'chromium');
    found = ready();
    if (found === null && installWithApt()) found = ready();
  }
  if (found === null) {
    throw new Error(
      'No Chromium that starts: install one (Debian: apt-get install chromium; elsewhere: npx playwright install --with-deps chromium) or name it in CHROMIUM_PATH.',
    );
  }
  console.log(found);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
}
