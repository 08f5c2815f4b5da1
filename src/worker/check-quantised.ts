/**
 * Check `quantised-logits`: on a run of its own, the model with its quantised cache and the same model with a cache of floats take the
 * same tokens in the same chunks, then the same decode steps; after every pass their logits must point in nearly the same direction.
 */
import { argmax } from './decode';
import { loadSubject } from './load-subject';
import { CHUNKS, compareLogits, PROMPT_TOKENS, STEPS, type LogitsCompared } from './compare-logits';
import { canChunk, firstRow, forward } from './prefill';
import type { PassContext } from './run-experiment';
import { subjectOf } from './subject';
import { seededTokens } from '../model/weights';
import { makeCheck, say } from '../protocol/checks';
import type { Report } from '../protocol/messages';
import type { CacheBits } from '../protocol/recipe';

/** The least cosine of the two logits. A cache that is not read, or read wrongly, gives one near 0. */
const LEAST_COSINE: Record<CacheBits, number> = { '8': 0.99, '4': 0.9 };

/** Nothing for other policies. */
export async function* checkQuantised(context: PassContext): AsyncGenerator<Report> {
  const { pass, subject, signal, gpu } = context;
  if (subject.quantised === undefined) return;
  const chunks = canChunk(context) ? CHUNKS : [PROMPT_TOKENS];
  const passes = chunks.length + STEPS;
  yield context.phase('check', 0, passes);
  const plain = { ...pass, policy: 'dynamic' as const };
  const floats = await loadSubject(context.runtime, gpu, plain, subjectOf(plain, context.sources));
  const tokens = seededTokens(pass.seed + 2, PROMPT_TOKENS, subject.vocabSize);
  const [quantised, floating] = [context.model.emptyCache(), floats.emptyCache()];
  const found: LogitsCompared[] = [];
  try {
    let at = 0;
    for (let index = 0; index < passes && !signal.aborted; index++) {
      const next = tokens.slice(at, at + (chunks[index] ?? 1));
      const expected = firstRow(await forward({ ...context, model: floats }, floating, [next], at));
      const actual = firstRow(await forward(context, quantised, [next], at));
      found.push(compareLogits(actual, expected));
      at += next.length;
      if (at === tokens.length) tokens.push(argmax(expected));
      yield context.phase('check', index + 1, passes);
    }
  } finally {
    await quantised.dispose();
    await floating.dispose();
    // The session of the measurement is still there, so the device stays open.
    if (gpu.fault === null) await floats.release();
  }
  if (signal.aborted) return;
  const worst = Math.min(...found.map(({ cosine }) => cosine));
  const largest = Math.max(...found.map(({ difference }) => difference));
  const least = LEAST_COSINE[pass.bits];
  const check = makeCheck('quantised-logits', pass.model, found.length > 0 && worst >= least, {
    expected: say('quantised-expected', { cosine: String(least), bits: pass.bits }),
    measured: say('quantised-found', { cosine: worst.toFixed(6), difference: largest.toExponential(2) }),
    detail: say('quantised-how', { chunks: chunks.join(' + '), steps: STEPS }),
  });
  yield { type: 'check', passId: pass.id, check };
}
