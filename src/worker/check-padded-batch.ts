/**
 * Check `padded-batch`, for passes with several sequences: prompts of unequal length in one batch, padded to the longest.
 * Each row's logits must be those of the row alone, after the prefill and after one decode step; the cache holds the padding
 * too, so it takes as many bytes as if all rows were as long as the longest (onnxruntime issue 29002: gibberish for shorter rows).
 */
import { logitTolerance, relativeDifference } from './check-cache-used';
import { cacheFor } from './caches';
import { argmax, countCache } from './decode';
import { forward } from './prefill';
import type { PassContext } from './run-experiment';
import type { KvCache } from './runtime-types';
import { formulaBytes } from '../geometry/bytes';
import { seededTokens } from '../model/weights';
import { makeCheck, say } from '../protocol/checks';
import type { Report } from '../protocol/messages';

/** Tokens of each row's prompt. */
const LENGTHS = [5, 9, 12];
const LONGEST = Math.max(...LENGTHS);
const PADDING = 0;

/** @param itemSize Bytes of one cache element. */
export async function* checkPaddedBatch(context: PassContext, itemSize: number): AsyncGenerator<Report> {
  const { pass, subject } = context;
  yield context.phase('check', 0, LENGTHS.length);
  const rows = LENGTHS.map((length, row) => seededTokens(pass.seed + row, length, subject.vocabSize));
  const cache = cacheFor(context, LONGEST + 1, rows.length);
  let bytes: number;
  let next: number[];
  let together: Float32Array[][];
  try {
    const padded = rows.map((row) => [...row, ...new Array<number>(LONGEST - row.length).fill(PADDING)]);
    const first = await forward(context, cache, padded, 0, { mask: rows.map(maskOf) });
    bytes = countCache(context, cache).tensorBytes;
    next = first.logits.map(argmax);
    const steps = next.map((token) => [token]);
    const mask = rows.map((row) => [...maskOf(row), 1]);
    const second = await forward(context, cache, steps, LONGEST, { mask });
    together = [first.logits, second.logits];
  } finally {
    await cache.dispose();
  }

  let difference = 0;
  for (const [index, row] of rows.entries()) {
    if (context.signal.aborted) return;
    const alone = await logitsAlone(context, row, next[index] ?? PADDING);
    for (const [step, logits] of alone.entries()) {
      const here = together[step]?.[index];
      difference = Math.max(difference, here === undefined ? Infinity : relativeDifference(here, logits));
    }
    yield context.phase('check', index + 1, LENGTHS.length);
  }
  // A preallocated cache has room for the step from the start.
  const held = cache.preallocated?.roomTokens ?? LONGEST;
  const size = { batch: rows.length, tokens: held, elementBytes: itemSize };
  const formula = formulaBytes(subject.kept, size);
  const fine = difference <= logitTolerance(pass.dtype) && bytes === formula;
  const check = makeCheck('padded-batch', pass.model, fine, {
    expected: say('padded-expected', { batch: rows.length, tokens: LONGEST }),
    measured: say('padded-found', { difference: difference.toExponential(2), bytes }),
    detail: say('padded-how', { lengths: LENGTHS.join(', '), tokens: LONGEST, bytes: formula }),
  });
  yield { type: 'check', passId: pass.id, check };
}

function maskOf(row: readonly number[]): number[] {
  return Array.from({ length: LONGEST }, (_, at) => (at < row.length ? 1 : 0));
}

/** Logits of one sequence after its prompt, and after one more token. */
async function logitsAlone(context: PassContext, row: number[], next: number): Promise<Float32Array[]> {
  const cache: KvCache = cacheFor(context, row.length + 1, 1);
  try {
    const prompt = await forward(context, cache, [row], 0);
    const step = await forward(context, cache, [[next]], row.length);
    return [...prompt.logits, ...step.logits];
  } finally {
    await cache.dispose();
  }
}
