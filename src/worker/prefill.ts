/** Chunked prefill: feeds tokens in chunks, last logits only, and checks the cache after each. */
import type { PassContext } from './run-experiment';
import type { KvCache } from './runtime-types';
import { LabError } from '../protocol/faults';
import type { Pass } from '../protocol/messages';

/** Tokens per chunk when the recipe leaves it to the lab. */
const DEFAULT_CHUNK = 512;

/**
 * Runs one forward pass and checks that every cache tensor grew by exactly the tokens that were fed
 * (ONNX Runtime's in-place attention has broken growing caches before: onnxruntime issue 32716).
 * @returns The logits of the last position, [batch][vocabulary].
 * @throws LabError `cache-mismatch` naming the tensor.
 */
export async function forward(
  { model, gpu }: Pick<PassContext, 'model' | 'gpu'>,
  cache: KvCache,
  tokens: number[][],
  pastTokens: number,
): Promise<Float32Array[]> {
  const logits = await gpu.guard(model.forward(tokens, pastTokens, cache));
  gpu.check();
  const expected = pastTokens + (tokens[0]?.length ?? 0);
  for (const [name, { dims }] of cache.tensors()) {
    // [batch, KV heads, tokens, head dim]
    if (name.startsWith('past_key_values.') && dims.at(-2) !== expected) {
      throw new LabError('cache-mismatch', {
        tensor: name,
        found: `[${dims.join(', ')}]`,
        expected: `${expected} tokens`,
      });
    }
  }
  return logits;
}

/**
 * Whether a prompt can be fed in chunks. ONNX Runtime's GroupQueryAttention takes several tokens on top of a past for one
 * sequence only ("batch_size must be 1 when sequence_length > 1 and past context is given").
 */
export function canChunk({ batch }: Pass): boolean {
  return batch === 1;
}

/**
 * Feeds `tokens[from..to)` in chunks, or in one piece where the batch allows no chunks (`from` must then be 0), yielding after each the number of tokens that are in the cache.
 * Stops early, between chunks, when the signal is aborted.
 * @param rows [batch][tokens], at least `to` long.
 */
export async function* prefill(
  context: Pick<PassContext, 'model' | 'gpu' | 'pass' | 'signal'>,
  cache: KvCache,
  rows: number[][],
  from: number,
  to: number,
): AsyncGenerator<{ tokens: number; logits: Float32Array[] }> {
  const chunk = canChunk(context.pass) ? context.pass.chunk || DEFAULT_CHUNK : Math.max(1, to - from);
  for (let start = from; start < to && !context.signal.aborted; start += chunk) {
    const end = Math.min(start + chunk, to);
    const logits = await forward(
      context,
      cache,
      rows.map((row) => row.slice(start, end)),
      start,
    );
    yield { tokens: end, logits };
  }
}
