/** Experiment `length`: one pass through a model, measured at each stop on the way. */
import { bufferFault } from './buffer-limits';
import { canChunk, prefill } from './prefill';
import type { PassContext } from './run-experiment';
import { seededTokens } from '../model/weights';
import { BYTE_VOCAB_SIZE } from '../model/byte-tokenizer';
import type { Report } from '../protocol/messages';

/** @returns Where the cache tensors were at the last stop. */
export async function* runLength(
  context: PassContext,
  { stops }: { stops: readonly number[] },
): AsyncGenerator<Report, Record<string, number>> {
  const { pass, model, ledger, signal } = context;
  const total = stops.at(-1) ?? 0;
  const rows = Array.from({ length: pass.batch }, (_, row) =>
    seededTokens(pass.seed + row, total, BYTE_VOCAB_SIZE),
  );
  let cache = model.emptyCache();
  let at = 0;
  let locations: Record<string, number> = {};
  try {
    for (const stop of stops) {
      const fault = bufferFault(context, stop);
      if (fault) {
        yield { type: 'cell-skipped', passId: pass.id, tokens: stop, fault };
        continue;
      }
      if (at > 0 && !canChunk(pass)) {
        // Nothing can be put on top of what is there: this stop starts anew.
        await cache.dispose();
        cache = model.emptyCache();
        at = 0;
      }
      const before = context.device();
      ledger.resetPeak();
      yield context.phase('prefill', at, total);
      let prefillMs = 0;
      let startedAt = performance.now();
      for await (const { tokens } of prefill(context, cache, rows, at, stop)) {
        prefillMs += performance.now() - startedAt;
        at = tokens;
        yield context.phase('prefill', at, total);
        startedAt = performance.now();
      }
      if (signal.aborted) return locations;
      const tensors = [...cache.tensors().values()];
      locations = ledger.locations(tensors);
      yield {
        type: 'cell',
        passId: pass.id,
        cell: {
          tokens: stop,
          tensorBytes: ledger.tensorBytes(tensors),
          residentBytes: ledger.residentBytes(tensors),
          deviceBytes: { before, after: context.device(), peak: context.peak() },
          prefillMs,
        },
      };
    }
    return locations;
  } finally {
    await cache.dispose();
  }
}
