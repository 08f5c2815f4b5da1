/** Check `graph-cache`: does the loaded graph keep what its geometry says? */
import type { Geometry } from '../geometry/geometry';
import { makeCheck, say } from '../protocol/checks';
import type { Check, GraphCacheEntry, ModelRecord } from '../protocol/record';
import { KV_TENSOR } from './prefill';

/**
 * Compares the session's inputs for keys and values, by layer, with the geometry: KV heads, dims and element type.
 * @param geometryFrom `graph`: the geometry is the graph's own, and the check says that it cannot fail.
 * @param cacheType Element type that the cache must have; null takes the graph's own, which must then be one for all.
 */
export function checkGraph(
  id: string,
  geometry: Geometry,
  cacheType: string | null,
  graphCache: readonly GraphCacheEntry[],
  geometryFrom: ModelRecord['geometryFrom'] = 'config',
): Check {
  const inputs = graphCache.filter(({ name }) => KV_TENSOR.test(name));
  const type = cacheType ?? inputs[0]?.type ?? '';
  const expected = geometry.caches
    .filter(({ kvHeads }) => kvHeads > 0)
    .flatMap(({ layer, kvHeads, keyDim, valueDim }) => [
      `past_key_values.${layer}.key ${type} ${kvHeads} x ${keyDim}`,
      `past_key_values.${layer}.value ${type} ${kvHeads} x ${valueDim}`,
    ]);
  const found = new Set(
    inputs.map(({ name, type: found, dims }) => `${name} ${found} ${dims[1] ?? '?'} x ${dims[3] ?? '?'}`),
  );
  const missing = expected.filter((line) => !found.has(line));
  const extra = [...found].filter((line) => !expected.includes(line));
  const count = inputs.length;
  return makeCheck('graph-cache', id, missing.length === 0 && count === expected.length, {
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
    detail:
      extra.length > 0
        ? say('graph-instead', { found: extra.slice(0, 3).join('; ') })
        : geometryFrom === 'graph'
          ? say('graph-itself')
          : null,
  });
}
