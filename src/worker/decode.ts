/** Decode steps by greedy token, measured after each. */
import { bufferFault } from './buffer-limits';
import { startCopies } from './copied-bytes';
import { forward } from './prefill';
import { startTiming } from './timing';
import { readPreallocated } from './used-bytes';
import type { PassContext } from './run-experiment';
import type { Forward, KvCache } from './runtime-types';
import { LabError } from '../protocol/faults';
import type { Report } from '../protocol/messages';
import type { MaybeBytes } from '../protocol/record';

/** What the ledger says of a cache at one moment. */
export function countCache(
  { ledger }: Pick<PassContext, 'ledger'>,
  cache: KvCache,
): { tensorBytes: number; residentBytes: MaybeBytes; locations: Record<string, number> } {
  const tensors = [...cache.tensors().values()];
  return {
    tensorBytes: ledger.tensorBytes(tensors),
    residentBytes: ledger.residentBytes(tensors),
    locations: ledger.locations(tensors),
  };
}

/**
 * Opens a growth at what the cache holds and appends `steps` tokens per sequence. Stops early when the signal is aborted.
 * @param logits Of the last position, [batch][vocabulary].
 * @param from Tokens per sequence in the cache.
 * @param processBytes What was last taken for the cache as it is, so that it need not be taken again.
 * @throws LabError buffer-too-large, cache-mismatch; static-full, paged-full.
 */
export async function* decode(
  context: PassContext,
  cache: KvCache,
  logits: Float32Array[],
  { from, steps, processBytes }: { from: number; steps: number; processBytes: MaybeBytes },
): AsyncGenerator<Report> {
  const { pass } = context;
  const { tensorBytes, residentBytes } = countCache(context, cache);
  const { usedBytes } = await readPreallocated(context, cache, from, true);
  yield {
    type: 'prompt',
    passId: pass.id,
    tokens: from,
    tensorBytes,
    residentBytes,
    processBytes,
    ...(usedBytes === undefined ? {} : { usedBytes }),
  };
  let next = logits.map(argmax);
  for (let step = 0; step < steps && !context.signal.aborted; step++) {
    const tokens = from + step + 1;
    const fault = bufferFault(context, tokens);
    if (fault) throw new LabError(fault.code, fault.params, fault.detail);
    const copies = startCopies(cache);
    context.ledger.resetPeak();
    const timing = startTiming(context);
    const fed = next.map((token) => [token]);
    next = nextTokens(await forward(context, cache, fed, tokens - 1, { greedy: true }));
    const timed = timing();
    const peakDeviceBytes = context.peak();
    const copiedBytes = copies();
    const counted = countCache(context, cache);
    const deviceBytes = context.device();
    const preallocated = await readPreallocated(context, cache, tokens, false);
    yield {
      type: 'step',
      passId: pass.id,
      step: {
        tokens,
        tensorBytes: counted.tensorBytes,
        residentBytes: counted.residentBytes,
        deviceBytes,
        processBytes: await context.process(),
        ...timed,
        copiedBytes,
        peakDeviceBytes,
        ...preallocated,
      },
    };
    yield context.phase('decode', step + 1, steps);
  }
}

/** The likeliest token of each row. @throws LabError when a logit is NaN. */
function nextTokens({ logits, next }: Forward): number[] {
  if (next?.some(Number.isNaN)) throw noNumbers();
  return next ?? logits.map(argmax);
}

function noNumbers(): LabError {
  return new LabError('run-failed', { detail: 'the model’s logits are not numbers (NaN)' });
}

/** Index of the largest value; the first of equals. @throws LabError when a logit is NaN. */
export function argmax(values: Float32Array): number {
  let best = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? NaN;
    if (Number.isNaN(value)) throw noNumbers();
    if (value > (values[best] ?? -Infinity)) best = i;
  }
  return best;
}
