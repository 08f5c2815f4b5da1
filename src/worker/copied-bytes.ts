/** Bytes of keys and values that a pass put into other memory: told by the memory behind the tensors, never by a formula. */
import { tensorBytes, type LedgerTensor } from './ledger';
import { KV_TENSOR } from './prefill';
import type { KvCache } from './runtime-types';

/**
 * Begins to count. The function that it returns gives, after the pass, the bytes that were copied since: those that the cache itself
 * counted, or else all that a tensor held whose memory is another one now. Each tensor counts once, even where the runtime copies
 * it more than once on its way.
 */
export function startCopies(cache: KvCache): () => number {
  const { copiedBytes } = cache;
  if (copiedBytes !== undefined) return () => (cache.copiedBytes ?? 0) - copiedBytes;
  const before = new Map(cache.tensors());
  return () => tensorBytes(moved(before, cache.tensors()));
}

/** The tensors of `before` that are elsewhere in `after`. */
function* moved(
  before: ReadonlyMap<string, LedgerTensor>,
  after: ReadonlyMap<string, LedgerTensor>,
): Generator<LedgerTensor> {
  for (const [name, old] of before) {
    const now = after.get(name);
    if (KV_TENSOR.test(name) && now !== undefined && memoryOf(now) !== memoryOf(old)) yield old;
  }
}

function memoryOf({ gpuBuffer, cpuData }: LedgerTensor): unknown {
  return gpuBuffer ?? cpuData;
}
