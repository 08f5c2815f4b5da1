/** The layers of a geometry, each with its bytes, and those that are alike put together. Pure. */
import { plainEntry, stateElementBytes } from '../../geometry/engines/entry';
import type { KvDtype } from '../../geometry/engines/kv-dtype';
import type { Geometry, LayerCache, LayerCacheKind } from '../../geometry/geometry';

/** Of one sequence, under the ideal rule. */
export interface LayerBytes {
  /** Bytes that the first token adds. */
  first: number;
  /** Bytes that a token adds in the long run; may have a fraction. */
  far: number;
  /** Bytes whatever the length. */
  fixed: number;
}

export interface LayerView extends LayerBytes {
  /** 0-based. */
  layer: number;
  entries: LayerCache[];
  /** Kinds of the entries, each once, attention first; `none` alone where nothing is kept. */
  kinds: LayerCacheKind[];
}

/** Layers with the same entries; the bytes are those of one layer. */
export interface LayerGroup extends LayerBytes {
  kinds: LayerCacheKind[];
  /** Of the first layer. */
  entries: LayerCache[];
  layers: LayerView[];
}

/** One letter a kind, so that colour is never the only sign. */
export const KIND_LETTERS: Record<LayerCacheKind, string> = {
  full: 'F',
  sliding: 'S',
  chunked: 'K',
  latent: 'L',
  indexer: 'I',
  compressed: 'Z',
  recurrent: 'R',
  conv: 'C',
  cross: 'X',
  shared: '=',
  none: '·',
};

/** What a layer is first of all: attention before states, states before their convolutions. */
const ORDER = Object.keys(KIND_LETTERS);

/** Every layer of the geometry in its order. */
export function layerViews(geometry: Geometry, dtype: KvDtype): LayerView[] {
  const stateBytes = stateElementBytes(geometry, dtype);
  const byLayer = new Map<number, LayerCache[]>();
  for (const cache of geometry.caches) {
    const entries = byLayer.get(cache.layer);
    if (entries) entries.push(cache);
    else byLayer.set(cache.layer, [cache]);
  }
  return [...byLayer].map(([layer, entries]) => {
    const sizes = entries.map((cache) => plainEntry(cache, { dtype, tokens: 0, stateBytes }));
    const sum = (of: (size: (typeof sizes)[number]) => number): number =>
      sizes.reduce((total, size) => total + of(size), 0);
    const kinds = [...new Set(entries.map(({ kind }) => kind))].sort(
      (a, b) => ORDER.indexOf(a) - ORDER.indexOf(b),
    );
    const kept = kinds.filter((kind) => kind !== 'none');
    return {
      layer,
      entries,
      kinds: kept.length === 0 ? ['none'] : kept,
      first: sum((size) => size.first),
      far: sum((size) => size.far),
      fixed: sum((size) => size.fixed),
    };
  });
}

/** Layers that keep the same, in the order of their first layer. */
export function groupLayers(views: readonly LayerView[]): LayerGroup[] {
  const groups = new Map<string, LayerGroup>();
  for (const view of views) {
    const key = JSON.stringify(view.entries.map(comparable));
    const group = groups.get(key);
    if (group) group.layers.push(view);
    else {
      const { kinds, entries, first, far, fixed } = view;
      groups.set(key, { kinds, entries, first, far, fixed, layers: [view] });
    }
  }
  return [...groups.values()];
}

/** An entry without what tells layers apart that are alike: its number, and which layer it shares with. */
function comparable(cache: LayerCache): Partial<LayerCache> {
  return { ...cache, layer: 0, sharedWith: undefined };
}

/** More ranges than these are cut in the middle; every layer is in the other table. */
const MOST_RANGES = 8;

/**
 * Layer numbers in short: `0–4, 6, 8`; a regular pattern as `3, 7, 11 … 63`.
 * @param layers Ascending.
 */
export function layerRanges(layers: readonly number[]): string {
  const [first, second] = layers;
  const last = layers.at(-1);
  if (first === undefined || last === undefined) return '';
  const step = second === undefined ? 0 : second - first;
  if (layers.length > 3 && step > 1 && layers.every((layer, at) => layer === first + at * step))
    return `${first}, ${first + step}, ${first + 2 * step} … ${last}`;
  const parts: [number, number][] = [];
  for (const layer of layers) {
    const run = parts.at(-1);
    if (run && layer === run[1] + 1) run[1] = layer;
    else parts.push([layer, layer]);
  }
  const texts = parts.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`));
  return texts.length > MOST_RANGES
    ? `${texts.slice(0, 3).join(', ')} … ${texts.at(-1) ?? ''}`
    : texts.join(', ');
}
