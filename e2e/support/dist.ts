/** The files of a build, as a reviewer of its size and parts sees them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ROOT } from './site';

export const DIST = join(ROOT, 'dist');

/** Names of the files in a build's assets/. */
export function assetNames(dist = DIST): string[] {
  return readdirSync(join(dist, 'assets'));
}

export function assetText(name: string, dist = DIST): string {
  return readFileSync(join(dist, 'assets', name), 'utf8');
}

/** Bytes of a file as a host sends it with gzip. */
export function gzipBytes(name: string, dist = DIST): number {
  return gzipSync(readFileSync(join(dist, 'assets', name)), { level: 9 }).length;
}

/** The only asset whose name fits. @throws Error when there is none, or more than one. */
export function onlyAsset(pattern: RegExp, dist = DIST): string {
  const found = assetNames(dist).filter((name) => pattern.test(name));
  const [name] = found;
  if (name === undefined || found.length > 1) {
    throw new Error(`${found.length} assets fit ${String(pattern)}: ${assetNames(dist).join(', ')}`);
  }
  return name;
}
