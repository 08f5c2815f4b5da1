/** Families whose layers differ by lists of their own: Llama 4, MiMo-V2, Hunyuan-Large, Nemotron NAS, DeciLM, OpenELM. */
import { defaultsOf, layerCaches, readDecoder } from './attention';
import type { Body, Family } from './family';
import { readPlan, type Reached } from './layer-plan';
import { noteUnread } from './unknown';
import { FIELDS, isObject } from '../fields';
import { noCache, type LayerCache } from '../geometry';
import { showValue } from '../geometry-error';
import { readKvList } from '../kv-heads';
import { fullCache } from '../layers/full';
import { sharedCache } from '../layers/shared';
import { ConfigReader } from '../reader';
import { readShape } from '../shape';

export const SPECIAL: readonly Family[] = [
  { types: ['llama4_text'], read: readLlama4 },
  { types: ['mimo_v2_flash', 'mimo_v2'], read: readMiMo },
  { types: ['hunyuan'], read: readHunyuan },
  { types: ['nemotron-nas', 'deci'], read: readNemotronNas },
  { types: ['openelm'], read: readOpenElm },
];

/**
 * Llama 4: layers with rotary position see their chunk, those without see everything: by `layer_types`, else by
 * `no_rope_layers` (0: no rotary position; an empty list means the default), else every fourth (configuration_llama4.py).
 */
function readLlama4(reader: ConfigReader): Body {
  const shape = readShape(reader, defaultsOf(reader));
  const plan = reader.has('layer_types')
    ? readPlan(reader, shape.layers, {})
    : llama4Plan(reader, shape.layers);
  const widths = { kvHeads: shape.kvHeads, keyDim: shape.headDim, valueDim: shape.headDim };
  const caches = layerCaches(plan, () => widths);
  noteUnread(reader);
  return { ...shape, caches };
}

function llama4Plan(reader: ConfigReader, layers: number): Reached[] {
  const off = reader.config['attention_chunk_size'] === null;
  const chunk = off ? null : reader.countOr('attention_chunk_size', 8192);
  const given = reader.config['no_rope_layers'];
  const rotates = Array.isArray(given) && given.length === 0 ? null : reader.counts('no_rope_layers', layers);
  const interval = rotates === null ? reader.countOr('no_rope_layer_interval', 4) : 1;
  return Array.from({ length: layers }, (_, layer) => {
    const local = rotates === null ? (layer + 1) % interval !== 0 : rotates[layer] !== 0;
    return local && chunk !== null ? { reach: 'chunked', cap: chunk } : { reach: 'full', cap: null };
  });
}

/**
 * MiMo-V2-Flash: `hybrid_layer_pattern` has 1 for a sliding layer and 0 for a full one (vLLM mimo_v2_flash.py); the sliding
 * ones have `swa_num_key_value_heads`, twice the others' where not given (modeling_mimo_v2_flash.py). Values are narrower than keys.
 */
function readMiMo(reader: ConfigReader): Body {
  const shape = readShape(reader, defaultsOf(reader));
  const pattern = reader.counts('hybrid_layer_pattern', shape.layers);
  const plan = readPlan(reader, shape.layers, {
    window: 128,
    slides: () => (layer) => (pattern === null ? layer !== 0 && (layer + 1) % 6 !== 0 : pattern[layer] !== 0),
  });
  const full = { kvHeads: shape.kvHeads, keyDim: shape.headDim, valueDim: reader.countOr('v_head_dim', 128) };
  const sliding = {
    kvHeads: reader.countOr('swa_num_key_value_heads', 2 * shape.kvHeads),
    keyDim: reader.count('swa_head_dim') ?? full.keyDim,
    valueDim: reader.count('swa_v_head_dim') ?? full.valueDim,
  };
  const caches = layerCaches(plan, (layer) => (plan[layer]?.reach === 'sliding' ? sliding : full));
  // The config has one, equal to the window, and its attention does not use it (vLLM model_arch_config_convertor.py).
  noteUnread(reader, ['attention_chunk_size']);
  return { ...shape, caches };
}

/**
 * Hunyuan-Large: with `use_cla`, the first of every `cla_share_factor` layers keeps keys and values, the others read them
 * (tencent/Hunyuan-Large modeling_hunyuan.py: `layer_idx % cla_share_factor != 0` is cross-layer attention).
 */
function readHunyuan(reader: ConfigReader): Body {
  const factor = reader.flag('use_cla') === true ? reader.countOr('cla_share_factor', 2) : 1;
  const body = readDecoder(reader);
  const caches = body.caches.map((cache, layer) =>
    layer % factor === 0 ? cache : sharedCache(layer, layer - (layer % factor)),
  );
  return { ...body, caches };
}

/**
 * Nemotron NAS and DeciLM: every block says how many attention heads share a KV head, or that it has no attention
 * (vLLM nemotron_nas.py: `n_heads_in_group`, `no_op`, `replace_with_linear`); old DeciLM gives KV heads as a list.
 */
function readNemotronNas(reader: ConfigReader): Body {
  const layers = reader.required(FIELDS.layers);
  const blocks = reader.list('block_configs', layers);
  if (blocks === null) return readDecoder(reader);
  const attentionHeads = reader.required(FIELDS.attentionHeads);
  const given = reader.count(FIELDS.headDim);
  const hiddenSize = given === null ? reader.required(FIELDS.hiddenSize) : reader.count(FIELDS.hiddenSize);
  const headDim = given ?? dividedBy(reader, hiddenSize ?? 0, attentionHeads);
  const caches = blocks.map((block, layer) => nasLayer(reader, block, layer, attentionHeads, headDim));
  noteUnread(reader);
  const kvHeads = caches.find((cache) => cache.kvHeads > 0)?.kvHeads ?? 0;
  return {
    layers,
    attentionHeads,
    kvHeads,
    headDim,
    hiddenSize: hiddenSize ?? attentionHeads * headDim,
    caches,
  };
}

function nasLayer(
  reader: ConfigReader,
  block: unknown,
  layer: number,
  heads: number,
  headDim: number,
): LayerCache {
  const where = `block_configs[${layer}]`;
  if (!isObject(block)) {
    throw reader.bad(where, 'a JSON object', showValue(block));
  }
  // Without the reader's notes: a thousand blocks are no derivation that a person reads.
  const attention = new ConfigReader(block, reader.outer, `${where}.`).nested('attention');
  if (attention === null) throw reader.missing(`${where}.attention`);
  if (attention.flag('no_op') === true || attention.flag('replace_with_linear') === true)
    return noCache(layer);
  const group = attention.required({ names: ['n_heads_in_group'], max: heads });
  if (heads % group !== 0)
    throw attention.bad('n_heads_in_group', `a divisor of the ${heads} attention heads`);
  return fullCache(layer, { kvHeads: heads / group, keyDim: headDim, valueDim: headDim });
}

function dividedBy(reader: ConfigReader, width: number, heads: number): number {
  if (width % heads === 0) return width / heads;
  throw reader.bad(reader.nameOf(FIELDS.hiddenSize), `a multiple of the ${heads} attention heads`);
}

/**
 * OpenELM: KV heads of every layer by `num_kv_heads`, or by the widths that `qkv_multipliers` give
 * (apple/OpenELM configuration_openelm.py: multipliers evenly spaced, widths rounded to whole groups of heads).
 */
function readOpenElm(reader: ConfigReader): Body {
  const layers = reader.required(FIELDS.layers);
  const headDim = reader.countOr('head_dim', 128);
  const hiddenSize = reader.count(FIELDS.hiddenSize);
  const queries = reader.config['num_query_heads'];
  const queryHeads = Array.isArray(queries) ? reader.counts('num_query_heads', layers) : null;
  const kv =
    readKvList(reader, layers) ?? evenKvHeads(reader, layers) ?? derivedKvHeads(reader, layers, headDim);
  const caches = kv.map((kvHeads, layer) =>
    fullCache(layer, { kvHeads, keyDim: headDim, valueDim: headDim }),
  );
  noteUnread(reader, ['num_query_heads']);
  const attentionHeads = Math.max(1, ...(queryHeads ?? kv));
  return {
    layers,
    attentionHeads,
    kvHeads: kv[0] ?? 0,
    headDim,
    hiddenSize: hiddenSize ?? attentionHeads * headDim,
    caches,
  };
}

function evenKvHeads(reader: ConfigReader, layers: number): number[] | null {
  const heads = reader.count(FIELDS.kvHeads);
  return heads === null ? null : Array.from({ length: layers }, () => heads);
}

function derivedKvHeads(reader: ConfigReader, layers: number, headDim: number): number[] {
  const width = reader.required(FIELDS.hiddenSize);
  const groups = reader.count('num_gqa_groups') ?? 1;
  const divisor = headDim * (reader.has('num_gqa_groups') ? groups : 2);
  return multipliers(reader, layers).map((multiplier) => {
    const exact = width * multiplier;
    const rounded = Math.max(divisor, Math.floor((exact + divisor / 2) / divisor) * divisor);
    const queryWidth = rounded < 0.9 * exact ? rounded + divisor : rounded;
    return Math.floor(queryWidth / headDim / groups);
  });
}

/** `qkv_multipliers`: one number for all layers, the first and the last of an even row (rounded to hundredths), or one a layer. */
function multipliers(reader: ConfigReader, layers: number): number[] {
  const name = 'qkv_multipliers';
  const given = reader.config[name];
  if (given === undefined || given === null) throw reader.missing('num_kv_heads', name);
  const list: unknown[] = Array.isArray(given) ? (reader.list(name, null) ?? []) : [given];
  const numbers = list.filter(
    (value): value is number => typeof value === 'number' && value > 0 && value <= 64,
  );
  const fits = list.length === 1 || list.length === 2 || list.length === layers;
  if (!fits || numbers.length !== list.length)
    throw reader.bad(name, 'a number, two numbers, or one a layer');
  const [first = 1, last = first] = numbers;
  if (numbers.length > 2) return numbers;
  const step = layers > 1 ? (last - first) / (layers - 1) : 0;
  return Array.from({ length: layers }, (_, layer) => Math.round((first + step * layer) * 100) / 100);
}
