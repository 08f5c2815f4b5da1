/** One cell: a cache is filled up to a number of tokens, timed, and then weighed. */
import { countCache } from './decode';
import { prefill } from './prefill';
import type { PassContext } from './run-experiment';
import type { KvCache } from './runtime-types';
import { startTiming } from './timing';
import { readPreallocated } from './used-bytes';
import type { Report } from '../protocol/messages';
import type { MaybeBytes } from '../protocol/record';

export interface MeasuredFill {
  /** Of the last position, [batch][vocabulary]. */
  logits: Float32Array[];
  /** Where the cache tensors are. */
  locations: Record<string, number>;
  /** What the browser reports for the whole page with the cell's cache. */
  processBytes: MaybeBytes;
}

/**
 * Fills the cache from what it holds up to `to` tokens per sequence, and reports the cell.
 * @param total Tokens that the phase's progress counts to.
 * @returns null when it was cancelled on the way, without a cell.
 */
export async function* measureCell(
  context: PassContext,
  cache: KvCache,
  fill: { rows: number[][]; from: number; to: number; total: number; processBytesBefore: MaybeBytes },
): AsyncGenerator<Report, MeasuredFill | null> {
  const { pass, ledger, signal } = context;
  const { rows, from, to, total, processBytesBefore } = fill;
  const before = context.device();
  ledger.resetPeak();
  yield context.phase('prefill', from, total);
  let prefillMs = 0;
  let logitsBytes = 0;
  let logits: Float32Array[] = [];
  const whole = startTiming(context);
  let timing = startTiming(context);
  for await (const chunk of prefill(context, cache, rows, from, to)) {
    prefillMs += timing().ms;
    logits = chunk.logits;
    logitsBytes = Math.max(logitsBytes, chunk.logitsBytes);
    yield context.phase('prefill', chunk.tokens, total);
    timing = startTiming(context);
  }
  // Counted over all of the stop, timed without the reports between its chunks.
  const { compiled } = whole();
  if (signal.aborted) return null;
  const { tensorBytes, residentBytes, locations } = countCache(context, cache);
  const deviceBytes = { before, after: context.device(), peak: context.peak() };
  const preallocated = await readPreallocated(context, cache, to, true);
  const processBytes = await context.process();
  yield {
    type: 'cell',
    passId: pass.id,
    cell: {
      ...{ tokens: to, tensorBytes, residentBytes, deviceBytes },
      ...{ processBytesBefore, processBytes, logitsBytes, prefillMs },
      ...(compiled === undefined ? {} : { compiled }),
      ...preallocated,
    },
  };
  return { logits, locations, processBytes };
}
