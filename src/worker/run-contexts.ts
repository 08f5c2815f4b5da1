/**
 * Experiment `policies`: a cell at each context, and decode steps behind it. A cache that grows goes on growing from one context to
 * the next; one that is preallocated is made anew for each, so that its bytes are those of a cache of that size.
 */
import { bufferFault } from './buffer-limits';
import { cacheNotes, cacheOfPass } from './caches';
import { decode } from './decode';
import { measureCell } from './measure-cell';
import { canChunk } from './prefill';
import type { PassContext } from './run-experiment';
import type { KvCache } from './runtime-types';
import { seededTokens } from '../model/weights';
import type { Report } from '../protocol/messages';

const NO_MODES =
  'WASM keeps no GPU buffers, so ONNX Runtime’s allocator modes do not apply to it: each cache policy was measured once.';

/** @returns Where the cache tensors were at the last context. */
export async function* runContexts(
  context: PassContext,
  { stops, steps }: { stops: readonly number[]; steps: number },
): AsyncGenerator<Report, Record<string, number>> {
  const { pass, signal, subject } = context;
  const total = stops.at(-1) ?? 0;
  const rows = Array.from({ length: pass.batch }, (_, row) =>
    seededTokens(pass.seed + row, total, subject.vocabSize),
  );
  if (pass.device === 'wasm') yield { type: 'note', passId: pass.id, note: NO_MODES };
  let cache: KvCache | null = null;
  let at = 0;
  let locations: Record<string, number> = {};
  try {
    for (const stop of stops) {
      const fault = bufferFault(context, stop);
      if (fault) {
        yield { type: 'cell-skipped', passId: pass.id, tokens: stop, fault };
        continue;
      }
      const ahead = Math.min(steps, (subject.geometry.maxPositions ?? Infinity) - stop);
      if (cache === null || cache.preallocated !== null || at > stop || !canChunk(context)) {
        await cache?.dispose();
        cache = cacheOfPass(context, stop + ahead);
        at = 0;
      }
      const cell = { rows, from: at, to: stop, total, processBytesBefore: null };
      const filled = yield* measureCell(context, cache, cell);
      if (filled === null) return locations;
      locations = filled.locations;
      if (ahead > 0)
        yield* decode(context, cache, filled.logits, { from: stop, steps: ahead, processBytes: null });
      if (signal.aborted) return locations;
      at = stop + ahead;
    }
    if (cache !== null) yield* cacheNotes(context, cache);
    return locations;
  } finally {
    await cache?.dispose();
  }
}
