/** Chunked prefill: feeds tokens in chunks, last logits only where the graph allows it, and checks the cache after each. */
import { makeRoom } from './caches';
import type { PassContext } from './run-experiment';
import type { Forward, ForwardOptions, KvCache } from './runtime-types';
import { LabError } from '../protocol/faults';

/**
 * Tokens per chunk when the recipe leaves it to the lab: the fastest of 128, 256, 512 and 1,024 on SwiftShader with
 * Qwen2.5-0.5B's twin (from 1,024 to 2,048 tokens 75, 48, 45 and 67 s, in one session on a busy machine).
 */
const DEFAULT_CHUNK = 512;
/** Bytes that the logits of one forward pass may take where the graph gives those of all its tokens. */
const LOGITS_LIMIT_BYTES = 256 * 2 ** 20;
const LOGIT_BYTES = 4;
/** Keys and values: [batch, KV heads, tokens, head dim]. States of other layers do not grow. */
export const KV_TENSOR = /^past_key_values\.\d+\.(key|value)$/;

/**
 * Runs one forward pass and checks that every cache tensor grew by exactly the tokens that were fed, or kept its room
 * (ONNX Runtime's in-place attention has broken growing caches before: onnxruntime issue 32716).
 * @param options As {@link LoadedModel.forward} takes them.
 * @throws LabError `cache-mismatch` naming the tensor; static-full, paged-full, static-dims, buffer-too-large for a preallocated cache.
 */
export async function forward(
  context: Pick<PassContext, 'pass' | 'model' | 'gpu'>,
  cache: KvCache,
  tokens: number[][],
  pastTokens: number,
  options: ForwardOptions = {},
): Promise<Forward> {
  const { model, gpu } = context;
  const tokensAfter = pastTokens + (tokens[0]?.length ?? 0);
  makeRoom(context, cache, tokensAfter);
  const result = await gpu.guard(model.forward(tokens, pastTokens, cache, options));
  gpu.check();
  const expected = cache.preallocated?.axisTokens ?? tokensAfter;
  for (const [name, { dims }] of cache.tensors()) {
    if (KV_TENSOR.test(name) && dims.at(-2) !== expected) {
      throw new LabError('cache-mismatch', {
        tensor: name,
        found: `[${dims.join(', ')}]`,
        expected: `${expected} tokens`,
      });
    }
  }
  return result;
}

/** Logits of the first sequence. @throws Error for a pass that gave none. */
export function firstRow({ logits }: Forward): Float32Array {
  const [row] = logits;
  if (!row) throw new Error('the forward pass gave no logits');
  return row;
}

/**
 * Whether a prompt can be fed in chunks. ONNX Runtime's GroupQueryAttention takes several tokens on top of a past for one
 * sequence only ("batch_size must be 1 when sequence_length > 1 and past context is given").
 */
export function canChunk({ pass, subject }: Pick<PassContext, 'pass' | 'subject'>): boolean {
  return pass.batch === 1 || subject.chunksBatches;
}

/** Tokens per chunk: the recipe's or the lab's choice, less where a graph without `num_logits_to_keep` would give too many logits. */
export function chunkTokens({ pass, subject }: Pick<PassContext, 'pass' | 'subject'>): number {
  const wanted = pass.chunk || DEFAULT_CHUNK;
  if (subject.keepsLogits) return wanted;
  const most = Math.floor(LOGITS_LIMIT_BYTES / (pass.batch * subject.vocabSize * LOGIT_BYTES));
  return Math.max(1, Math.min(wanted, most));
}

/**
 * Feeds `tokens[from..to)` in chunks, or in one piece where the batch allows no chunks (`from` must then be 0), yielding
 * after each the number of tokens that are in the cache. Stops early, between chunks, when the signal is aborted.
 * @param rows [batch][tokens], at least `to` long.
 */
export async function* prefill(
  context: Pick<PassContext, 'model' | 'gpu' | 'pass' | 'signal' | 'subject'>,
  cache: KvCache,
  rows: number[][],
  from: number,
  to: number,
): AsyncGenerator<Forward & { tokens: number }> {
  const chunk = canChunk(context) ? chunkTokens(context) : Math.max(1, to - from);
  for (let start = from; start < to && !context.signal.aborted; start += chunk) {
    const end = Math.min(start + chunk, to);
    const result = await forward(
      context,
      cache,
      rows.map((row) => row.slice(start, end)),
      start,
    );
    yield { ...result, tokens: end };
  }
}
