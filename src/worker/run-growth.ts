/** Experiment `growth`: a prompt, then decode steps by greedy token, measured after each. */
import { bufferFault } from './buffer-limits';
import { forward, prefill } from './prefill';
import type { PassContext } from './run-experiment';
import { BYTE_VOCAB_SIZE } from '../model/byte-tokenizer';
import { seededTokens } from '../model/weights';
import { LabError } from '../protocol/faults';
import type { Report } from '../protocol/messages';

/** @returns Where the cache tensors were at the end. */
export async function* runGrowth(
  context: PassContext,
  work: { prompt: string; promptTokens: number; steps: number },
): AsyncGenerator<Report, Record<string, number>> {
  const { pass, model, ledger } = context;
  const stopped = (): boolean => context.signal.aborted;
  const prompt =
    work.prompt === ''
      ? seededTokens(pass.seed, work.promptTokens, BYTE_VOCAB_SIZE)
      : await model.tokenize(work.prompt);
  if (prompt.length === 0) throw new LabError('prompt-empty');
  const rows = Array.from({ length: pass.batch }, () => prompt);
  const cache = model.emptyCache();
  let locations: Record<string, number> = {};
  const count = () => {
    const tensors = [...cache.tensors().values()];
    locations = ledger.locations(tensors);
    return { tensorBytes: ledger.tensorBytes(tensors), residentBytes: ledger.residentBytes(tensors) };
  };
  try {
    yield context.phase('prefill', 0, prompt.length);
    let logits: Float32Array[] = [];
    for await (const chunk of prefill(context, cache, rows, 0, prompt.length)) {
      logits = chunk.logits;
      yield context.phase('prefill', chunk.tokens, prompt.length);
    }
    if (stopped()) return locations;
    yield { type: 'prompt', passId: pass.id, tokens: prompt.length, ...count() };

    for (let step = 0; step < work.steps && !stopped(); step++) {
      const tokens = prompt.length + step + 1;
      const fault = bufferFault(context, tokens);
      if (fault) throw new LabError(fault.code, fault.params, fault.detail);
      const startedAt = performance.now();
      logits = await forward(
        context,
        cache,
        logits.map((row) => [argmax(row)]),
        tokens - 1,
      );
      const ms = performance.now() - startedAt;
      yield {
        type: 'step',
        passId: pass.id,
        step: { tokens, ...count(), deviceBytes: context.device(), ms },
      };
      yield context.phase('decode', step + 1, work.steps);
    }
    return locations;
  } finally {
    await cache.dispose();
  }
}

/** Index of the largest value; the first of equals. @throws LabError when a logit is NaN. */
export function argmax(values: Float32Array): number {
  let best = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? NaN;
    if (Number.isNaN(value))
      throw new LabError('run-failed', { detail: 'the model’s logits are not numbers (NaN)' });
    if (value > (values[best] ?? -Infinity)) best = i;
  }
  return best;
}
