/** A preallocated cache without a GPU for the tests of this folder: the real one over plain arrays, and what a graph does to it. */
import type { BoundCache } from './bound-cache';
import { arrayMemory, type CacheMemory } from './cache-memory';
import type { RuntimeTensor } from './dynamic-cache';
import { PagedKvCache } from './paged-cache';
import { StaticKvCache } from './static-cache';

export type FakeTensor = RuntimeTensor & { ort_tensor: { data: Float32Array | Uint16Array } };

export function fakeTensor(type: string, dims: readonly number[]): FakeTensor {
  const size = dims.reduce((product, dim) => product * dim, 1);
  const data = type === 'float16' ? new Uint16Array(size) : new Float32Array(size);
  return { type, dims: [...dims], location: 'cpu', ort_tensor: { data } };
}

export const fakeMemory: CacheMemory<FakeTensor> = arrayMemory(fakeTensor);

export function isFakeBound(cache: unknown): cache is BoundCache<FakeTensor> {
  return cache instanceof StaticKvCache || cache instanceof PagedKvCache;
}

/**
 * What ONNX Runtime's WASM does: gives copies of all tensors, with the new rows in them.
 * @param grow Rows too many that the graph's tensors come out with.
 * @param value What is written to every element of the new rows.
 */
export function appendRows(
  cache: BoundCache<FakeTensor>,
  past: number,
  count: number,
  { grow = 0, value = 1 } = {},
): void {
  const outputs: Record<string, FakeTensor> = {};
  cache.open(past, count);
  for (const [name, { type, dims, ort_tensor: held }] of cache.inputs()) {
    const [batch = 0, heads = 0, room = 0, dim = 0] = dims;
    const made = fakeTensor(type, [batch, heads, room + grow, dim]);
    if (grow === 0) made.ort_tensor.data.set(held.data);
    for (let head = 0; head < batch * heads; head++) {
      const start = (head * (room + grow) + past) * dim;
      made.ort_tensor.data.fill(value, start, start + count * dim);
    }
    outputs[name.replace('past_key_values', 'present')] = made;
  }
  cache.take(outputs, past + count);
}
