/** Experiment `growth`: a prompt, then decode steps. */
import { countCache, decode } from './decode';
import { cacheNotes, cacheOfPass, roomFault } from './caches';
import { prefill } from './prefill';
import type { PassContext } from './run-experiment';
import { seededTokens } from '../model/weights';
import { LabError } from '../protocol/faults';
import type { Report } from '../protocol/messages';
import { refusedAbove } from '../protocol/room';

/** @returns Where the cache tensors were at the end. */
export async function* runGrowth(
  context: PassContext,
  work: { prompt: string; promptTokens: number; steps: number },
): AsyncGenerator<Report, Record<string, number>> {
  const { pass, model, subject } = context;
  const prompt =
    work.prompt === ''
      ? seededTokens(pass.seed, work.promptTokens, subject.vocabSize)
      : await model.tokenize(work.prompt);
  if (prompt.length === 0) throw new LabError('prompt-empty');
  const rows = Array.from({ length: pass.batch }, () => prompt);
  const full = roomFault(context, prompt.length);
  if (full !== null) throw full;
  const most = Math.min(subject.geometry.maxPositions ?? Infinity, refusedAbove(pass));
  // By a tokenizer that was not known before loading, a prompt may have more tokens than were planned for.
  const steps = Math.min(work.steps, most - prompt.length);
  const cache = cacheOfPass(context, prompt.length + steps);
  try {
    yield context.phase('prefill', 0, prompt.length);
    let logits: Float32Array[] = [];
    for await (const chunk of prefill(context, cache, rows, 0, prompt.length)) {
      logits = chunk.logits;
      yield context.phase('prefill', chunk.tokens, prompt.length);
    }
    if (!context.signal.aborted) {
      const processBytes = await context.process();
      yield* decode(context, cache, logits, { from: prompt.length, steps, processBytes });
    }
    yield* cacheNotes(context, cache);
    return countCache(context, cache).locations;
  } finally {
    await cache.dispose();
  }
}
