/**
 * Checks `cache-used` and `prefix-unchanged`, on a short run of their own after the measurement:
 * decoding with the cache must give the logits of one full forward pass over the same tokens, and differ from decoding without;
 * each step must leave the keys and values that were there before bit for bit as they were.
 */
import { cacheFor } from './caches';
import { rowLayout, type RowLayout } from './cache-rows';
import { firstRow, forward, KV_TENSOR } from './prefill';
import { readTensor } from './read-tensor';
import { argmax } from './decode';
import type { PassContext } from './run-experiment';
import type { KvCache } from './runtime-types';
import { seededTokens } from '../model/weights';
import { makeCheck, say } from '../protocol/checks';
import type { Report } from '../protocol/messages';
import type { Check } from '../protocol/record';
import type { Dtype } from '../protocol/recipe';

/** As many as the first stop of a default run, so that its shaders serve again. */
const PROMPT_TOKENS = 64;
const STEPS = 4;
/** Tokens that the check puts into the cache. */
export const CHECK_TOKENS = PROMPT_TOKENS + STEPS;
/** Largest accepted |difference| of two logits, relative to the largest |logit|: rounding in another order of sums. */
const FLOAT32_TOLERANCE = 1e-4;
const FLOAT16_TOLERANCE = 2e-2;
/** Quantised weights: one token and many go through different kernels, some of which round the activations too. */
const QUANTISED_TOLERANCE = 5e-2;

/** The tolerance for a variant of the weights. */
export function logitTolerance(dtype: Dtype): number {
  if (dtype === 'fp32') return FLOAT32_TOLERANCE;
  return dtype === 'fp16' ? FLOAT16_TOLERANCE : QUANTISED_TOLERANCE;
}

export async function* checkCacheIsUsed(context: PassContext): AsyncGenerator<Report> {
  const { pass, subject } = context;
  yield context.phase('check', 0, STEPS);
  const tokens = seededTokens(pass.seed + 1, PROMPT_TOKENS, subject.vocabSize);
  const cache = cacheFor(context, CHECK_TOKENS, 1);
  let prefix: Check;
  let cached: Float32Array;
  try {
    let logits = firstRow(await forward(context, cache, [tokens], 0));
    prefix = prefixCheck(pass.model, null);
    for (let step = 0; step < STEPS && !context.signal.aborted; step++) {
      const before = await snapshot(context, cache);
      const old = tokens.length;
      const next = argmax(logits);
      logits = firstRow(await forward(context, cache, [[next]], tokens.length));
      tokens.push(next);
      const changed = await firstChange(context, cache, before, old);
      if (changed !== null && prefix.pass) prefix = prefixCheck(pass.model, changed);
      yield context.phase('check', step + 1, STEPS);
    }
    cached = logits;
  } finally {
    await cache.dispose();
  }
  if (context.signal.aborted) return;
  yield { type: 'check', passId: pass.id, check: prefix };

  const full = await freshLogits(context, tokens);
  const alone = await freshLogits(context, tokens.slice(-1));
  const tolerance = logitTolerance(pass.dtype);
  const difference = relativeDifference(cached, full);
  const without = relativeDifference(alone, full);
  // The second half makes sure that the logits depend on the cache at all.
  const used = difference <= tolerance && without > Math.max(10 * difference, tolerance);
  const check = makeCheck('cache-used', pass.model, used, {
    expected: say('logits-expected', { tolerance: String(tolerance) }),
    measured: say('logits-found', { difference: difference.toExponential(2) }),
    detail: say('logits-without', { tokens: tokens.length, difference: without.toExponential(2) }),
  });
  yield { type: 'check', passId: pass.id, check };
}

async function freshLogits(context: PassContext, tokens: number[]): Promise<Float32Array> {
  const cache = cacheFor(context, tokens.length, 1);
  try {
    return firstRow(await forward(context, cache, [tokens], 0));
  } finally {
    await cache.dispose();
  }
}

/** Largest |a - b| over the largest |b|. NaN counts as infinitely different. */
export function relativeDifference(a: Float32Array, b: Float32Array): number {
  let difference = 0;
  let scale = 0;
  for (let i = 0; i < b.length; i++) {
    const delta = Math.abs((a[i] ?? NaN) - (b[i] ?? NaN));
    if (Number.isNaN(delta)) return Infinity;
    difference = Math.max(difference, delta);
    scale = Math.max(scale, Math.abs(b[i] ?? 0));
  }
  return scale === 0 ? Infinity : difference / scale;
}

/** A tensor's bytes, and where in them the rows of each head are. */
interface Snapshot {
  bytes: Uint8Array;
  layout: RowLayout;
}

/** Copies of all keys and values (states of other layers may change); the tensors themselves stay where they are. */
async function snapshot(context: PassContext, cache: KvCache): Promise<Map<string, Snapshot>> {
  const copies = new Map<string, Snapshot>();
  for (const [name, tensor] of cache.tensors()) {
    if (!KV_TENSOR.test(name)) continue;
    copies.set(name, { bytes: await readTensor(context, name, tensor), layout: rowLayout(cache, tensor) });
  }
  return copies;
}

/** Name of the first tensor whose first `tokens` tokens are not what they were; null when all are. */
async function firstChange(
  context: PassContext,
  cache: KvCache,
  before: ReadonlyMap<string, Snapshot>,
  tokens: number,
): Promise<string | null> {
  const after = await snapshot(context, cache);
  for (const [name, old] of before) {
    const now = after.get(name);
    if (now === undefined || !sameRows(old, now, tokens)) return name;
  }
  return null;
}

/** Whether the first `tokens` rows of every head are the same in both. */
function sameRows(old: Snapshot, now: Snapshot, tokens: number): boolean {
  const { heads, rowBytes } = old.layout;
  if (now.layout.heads !== heads || now.layout.rowBytes !== rowBytes) return false;
  for (let head = 0; head < heads; head++) {
    if (Math.min(old.layout.rowsOf(head), now.layout.rowsOf(head)) < tokens) return false;
    for (let row = 0; row < tokens; row++) {
      const [a, b] = [old.layout.offset(head, row), now.layout.offset(head, row)];
      for (let i = 0; i < rowBytes; i++) if (old.bytes[a + i] !== now.bytes[b + i]) return false;
    }
  }
  return true;
}

function prefixCheck(model: string, changed: string | null): Check {
  return makeCheck('prefix-unchanged', model, changed === null, {
    expected: say('prefix-expected'),
    measured: changed === null ? say('unchanged') : say('prefix-changed', { tensor: changed }),
    detail: say('prefix-how', { steps: STEPS, tokens: PROMPT_TOKENS }),
  });
}
