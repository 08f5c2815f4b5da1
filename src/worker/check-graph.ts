/** Check `graph-cache`: does the loaded graph keep what its config.json says? */
import type { Geometry } from '../geometry/geometry';
import type { Pass } from '../protocol/messages';
import type { Check, GraphCacheEntry } from '../protocol/record';

const GRAPH_TYPE = { fp32: 'float32', fp16: 'float16' } as const;

/** Compares the session's cache inputs, by layer, with the geometry: KV heads, dims and element type. */
export function checkGraph(geometry: Geometry, pass: Pass, graphCache: readonly GraphCacheEntry[]): Check {
  const type = GRAPH_TYPE[pass.dtype];
  const expected = geometry.caches.flatMap(({ layer, kvHeads, keyDim, valueDim }) => [
    `past_key_values.${layer}.key ${type} ${kvHeads} x ${keyDim}`,
    `past_key_values.${layer}.value ${type} ${kvHeads} x ${valueDim}`,
  ]);
  const found = new Set(
    graphCache.map(({ name, type: found, dims }) => `${name} ${found} ${dims[1] ?? '?'} x ${dims[3] ?? '?'}`),
  );
  const missing = expected.filter((line) => !found.has(line));
  const summary = (count: number): string => `${count} cache inputs`;
  return {
    name: 'graph-cache',
    model: pass.model,
    pass: missing.length === 0 && graphCache.length === expected.length,
    expected: `${summary(expected.length)}, ${geometry.kvHeads} KV heads x ${geometry.headDim}, ${type}`,
    measured: `${summary(graphCache.length)}${missing.length > 0 ? `; not found: ${missing.slice(0, 3).join('; ')}` : ''}`,
    detail: '',
  };
}
