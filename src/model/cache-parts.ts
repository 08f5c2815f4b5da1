/** The cache of a transformers.js export, part by part: which inputs a geometry needs, under which names and in which shapes. */
import type { Geometry, LayerCache, LayerCacheKind } from '../geometry/geometry';
import { LabError } from '../protocol/faults';

/** A cache tensor by its input and output names. */
export interface PortNames {
  past: string;
  present: string;
}

/** One entry of a layer, as the graph keeps it. */
export type CachePart =
  /** Keys [batch, heads, tokens, keyDim] and values [batch, heads, tokens, valueDim]; without values where valueDim is 0. */
  | { kind: 'attention'; layer: number; kvHeads: number; keyDim: number; valueDim: number }
  /** The last inputs of a convolution, [batch, channels, kernel]. */
  | { kind: 'conv'; layer: number; names: PortNames; channels: number; kernel: number }
  /** A recurrent state, [batch, ...dims]. */
  | { kind: 'state'; layer: number; names: PortNames; dims: number[] };

/**
 * Whose names a family's states have in transformers.js 4.3 (src/configs.js, `getCacheNames`); `plain` families have none.
 * A family that it does not know borrows Granite's, as its Mamba layers are the commonest.
 */
export type StateRule = 'lfm2' | 'granite' | 'qwen' | 'olmo';

const RULE_OF_TYPE: Partial<Record<string, StateRule>> = {
  lfm2: 'lfm2',
  lfm2_moe: 'lfm2',
  lfm2_vl: 'lfm2',
  'lfm2-vl': 'lfm2',
  lfm3: 'lfm2',
  granitemoehybrid: 'granite',
  falcon_h1: 'granite',
  nemotron_h: 'granite',
  qwen3_next: 'qwen',
  qwen3_5: 'qwen',
  qwen3_5_text: 'qwen',
  qwen3_5_moe: 'qwen',
  qwen3_5_moe_text: 'qwen',
  olmo_hybrid: 'olmo',
};

/** The rule of a model_type, and whether transformers.js knows the type or it was borrowed. */
export function stateRuleOf(modelType: string): { rule: StateRule; borrowed: boolean } {
  const rule = Object.hasOwn(RULE_OF_TYPE, modelType) ? RULE_OF_TYPE[modelType] : undefined;
  return { rule: rule ?? 'granite', borrowed: rule === undefined };
}

/** Layers of attention that are all alike. */
export function attentionParts(layers: number, kvHeads: number, headDim: number): CachePart[] {
  return Array.from({ length: layers }, (_, layer) => ({
    kind: 'attention',
    layer,
    kvHeads,
    keyDim: headDim,
    valueDim: headDim,
  }));
}

/** Names of a layer's keys or values. */
export function keyValueNames(layer: number, part: 'key' | 'value'): PortNames {
  return { past: `past_key_values.${layer}.${part}`, present: `present.${layer}.${part}` };
}

/**
 * The parts of a cache, in the order of their layers. Entries that hold nothing (shared, none) have no part.
 * @param geometry Under the graph's rule, see `underGraphRule`.
 * @throws LabError twin-not-built for an entry that has no twin: a cross cache, compressed keys, an indexer, or two entries
 *   of a layer that would have one name.
 */
export function cacheParts(geometry: Geometry): CachePart[] {
  const { rule } = stateRuleOf(geometry.modelType);
  const numbers = attentionNumbers(geometry);
  const parts = geometry.caches.flatMap((cache) => partsOf(cache, rule, geometry, numbers.get(cache)));
  const names = parts.flatMap((part) =>
    part.kind === 'attention' ? keyValueNames(part.layer, 'key').past : part.names.past,
  );
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new LabError('twin-not-built', { model: geometry.modelType, what: twice });
  return parts;
}

/**
 * The numbers that keys and values have in their names, of every entry that keeps some: those of the layers, or, where a
 * layer has two attentions (LongCat), all of them counted on, as transformers counts their caches (configuration_longcat_flash.py).
 */
export function attentionNumbers({ caches }: Pick<Geometry, 'caches'>): Map<LayerCache, number> {
  const own = caches.filter(({ kind, kvHeads }) => KEY_KINDS.includes(kind) && kvHeads > 0);
  const twice = new Set(own.map(({ layer }) => layer)).size < own.length;
  return new Map(own.map((cache, index) => [cache, twice ? index : cache.layer]));
}

/** Kinds whose entry is keys and values of every token in the graph. */
const KEY_KINDS: readonly LayerCacheKind[] = ['full', 'sliding', 'chunked', 'latent'];

function partsOf(
  cache: LayerCache,
  rule: StateRule,
  geometry: Geometry,
  number: number | undefined,
): CachePart[] {
  const { layer, kind, kvHeads, keyDim, valueDim } = cache;
  switch (kind) {
    case 'full':
    case 'sliding':
    case 'chunked':
    case 'latent':
      return number === undefined ? [] : [{ kind: 'attention', layer: number, kvHeads, keyDim, valueDim }];
    case 'conv':
      return cache.fixedElements === 0 ? [] : convParts(cache, rule, geometry);
    case 'recurrent':
      if (cache.fixedElements === 0) return [];
      return [
        {
          kind: 'state',
          layer,
          names: stateNames(rule === 'granite' ? 'ssm' : 'recurrent', layer),
          dims: stateDims(cache, rule),
        },
      ];
    case 'shared':
    case 'none':
      return [];
    case 'cross':
    case 'compressed':
    case 'indexer':
      throw new LabError('twin-not-built', { model: geometry.modelType, what: kind });
  }
}

/** One convolution, or three under OLMo's rule: of keys and queries, which are alike, and of values. */
function convParts(cache: LayerCache, rule: StateRule, geometry: Geometry): CachePart[] {
  const { layer } = cache;
  const { channels, kernel } = cache.conv ?? { channels: cache.fixedElements, kernel: 1 };
  if (rule !== 'olmo') {
    // Convolutions of queries, keys and values apart (Kimi) stand one behind the other in one input.
    const all = geometry.caches.filter((other) => other.kind === 'conv' && other.layer === layer);
    if (all[0] !== cache) return [];
    const sum = all.reduce((total, other) => total + (other.conv?.channels ?? other.fixedElements), 0);
    return [{ kind: 'conv', layer, names: stateNames('conv', layer), channels: sum, kernel }];
  }
  const part = (name: string, wide: number): CachePart => ({
    kind: 'conv',
    layer,
    names: stateNames('conv', layer, `.${name}`),
    channels: wide,
    kernel,
  });
  const own = geometry.caches.filter((other) => other.kind === 'conv' && other.layer === layer);
  if (own.length === OLMO_CONVS.length) {
    return [part(OLMO_CONVS[own.indexOf(cache)] ?? 'key', channels)];
  }
  const values = valueChannels(geometry, layer) ?? Math.ceil(channels / 3);
  const keys = (channels - values) / 2;
  if (!Number.isInteger(keys) || keys < 1)
    throw new LabError('twin-not-built', { model: geometry.modelType, what: 'conv' });
  return [part('key', keys), part('value', values), part('query', keys)];
}

/** The order in which the reader gives the three of a layer. */
const OLMO_CONVS = ['query', 'key', 'value'];

/**
 * A geometry has the state of a delta rule as [heads, value dim, key dim], which is vLLM's order; Hugging Face's cache, and so
 * an export, has [heads, key dim, value dim] (modeling_qwen3_next.py, `torch_chunk_gated_delta_rule`).
 */
function stateDims({ stateDims: dims, fixedElements }: LayerCache, rule: StateRule): number[] {
  const [heads, valueDim, keyDim] = dims ?? [];
  const delta = rule === 'qwen' || rule === 'olmo';
  if (delta && dims?.length === 3 && heads !== undefined && valueDim !== undefined && keyDim !== undefined)
    return [heads, keyDim, valueDim];
  return dims ?? [fixedElements];
}

/** Value heads x value dim, from the layer's own state [heads, value dim, key dim]. */
function valueChannels(geometry: Geometry, layer: number): number | null {
  const state = geometry.caches.find((cache) => cache.layer === layer && cache.kind === 'recurrent');
  const [heads, valueDim] = state?.stateDims ?? [];
  return heads === undefined || valueDim === undefined ? null : heads * valueDim;
}

function stateNames(store: 'conv' | 'ssm' | 'recurrent', layer: number, end = ''): PortNames {
  return { past: `past_${store}.${layer}${end}`, present: `present_${store}.${layer}${end}` };
}
