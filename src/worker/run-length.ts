/** Experiments over cache lengths: one pass through a model, measured at each stop on the way, and perhaps decode steps at the end. */
import { bufferFault } from './buffer-limits';
import { cacheNotes, cacheOfPass, roomFault } from './caches';
import { countCache, decode } from './decode';
import { canChunk, prefill } from './prefill';
import { startTiming } from './timing';
import { readPreallocated } from './used-bytes';
import type { PassContext } from './run-experiment';
import { seededTokens } from '../model/weights';
import type { Report } from '../protocol/messages';

/** @returns Where the cache tensors were at the last stop. */
export async function* runLength(
  context: PassContext,
  { stops, steps }: { stops: readonly number[]; steps: number },
): AsyncGenerator<Report, Record<string, number>> {
  const { pass, ledger, signal, subject } = context;
  const total = stops.at(-1) ?? 0;
  const rows = Array.from({ length: pass.batch }, (_, row) =>
    seededTokens(pass.seed + row, total, subject.vocabSize),
  );
  const faultAt = (stop: number) => bufferFault(context, stop) ?? roomFault(context, stop)?.fault ?? null;
  const needed = (stops.findLast((stop) => faultAt(stop) === null) ?? total) + steps;
  let cache = cacheOfPass(context, needed);
  let at = 0;
  let logits: Float32Array[] = [];
  let locations: Record<string, number> = {};
  try {
    let processBytesBefore = await context.process();
    for (const stop of stops) {
      const fault = faultAt(stop);
      if (fault) {
        yield { type: 'cell-skipped', passId: pass.id, tokens: stop, fault };
        continue;
      }
      if (at > 0 && !canChunk(context)) {
        // Nothing can be put on top of what is there: this stop starts anew.
        await cache.dispose();
        cache = cacheOfPass(context, needed);
        at = 0;
      }
      const before = context.device();
      ledger.resetPeak();
      yield context.phase('prefill', at, total);
      let prefillMs = 0;
      let logitsBytes = 0;
      const whole = startTiming(context);
      let timing = startTiming(context);
      for await (const chunk of prefill(context, cache, rows, at, stop)) {
        prefillMs += timing().ms;
        at = chunk.tokens;
        logits = chunk.logits;
        logitsBytes = Math.max(logitsBytes, chunk.logitsBytes);
        yield context.phase('prefill', at, total);
        timing = startTiming(context);
      }
      // Counted over all of the stop, timed without the reports between its chunks.
      const { compiled } = whole();
      if (signal.aborted) return locations;
      const { tensorBytes, residentBytes, ...where } = countCache(context, cache);
      locations = where.locations;
      const deviceBytes = { before, after: context.device(), peak: context.peak() };
      const preallocated = await readPreallocated(context, cache, stop, true);
      const processBytes = await context.process();
      yield {
        type: 'cell',
        passId: pass.id,
        cell: {
          tokens: stop,
          tensorBytes,
          residentBytes,
          deviceBytes,
          processBytesBefore,
          processBytes,
          logitsBytes,
          prefillMs,
          ...(compiled === undefined ? {} : { compiled }),
          ...preallocated,
        },
      };
      processBytesBefore = processBytes;
    }
    if (steps > 0 && at === total && !signal.aborted)
      yield* decode(context, cache, logits, { from: at, steps, processBytes: processBytesBefore });
    yield* cacheNotes(context, cache);
    return locations;
  } finally {
    await cache.dispose();
  }
}
