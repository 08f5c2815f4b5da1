/** What a page weighs: its files by the part of the page that they are, raw and compressed. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Served } from './types';

/** Parts of the page, in the order in which they are loaded. */
export const PARTS = [
  'first paint: HTML',
  'first paint: CSS',
  'first paint: JavaScript',
  'first paint: other',
  'on Run: JavaScript of the page',
  'on Run: measuring worker',
  'on Run: ONNX Runtime, JavaScript',
  'on Run: ONNX Runtime, WASM',
  'on Run: other',
] as const;
export type Part = (typeof PARTS)[number];

const RUNTIME = /\/ort-[\w.-]+\.(m?js|wasm)$/;
const WORKER = /\/lab\.worker-[\w-]+\.js$/;

/**
 * The part of each file that a cold start fetched.
 * @param first Paths that the page without a run fetched.
 * @param inWorker Whether a path is of the measuring worker.
 */
export function partOf(path: string, first: ReadonlySet<string>, inWorker: ReadonlySet<string>): Part {
  const script = /\.m?js$/.test(path);
  if (first.has(path)) {
    if (path.endsWith('.html')) return 'first paint: HTML';
    if (path.endsWith('.css')) return 'first paint: CSS';
    return script ? 'first paint: JavaScript' : 'first paint: other';
  }
  if (RUNTIME.test(path)) return script ? 'on Run: ONNX Runtime, JavaScript' : 'on Run: ONNX Runtime, WASM';
  if (inWorker.has(path)) return 'on Run: measuring worker';
  return script ? 'on Run: JavaScript of the page' : 'on Run: other';
}

/**
 * The scripts of the measuring worker among those that were fetched: its entry, and what it or they name.
 * @param textOf The text of a script.
 */
export function workerScripts(paths: readonly string[], textOf: (path: string) => string): Set<string> {
  const found = new Set(paths.filter((path) => WORKER.test(path)));
  const rest = paths.filter((path) => /\.m?js$/.test(path) && !RUNTIME.test(path));
  // A set that grows while it is walked is walked to its end.
  for (const path of found) {
    const text = textOf(path);
    for (const other of rest) if (text.includes(other.slice(other.lastIndexOf('/') + 1))) found.add(other);
  }
  return found;
}

/** Bytes of files: as they are, and as a host sends them. */
export interface Weight {
  raw: number;
  gzip: number;
  brotli: number;
}

/** Above it brotli takes minutes for ONNX Runtime's WASM, for some percent less. */
const BROTLI_QUALITY = 9;

/** Weighs a file. */
export async function weigh(path: string): Promise<Weight> {
  const bytes = readFileSync(path);
  const [gzipped, brotli] = await Promise.all([
    promisify(gzip)(bytes, { level: 9 }),
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  ]);
  return { raw: bytes.length, gzip: gzipped.length, brotli: brotli.length };
}

export interface PageWeight {
  parts: Map<Part, Weight>;
  /** What was asked for and is no file of the build, or was not answered with it: empty where all is well. */
  missing: string[];
}

/**
 * Weighs what a cold start fetched.
 * @param folder Of the build that was served.
 * @param first What the page alone fetched.
 * @param all What it fetched until the first cell.
 */
export async function pageWeight(
  folder: string,
  first: readonly Served[],
  all: readonly Served[],
): Promise<PageWeight> {
  const fileOf = (path: string): string => join(folder, path);
  const isThere = ({ path, status }: Served): boolean => status === 200 && existsSync(fileOf(path));
  const there = all.filter(isThere);
  const inWorker = workerScripts(
    there.map(({ path }) => path),
    (path) => readFileSync(fileOf(path), 'utf8'),
  );
  const ofFirst = new Set(first.map(({ path }) => path));
  const parts = new Map<Part, Weight>();
  for (const { path } of there) {
    const weight = await weigh(fileOf(path));
    const part = partOf(path, ofFirst, inWorker);
    parts.set(part, sumOf([parts.get(part) ?? NOTHING, weight]));
  }
  const missing = all.filter((one) => !isThere(one)).map(({ path, status }) => `${path} (${status})`);
  return { parts, missing };
}

const NOTHING: Weight = { raw: 0, gzip: 0, brotli: 0 };

export function sumOf(weights: Iterable<Weight>): Weight {
  const sum = { ...NOTHING };
  for (const weight of weights) {
    sum.raw += weight.raw;
    sum.gzip += weight.gzip;
    sum.brotli += weight.brotli;
  }
  return sum;
}
