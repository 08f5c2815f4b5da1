/** Geometry from a graph's own cache inputs, for families whose config.json is not read yet. */
import { decoderPart } from '../geometry/nested';
import { FIELDS, isObject, modelTypeOf, type Config, type FieldSpec } from '../geometry/fields';
import type { Geometry, LayerCache, LayerCacheKind } from '../geometry/geometry';
import { LabError } from '../protocol/faults';
import type { GraphCacheEntry } from '../protocol/record';

/** Bytes of one element by ONNX Runtime's type name. */
const ELEMENT_BYTES: Partial<Record<string, number>> = {
  float64: 8,
  int64: 8,
  uint64: 8,
  float32: 4,
  int32: 4,
  uint32: 4,
  float16: 2,
  bfloat16: 2,
  int16: 2,
  uint16: 2,
  int8: 1,
  uint8: 1,
  bool: 1,
};

/** Cache inputs by family (transformers.js, src/configs.js `getCacheNames`): store, layer, and a part such as `key`. */
const CACHE_INPUT = /^past_(key_values|conv|ssm|recurrent|compressor|indexer)\.(\d+)(?:\.([\w.]+))?$/;

/** What a store keeps; keys and values are told by their part. */
const KIND_OF_STORE: Partial<Record<string, LayerCacheKind>> = {
  conv: 'conv',
  ssm: 'recurrent',
  recurrent: 'recurrent',
  compressor: 'compressed',
  indexer: 'indexer',
};

/** One cache input, taken apart. */
interface CacheInput extends GraphCacheEntry {
  layer: number;
  kind: LayerCacheKind;
  /** `key`, `value`, or whatever else the name ends in. */
  part: string;
}

/**
 * Bytes of one element of a type as ONNX Runtime names it: float32 4, float16 2, int8 1, …
 * @throws LabError model-cache-type for a type without whole bytes (int4, string) or an unknown one.
 */
export function elementBytesOf(type: string): number {
  const bytes = Object.hasOwn(ELEMENT_BYTES, type) ? ELEMENT_BYTES[type] : undefined;
  if (bytes === undefined) throw new LabError('model-cache-type', { type });
  return bytes;
}

/**
 * The geometry that a graph's cache inputs tell: keys and values [batch, KV heads, past tokens, head dim] are `full` layer
 * caches (transformers.js trims no window, so under its rule every such layer grows), all others are states whose elements
 * are the product of their dims without the batch. Layers keep the numbers of their names; a layer can have several entries.
 * `kvHeads` and `headDim` are the first full layer's (0 where there is none); layers, attention heads, width and positions
 * come from the config where it gives plain numbers, else from the graph.
 *
 * A geometry has one element size for all. Where the inputs' types differ (a float32 state in a float16 graph), elements
 * are counted in units of the first key's type ({@link cacheTypeOf}): a float32 state then has twice the elements.
 * @throws LabError model-no-cache without cache inputs; model-cache-shape for one whose size its dims do not tell;
 *   model-cache-type for an unknown element type; GeometryError for a `text_config` or `model_type` of the wrong kind.
 */
export function graphGeometry(inputs: readonly GraphCacheEntry[], config: unknown): Geometry {
  const cacheInputs = inputs.flatMap(cacheInput);
  const unit = elementBytesOf(cacheTypeOf(inputs));
  const caches = [...groupBy(cacheInputs, ({ layer, kind }) => `${layer} ${kind}`).values()]
    .map((group) => layerCache(group, unit))
    .sort((a, b) => a.layer - b.layer);
  const full = caches.find(({ kind }) => kind === 'full');
  const parts = isObject(config) ? [decoderPart(config), config] : [];
  const kvHeads = full?.kvHeads ?? 0;
  const headDim = full?.keyDim ?? 0;
  const attentionHeads = plainCount(parts, FIELDS.attentionHeads) ?? kvHeads;
  return {
    modelType: parts[0] ? modelTypeOf(parts[0]) : 'unknown',
    layers: Math.max(plainCount(parts, FIELDS.layers) ?? 0, ...caches.map(({ layer }) => layer + 1)),
    attentionHeads,
    kvHeads,
    headDim,
    hiddenSize: plainCount(parts, FIELDS.hiddenSize) ?? attentionHeads * headDim,
    maxPositions: plainCount(parts, FIELDS.maxPositions),
    caches,
  };
}

/**
 * The element type of a graph's cache: that of its first key, or of its first state where it keeps no keys.
 * @throws LabError model-no-cache.
 */
export function cacheTypeOf(inputs: readonly GraphCacheEntry[]): string {
  const cacheInputs = inputs.flatMap(cacheInput);
  const first = cacheInputs.find(({ kind }) => kind === 'full') ?? cacheInputs[0];
  if (!first) throw new LabError('model-no-cache');
  return first.type;
}

/** A graph input as a cache input; none when it is another kind of input. */
function cacheInput(entry: GraphCacheEntry): CacheInput[] {
  const [, store, layer, part = ''] = CACHE_INPUT.exec(entry.name) ?? [];
  if (store === undefined) return [];
  return [{ ...entry, layer: Number(layer), kind: KIND_OF_STORE[store] ?? kindOfPart(part), part }];
}

/** Names under past_key_values: `key`, `decoder.key`, `encoder.value`, and Zaya's `conv_state` and `shift_state`. */
function kindOfPart(part: string): LayerCacheKind {
  if (part.startsWith('encoder.')) return 'cross';
  if (part.startsWith('conv')) return 'conv';
  return /^(decoder\.)?(key|value)$/.test(part) ? 'full' : 'recurrent';
}

function layerCache(group: readonly CacheInput[], unit: number): LayerCache {
  const [first] = group;
  if (!first) throw new RangeError('a group has at least one input');
  const { layer, kind } = first;
  if (kind === 'full') return fullCache(group, unit, first);
  const bytes = group.reduce((sum, input) => sum + stateElements(input) * elementBytesOf(input.type), 0);
  return {
    layer,
    kind,
    kvHeads: 0,
    keyDim: 0,
    valueDim: 0,
    elementsPerToken: 0,
    capTokens: null,
    fixedElements: inUnits(bytes, unit, first),
  };
}

function fullCache(group: readonly CacheInput[], unit: number, first: CacheInput): LayerCache {
  const [key, value, extra] = ['key', 'value'].map((end) => group.find(({ part }) => part.endsWith(end)));
  if (!key || !value || extra || group.length !== 2) throw sizeUnknown(first);
  const bytes = [key, value].map((input) => perToken(input).elements * elementBytesOf(input.type));
  return {
    layer: first.layer,
    kind: 'full',
    kvHeads: perToken(key).heads,
    keyDim: perToken(key).dim,
    valueDim: perToken(value).dim,
    elementsPerToken: inUnits(
      bytes.reduce((sum, part) => sum + part, 0),
      unit,
      first,
    ),
    capTokens: null,
    fixedElements: 0,
  };
}

/** Heads and head dim of [batch, heads, past tokens, head dim]; the tokens have to be free. */
function perToken(input: CacheInput): { heads: number; dim: number; elements: number } {
  const [, heads, tokens, dim] = input.dims;
  if (input.dims.length !== 4 || !isSize(heads) || !isSize(dim) || isSize(tokens)) throw sizeUnknown(input);
  return { heads, dim, elements: heads * dim };
}

/** Elements of one sequence's state: the product of all dims but the first, the batch. */
function stateElements(input: CacheInput): number {
  const sizes = input.dims.slice(1).filter(isSize);
  const elements = sizes.reduce((product, size) => product * size, 1);
  if (sizes.length !== input.dims.length - 1 || sizes.length === 0 || !Number.isSafeInteger(elements)) {
    throw sizeUnknown(input);
  }
  return elements;
}

function inUnits(bytes: number, unit: number, input: CacheInput): number {
  if (bytes % unit !== 0) throw sizeUnknown(input);
  return bytes / unit;
}

/** A dimension that the graph fixes; ONNX Runtime says -1 for one that it does not know. */
function isSize(dim: number | string | undefined): dim is number {
  return typeof dim === 'number' && dim > 0;
}

function sizeUnknown({ name, dims }: CacheInput): LabError {
  return new LabError('model-cache-shape', { tensor: name, dims: dims.map((dim) => dim || '?').join(', ') });
}

/** The first of a field's names that holds a plain whole number; lists and oddities are passed over, the graph knows better. */
function plainCount(configs: readonly Config[], { names, max }: FieldSpec): number | null {
  for (const config of configs) {
    for (const name of names) {
      const value = config[name];
      if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max) return value;
    }
  }
  return null;
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}
