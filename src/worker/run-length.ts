/** Experiments over cache lengths: one pass through a model, measured at each stop on the way, and perhaps decode steps at the end. */
import { bufferFault } from './buffer-limits';
import { cacheNotes, cacheOfPass, roomFault } from './caches';
import { decode } from './decode';
import { measureCell } from './measure-cell';
import { canChunk } from './prefill';
import type { PassContext } from './run-experiment';
import { seededTokens } from '../model/weights';
import type { Report } from '../protocol/messages';

/** @returns Where the cache tensors were at the last stop. */
export async function* runLength(
  context: PassContext,
  { stops, steps }: { stops: readonly number[]; steps: number },
): AsyncGenerator<Report, Record<string, number>> {
  const { pass, signal, subject } = context;
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
      const filled = yield* measureCell(context, cache, {
        rows,
        from: at,
        to: stop,
        total,
        processBytesBefore,
      });
      if (filled === null) return locations;
      at = stop;
      ({ logits, locations, processBytes: processBytesBefore } = filled);
    }
    if (steps > 0 && at === total && !signal.aborted)
      yield* decode(context, cache, logits, { from: at, steps, processBytes: processBytesBefore });
    yield* cacheNotes(context, cache);
    return locations;
  } finally {
    await cache.dispose();
  }
}
