/** Check `graph-cache`: does the loaded graph keep what its geometry says? */
import type { Geometry } from '../geometry/geometry';
import { attentionNumbers } from '../model/cache-parts';
import { makeCheck, say } from '../protocol/checks';
import type { Check, GraphCacheEntry, ModelRecord } from '../protocol/record';
import { itemSize } from './ledger';
import { KV_TENSOR } from './prefill';

/** Inputs for states: of a layer's convolutions, and of its recurrence under either name. */
const STATE_TENSOR = /^past_(conv|ssm|recurrent)\.(\d+)/;

/**
 * Compares the session's inputs for keys and values, by layer, with the geometry: KV heads, dims and element type; and those
 * for states by layer and kind: elements, counted in units of that type.
 * @param geometry What the cache must have; dims of an entry whose elements have a size of their own (quantised: bytes) are counted
 *   in elements of the cache's type.
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
  const attention = geometry.caches.find(({ keyDim }) => keyDim > 0);
  const expected = [
    ...[...attentionNumbers(geometry)].flatMap(([{ kvHeads, keyDim, valueDim, elementBytes }, number]) => {
      const dims = (dim: number): string => `${type} ${kvHeads} x ${dimIn(type, dim, elementBytes)}`;
      return [
        `past_key_values.${number}.key ${dims(keyDim)}`,
        ...(valueDim > 0 ? [`past_key_values.${number}.value ${dims(valueDim)}`] : []),
      ];
    }),
    ...stateLines(statesOf(geometry)),
  ];
  const states = stateLines(graphCache.flatMap((input) => stateOf(input, type)));
  const found = new Set([
    ...inputs.map(({ name, type: found, dims }) => `${name} ${found} ${dims[1] ?? '?'} x ${dims[3] ?? '?'}`),
    ...states,
  ]);
  const missing = expected.filter((line) => !found.has(line));
  const extra = [...found].filter((line) => !expected.includes(line));
  const count = inputs.length + states.length;
  return makeCheck('graph-cache', id, missing.length === 0 && count === expected.length, {
    expected: say('graph-expected', {
      count: expected.length,
      kvHeads: geometry.kvHeads,
      headDim: dimIn(type, geometry.headDim, attention?.elementBytes),
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

/** A dim in elements of `type`; the type's own where `elementBytes` is left out. */
function dimIn(type: string, dim: number, elementBytes: number | undefined): number {
  return elementBytes === undefined || type === '' ? dim : (dim * elementBytes) / itemSize(type);
}

/** Elements of one sequence's states. */
interface LayerState {
  layer: number;
  kind: 'conv' | 'state';
  elements: number;
}

function statesOf({ caches }: Geometry): LayerState[] {
  return caches.flatMap(({ layer, kind, fixedElements }): LayerState[] =>
    (kind !== 'conv' && kind !== 'recurrent') || fixedElements === 0
      ? []
      : [{ layer, kind: kind === 'conv' ? 'conv' : 'state', elements: fixedElements }],
  );
}

/** @param unit The type in whose elements the state is counted: a float32 state of a float16 cache has twice as many. */
function stateOf({ name, type, dims }: GraphCacheEntry, unit: string): LayerState[] {
  const [, store, layer] = STATE_TENSOR.exec(name) ?? [];
  if (store === undefined) return [];
  const elements = dims.slice(1).reduce<number>((product, dim) => product * Number(dim), 1);
  const size = unit === '' ? 1 : itemSize(type) / itemSize(unit);
  return [{ layer: Number(layer), kind: store === 'conv' ? 'conv' : 'state', elements: elements * size }];
}

/** One line a layer and kind; a layer can have several convolutions. */
function stateLines(states: readonly LayerState[]): string[] {
  const sums = new Map<string, number>();
  for (const { layer, kind, elements } of states) {
    const key = `${kind} of layer ${layer}`;
    sums.set(key, (sums.get(key) ?? 0) + elements);
  }
  return [...sums].map(([key, elements]) => `${key}: ${elements} elements`);
}
