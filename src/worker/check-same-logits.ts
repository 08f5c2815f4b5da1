/**
 * Checks `static-same-logits` and `paged-same-logits`: on a run of its own, a preallocated and a growing cache of the same model
 * take the same tokens in the same chunks, then the same decode steps; every logit of every pass must be the same number.
 */
import { cacheFor } from './caches';
import { argmax } from './decode';
import { canChunk, firstRow, forward } from './prefill';
import type { PassContext } from './run-experiment';
import { seededTokens } from '../model/weights';
import { makeCheck, say } from '../protocol/checks';
import type { Report } from '../protocol/messages';
import { preallocates } from '../protocol/room';

/** The prompt in two chunks where the graph takes chunks; of blocks the last one is partly filled after each, unless they have one token. */
const CHUNKS = { static: [40, 24], paged: [37, 26] };
const STEPS = 10;
/** Tokens that the check puts into each cache, at most. */
export const SAME_LOGITS_TOKENS = Math.max(...Object.values(CHUNKS).map(sum)) + STEPS;
/** Room beyond what is used, so that rows without a token are there to be left alone. */
const SPARE_TOKENS = 6;

const COPIED =
  'The preallocated cache kept its size, but not its place: on this backend ONNX Runtime copies all of it into its own memory and out again at every pass, so a step costs as much as the room is large.';

/** Nothing for a policy whose cache grows. */
export async function* checkSameLogits(context: PassContext): AsyncGenerator<Report> {
  const { pass, model, subject, signal } = context;
  const { policy } = pass;
  if (!preallocates(policy)) return;
  const prompt = sum(CHUNKS[policy]);
  const chunks = canChunk(context) ? CHUNKS[policy] : [prompt];
  const passes = chunks.length + STEPS;
  yield context.phase('check', 0, passes);
  const tokens = seededTokens(pass.seed + 2, prompt, subject.vocabSize);
  const preallocated = cacheFor(context, prompt + STEPS + SPARE_TOKENS, 1);
  const growing = model.emptyCache();
  let largest = 0;
  let compared = 0;
  try {
    let at = 0;
    for (let index = 0; index < passes && !signal.aborted; index++) {
      const next = tokens.slice(at, at + (chunks[index] ?? 1));
      const expected = firstRow(await forward(context, growing, [next], at));
      const found = firstRow(await forward(context, preallocated, [next], at));
      largest = Math.max(largest, logitDifference(found, expected));
      compared += expected.length;
      at += next.length;
      if (at === tokens.length) tokens.push(argmax(expected));
      yield context.phase('check', index + 1, passes);
    }
  } finally {
    await growing.dispose();
    await preallocated.dispose();
  }
  if (signal.aborted) return;
  if (policy === 'static' && preallocated.preallocated?.inPlace === false)
    yield { type: 'note', passId: pass.id, note: COPIED };
  const check = makeCheck(`${policy}-same-logits`, pass.model, largest === 0 && compared > 0, {
    expected: say('same-logits-expected'),
    measured: say('same-logits-found', { difference: largest === 0 ? '0' : largest.toExponential(2) }),
    detail: say('same-logits-how', { logits: compared, chunks: chunks.join(' + '), steps: STEPS }),
  });
  yield { type: 'check', passId: pass.id, check };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Largest |a - b|. NaN, and another count, are infinitely different. */
function logitDifference(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) return Infinity;
  let largest = 0;
  for (let i = 0; i < a.length; i++) {
    const delta = Math.abs((a[i] ?? NaN) - (b[i] ?? NaN));
    if (Number.isNaN(delta)) return Infinity;
    largest = Math.max(largest, delta);
  }
  return largest;
}
