/** Families whose classes are published beside their weights only, each with a rule that no other family has. */
import { layerCaches } from './attention';
import type { Body, Family } from './family';
import { readPlan, type Reached } from './layer-plan';
import { layerIndexes } from './layer-types';
import { readMamba1Fields } from './mamba-fields';
import { FIELDS } from '../fields';
import type { LayerCache } from '../geometry';
import { convCache } from '../layers/conv';
import { fullAttentionCaches, fullCache } from '../layers/full';
import { mamba1Caches } from '../layers/mamba';
import { sharedCache } from '../layers/shared';
import { slidingCache } from '../layers/sliding';
import type { ConfigReader } from '../reader';
import { readShape } from '../shape';

export const REMOTE_CODE: readonly Family[] = [
  { types: ['smallthinker'], read: readSmallThinker },
  { types: ['plamo'], read: readPlamo },
  { types: ['afm7'], read: readAfm },
  { types: ['baichuan_m1'], read: readBaichuanM1 },
  { types: ['hymba'], read: readHymba },
];

/** SmallThinker: `sliding_window_layout` has 1 for a sliding layer and 0 for a full one (its modeling_smallthinker.py). */
function readSmallThinker(reader: ConfigReader): Body {
  const shape = readShape(reader);
  const layout = reader.counts('sliding_window_layout', shape.layers);
  const plan = readPlan(reader, shape.layers, { slides: () => (layer) => layout?.[layer] === 1 });
  const widths = { kvHeads: shape.kvHeads, keyDim: shape.headDim, valueDim: shape.headDim };
  return { ...shape, caches: layerCaches(plan, () => widths) };
}

/** PLaMo: KV heads = attention heads / `n_shared_head` (8), rounded up (its modeling_plamo.py; mlx-lm plamo.py). */
function readPlamo(reader: ConfigReader): Body {
  const shape = readShape(reader);
  const kvHeads = Math.ceil(shape.attentionHeads / reader.countOr('n_shared_head', 8));
  return { ...shape, kvHeads, caches: fullAttentionCaches(shape.layers, kvHeads, shape.headDim) };
}

/** Apple's foundation model: the last `num_kv_reuse_layers` read the last entry before them (mlx-lm afm7.py `make_cache`). */
function readAfm(reader: ConfigReader): Body {
  const hiddenSize = reader.required({
    names: ['hidden_dim', ...FIELDS.hiddenSize.names],
    max: FIELDS.hiddenSize.max,
  });
  const layers = reader.required(FIELDS.layers);
  const attentionHeads = reader.required(FIELDS.attentionHeads);
  const kvHeads = reader.required(FIELDS.kvHeads);
  if (hiddenSize % attentionHeads !== 0)
    throw reader.bad('hidden_dim', `a multiple of the ${attentionHeads} heads`);
  const headDim = hiddenSize / attentionHeads;
  const reused = reader.countFromZero('num_kv_reuse_layers') ?? 0;
  if (reused >= layers) throw reader.bad('num_kv_reuse_layers', `a whole number below ${layers}`);
  const own = layers - reused;
  const caches = fullAttentionCaches(own, kvHeads, headDim);
  const shared = Array.from({ length: reused }, (_, index) => sharedCache(own + index, own - 1));
  return { layers, attentionHeads, kvHeads, headDim, hiddenSize, caches: [...caches, ...shared] };
}

/**
 * Baichuan-M1: the layers of `sliding_window_layers` slide and have heads of their own number; a convolution over
 * `conv_window` (2) tokens runs through every layer's keys and values (mlx-lm baichuan_m1.py).
 */
function readBaichuanM1(reader: ConfigReader): Body {
  const shape = readShape(reader);
  const window = reader.required('sliding_window');
  const sliding = new Set(reader.counts('sliding_window_layers', null) ?? []);
  const kernel = reader.countOr('conv_window', 2);
  const heads = reader.count('num_swa_attention_heads') ?? shape.attentionHeads;
  if (shape.hiddenSize % heads !== 0)
    throw reader.bad('num_swa_attention_heads', `a divisor of the hidden size, ${shape.hiddenSize}`);
  const other = {
    kvHeads: reader.count('num_swa_key_value_heads') ?? shape.kvHeads,
    keyDim: shape.hiddenSize / heads,
    valueDim: shape.hiddenSize / heads,
  };
  const full = { kvHeads: shape.kvHeads, keyDim: shape.headDim, valueDim: shape.headDim };
  const caches = layerIndexes(shape.layers).flatMap((layer) => {
    const slides = sliding.has(layer);
    const { kvHeads, keyDim } = slides ? other : full;
    return [
      slides ? slidingCache(layer, other, window) : fullCache(layer, full),
      convCache(layer, 2 * kvHeads * keyDim, kernel),
    ];
  });
  return { ...shape, caches };
}

/**
 * Hymba: attention and Mamba side by side in every layer. Layers of `global_attn_idx` see everything, the others a window; of
 * each `kv_reuse_group` the first layer keeps keys and values, the others read them (nvidia/Hymba-1.5B-Base
 * modeling_hymba.py). Its `num_memory_tokens`, which stand before every sequence, are not counted, and that is noted.
 */
function readHymba(reader: ConfigReader): Body {
  const body = readShape(reader);
  const window = reader.count('sliding_window');
  const global = new Set(reader.counts('global_attn_idx', null) ?? []);
  const source = readReuse(reader, body.layers);
  const state = readMamba1Fields(reader, body.hiddenSize);
  const plan = layerIndexes(body.layers).map((layer): Reached => {
    const cap = global.has(layer) ? null : window;
    return { reach: cap === null ? 'full' : 'sliding', cap };
  });
  const widths = { kvHeads: body.kvHeads, keyDim: body.headDim, valueDim: body.headDim };
  const own = layerCaches(plan, () => widths);
  const memory = reader.countFromZero('num_memory_tokens') ?? 0;
  if (memory > 0) reader.assume('num_memory_tokens', memory, 'unread-field');
  const caches = own.flatMap((cache, layer): LayerCache[] => {
    const from = source.get(layer);
    return [from === undefined ? cache : sharedCache(layer, from), ...mamba1Caches(layer, state)];
  });
  return { ...body, caches };
}

/** The layer whose entry a layer reads, for those that keep none of their own. */
function readReuse(reader: ConfigReader, layers: number): Map<number, number> {
  const source = new Map<number, number>();
  for (const group of reader.list('kv_reuse_group', null) ?? []) {
    const members: unknown[] = Array.isArray(group) ? group : [];
    const isLayer = (member: unknown): member is number =>
      typeof member === 'number' && Number.isInteger(member) && member >= 0 && member < layers;
    const [first, ...others] = members.filter(isLayer);
    if (first === undefined || others.length + 1 !== members.length)
      throw reader.bad('kv_reuse_group', `lists of layers below ${layers}`);
    for (const other of others) source.set(other, first);
  }
  return source;
}
