/** Recurrent models: RWKV, xLSTM, and RecurrentGemma, whose attention layers slide. */
import { FIELDS } from '../fields';
import { convCache } from '../layers/conv';
import { recurrentCache } from '../layers/recurrent';
import { slidingCache } from '../layers/sliding';
import type { ConfigReader } from '../reader';
import type { Body, Family } from './family';
import { bodyOf, layerIndexes, readLayerTypes, readShapeOr } from './layer-types';

export const RECURRENT: readonly Family[] = [
  { types: ['recurrent_gemma'], read: readRecurrentGemma },
  { types: ['rwkv'], read: readRwkv4 },
  { types: ['rwkv5', 'rwkv6', 'rwkv7', 'rwkv7_fla'], read: readRwkv },
  { types: ['xlstm'], read: readXlstm },
];

/** Float32 whatever the cache's type. */
const FLOAT32 = 4;

const BLOCKS = { recurrent: 'recurrent', attention: 'attention' } as const;

/**
 * `block_types` repeats over the layers: recurrent ones keep lru_width x (conv1d_width - 1) inputs and a float32 state of
 * lru_width, attention ones a window of `attention_window_size` (transformers 5.18 configuration_recurrent_gemma.py and
 * modeling_recurrent_gemma.py, "recurrent_states always computed in full precision").
 */
function readRecurrentGemma(reader: ConfigReader): Body {
  const shape = readShapeOr(reader, { attentionHeads: 10, hiddenSize: 2560 });
  const given = readLayerTypes(reader, null, BLOCKS, ['block_types']);
  if (given?.length === 0) throw reader.bad('block_types', 'a list with at least one block');
  if (!given) reader.assume('block_types', 'recurrent, recurrent, attention');
  const blocks = given ?? ['recurrent', 'recurrent', 'attention'];
  const width = reader.count('lru_width') ?? reader.assume('lru_width', shape.hiddenSize);
  const kernel = reader.countOr('conv1d_width', 4);
  const window = reader.countOr('attention_window_size', 2048);
  const { kvHeads, headDim } = shape;
  const caches = layerIndexes(shape.layers).flatMap((layer) =>
    blocks[layer % blocks.length] === 'attention'
      ? [slidingCache(layer, { kvHeads, keyDim: headDim, valueDim: headDim }, window)]
      : [convCache(layer, width, kernel), recurrentCache(layer, [width], FLOAT32)],
  );
  return bodyOf(shape, caches);
}

/** RWKV-4: the last input of both mixers, and numerator, denominator and maximum in float32 (modeling_rwkv.py `RwkvModel.forward`). */
function readRwkv4(reader: ConfigReader): Body {
  const layers = reader.required(FIELDS.layers);
  const hiddenSize = reader.required(FIELDS.hiddenSize);
  const width = reader.count('attention_hidden_size') ?? hiddenSize;
  const caches = layerIndexes(layers).flatMap((layer) => [
    recurrentCache(layer, [2, hiddenSize]),
    recurrentCache(layer, [3, width], FLOAT32),
  ]);
  return bodyOf({ layers, attentionHeads: 0, hiddenSize }, caches);
}

/** Elements of a head: head_size in BlinkDL's and RWKV's configs, head_dim in flash-linear-attention's. */
const HEAD_SIZE = { names: ['head_size', 'head_dim'], max: 65_536 } as const;

/**
 * RWKV-5, 6 and 7: the last input of both mixers, and a float32 state heads x head size x head size
 * (mlc-llm rwkv6_model.py; flash-linear-attention configuration_rwkv7.py, where head_dim is 64 unless given).
 */
function readRwkv(reader: ConfigReader): Body {
  const layers = reader.required(FIELDS.layers);
  const hiddenSize = reader.required(FIELDS.hiddenSize);
  const width = reader.count('attention_hidden_size') ?? hiddenSize;
  const size = reader.countOr(HEAD_SIZE, 64);
  if (width % size !== 0) throw reader.bad(reader.nameOf(HEAD_SIZE), `a divisor of the width ${width}`);
  const caches = layerIndexes(layers).flatMap((layer) => [
    recurrentCache(layer, [2, hiddenSize]),
    recurrentCache(layer, [width / size, size, size], FLOAT32),
  ]);
  return bodyOf({ layers, attentionHeads: 0, hiddenSize }, caches);
}

/** The widths of xLSTM's keys and values are rounded up to this (configuration_xlstm.py `qk_dim`, `v_dim`). */
const XLSTM_MULTIPLE = 64;

/**
 * A matrix, a normaliser and a maximum for each head: heads x (key dim x value dim + key dim + 1), in the cache's type
 * (transformers 5.18 modeling_xlstm.py `xLSTMCache`).
 */
function readXlstm(reader: ConfigReader): Body {
  const layers = reader.required({ names: ['num_hidden_layers', 'num_blocks'], max: FIELDS.layers.max });
  const hiddenSize = reader.required({ names: ['hidden_size', 'embedding_dim'], max: FIELDS.hiddenSize.max });
  const heads = reader.countOr('num_heads', 8);
  const keyDim = perHead('qk_dim_factor', 0.5);
  const valueDim = perHead('v_dim_factor', 1);
  const caches = layerIndexes(layers).flatMap((layer) => [
    recurrentCache(layer, [heads, keyDim, valueDim]),
    recurrentCache(layer, [heads, keyDim + 1]),
  ]);
  return bodyOf({ layers, attentionHeads: 0, hiddenSize }, caches);

  function perHead(name: string, classDefault: number): number {
    const factor = reader.config[name] ?? reader.assume(name, classDefault);
    if (typeof factor !== 'number' || !(factor > 0 && factor <= 64))
      throw reader.bad(name, 'a number above 0');
    const width = Math.ceil((hiddenSize * factor) / XLSTM_MULTIPLE) * XLSTM_MULTIPLE;
    return Math.floor(width / heads);
  }
}
