/**
 * What caches have in common whose memory we make and give to the graph's attention (GroupQueryAttention), which appends in place
 * where the same memory is bound as its past and as its present: names, shapes, and what came out of a pass.
 */
import type { CacheMemory } from './cache-memory';
import { memoryOf } from './cache-memory';
import { PRESENT_TO_PAST, type RuntimeTensor } from './dynamic-cache';
import { tensorBytes } from './ledger';
import type { KvCache } from './runtime-types';
import { LabError } from '../protocol/faults';
import type { GraphCacheEntry } from '../protocol/record';

/** A cache that is bound to a forward pass: `open`, then the pass with `inputs` and `outputs`, then `take`. */
export interface BoundCache<T extends RuntimeTensor> extends KvCache {
  /**
   * Makes ready for a pass.
   * @param past Tokens per sequence in the cache.
   * @param tokens New tokens per sequence.
   */
  open(past: number, tokens: number): void;
  /** What the pass takes as `past_key_values.*`. */
  inputs(): ReadonlyMap<string, T>;
  /** The same tensors as what it shall write to, by output name; empty where it cannot write in place. */
  outputs(): Map<string, T>;
  /**
   * Takes what the pass gave, and notes that so many tokens per sequence are in the cache now.
   * @throws LabError static-dims naming the first tensor that has other dims than what it was given.
   */
  take(outputs: Readonly<Record<string, T>>, written: number): void;
}

/** Heads and head dim of each cache input, and its name and type. @throws LabError model-cache-shape where they are not numbers. */
export function headsOf(
  graphCache: readonly GraphCacheEntry[],
): { name: string; type: string; heads: number; headDim: number }[] {
  // [batch, KV heads, tokens, head dim]
  return graphCache.map(({ name, type, dims }) => {
    const [, heads, , headDim] = dims;
    if (typeof heads !== 'number' || typeof headDim !== 'number' || dims.length !== 4)
      throw new LabError('model-cache-shape', { tensor: name, dims: dims.join(', ') });
    return { name, type, heads, headDim };
  });
}

/** Tensors by the output names of a graph; none where it does not write in place. */
export function outputsOf<T extends RuntimeTensor>(
  { inPlace }: CacheMemory<T>,
  held: ReadonlyMap<string, T>,
): Map<string, T> {
  return inPlace
    ? new Map([...held].map(([name, tensor]) => [presentName(name), tensor]))
    : new Map<string, T>();
}

/**
 * The tensors that a pass gave for those that it was given, by input name, and the bytes of those that came back in other memory.
 * @throws LabError static-dims naming the first that has other dims.
 */
export function presentOf<T extends RuntimeTensor>(
  given: ReadonlyMap<string, T>,
  outputs: Readonly<Record<string, T>>,
): { present: Map<string, T>; movedBytes: number } {
  const present = new Map<string, T>();
  let movedBytes = 0;
  for (const [name, before] of given) {
    const after = outputs[presentName(name)];
    if (after?.dims.join() !== before.dims.join()) {
      const found = after === undefined ? 'nothing' : after.dims.join(', ');
      throw new LabError('static-dims', { tensor: name, found, expected: before.dims.join(', ') });
    }
    if (memoryOf(after) !== memoryOf(before)) movedBytes += tensorBytes([before]);
    present.set(name, after);
  }
  return { present, movedBytes };
}

function presentName(past: string): string {
  const [present, prefix] = PRESENT_TO_PAST[1];
  return present + past.slice(prefix.length);
}

/**
 * ONNX Runtime's refusal to put an output into the buffer it was given, in our words; null for any other error. It says either
 * "provided for output 'present.0.key' of node … has shape {1,2,64,32} but the computed output shape for this run is {…}" (seen
 * in 1.31.0-dev) or "Failed to generate kernel's output[1] with dims [1,2,532,64]" (onnxruntime issue 23061), whose number is
 * that of the operator's output: 1 for keys and 2 for values.
 */
export function dimsRefusal(message: string, expected: ReadonlyMap<string, RuntimeTensor>): LabError | null {
  const named = /output '([^']+)'.*computed output shape for this run is \{([\d,]+)\}/s.exec(message);
  const numbered = /output\[(\d+)\] with dims \[([\d, ]+)\]/.exec(message);
  const [tensor, found] =
    named !== null
      ? [named[1] ?? '', named[2] ?? '']
      : numbered !== null
        ? [numbered[1] === '2' ? 'present.*.value' : 'present.*.key', numbered[2] ?? '']
        : [null, ''];
  if (tensor === null) return null;
  const dims = (expected.get(tensor) ?? [...expected.values()][0])?.dims ?? [];
  const params = { tensor, found: found.split(/,\s*/).join(', '), expected: dims.join(', ') };
  return new LabError('static-dims', params, message);
}
