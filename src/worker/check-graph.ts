/** Check `graph-cache`: does the loaded graph keep what its config.json says? */
import type { Geometry } from '../geometry/geometry';
import { makeCheck, say } from '../protocol/checks';
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
  const count = graphCache.length;
  return makeCheck('graph-cache', pass.model, missing.length === 0 && count === expected.length, {
    expected: say('graph-expected', {
      count: expected.length,
      kvHeads: geometry.kvHeads,
      headDim: geometry.headDim,
      type,
    }),
    measured:
      missing.length === 0
        ? say('graph-found', { count })
        : say('graph-missing', { count, missing: missing.slice(0, 3).join('; ') }),
  });
}
