/** Whole keys and values with something beside them: MiniMax M3's indexers, the convolutions of Zaya and Inkling. */
import type { LayerCache } from '../geometry';
import { convCache } from '../layers/conv';
import { fullCache } from '../layers/full';
import { indexerCache } from '../layers/indexer';
import { recurrentCache } from '../layers/recurrent';
import { slidingCache } from '../layers/sliding';
import type { ConfigReader } from '../reader';
import type { Body, Family } from './family';
import { bodyOf, layerIndexes, readLayerTypes, readShapeOr } from './layer-types';

export const WITH_MORE: readonly Family[] = [
  { types: ['minimax_m3', 'minimax_m3_vl', 'minimax_m3_vl_text'], read: readMiniMaxM3 },
  { types: ['zaya'], read: readZaya },
  { types: ['inkling_text', 'inkling_mm_model'], read: readInkling },
];

const M3_TYPES: Readonly<Record<string, boolean>> = { minimax_m3_sparse: true, full_attention: false };

/**
 * Sparse layers keep an index key of `sparse_index_dim` elements a token beside keys and values (transformers 5.18
 * configuration_minimax_m3_vl.py; modeling_minimax_m3_vl.py `k_proj` of the indexer).
 */
function readMiniMaxM3(reader: ConfigReader): Body {
  const shape = readShapeOr(reader, { attentionHeads: 64, kvHeads: 4, headDim: 128, hiddenSize: 6144 });
  const sparse = reader.nested('sparse_attention_config');
  const types =
    readLayerTypes(reader, shape.layers, M3_TYPES, ['layer_types']) ??
    sparse?.counts('sparse_attention_freq', shape.layers)?.map((frequency) => frequency > 0) ??
    [];
  if (types.length === 0) reader.assume('layer_types', 'full_attention in every layer');
  const dim = types.includes(true)
    ? (sparse?.count('sparse_index_dim') ?? reader.countOr('index_head_dim', 128))
    : 0;
  const { kvHeads, headDim } = shape;
  const caches = layerIndexes(shape.layers).flatMap((layer) => [
    fullCache(layer, { kvHeads, keyDim: headDim, valueDim: headDim }),
    ...(types[layer] ? [indexerCache(layer, dim)] : []),
  ]);
  return bodyOf(shape, caches);
}

const SLIDING_TYPES: Readonly<Record<string, 'full' | 'sliding'>> = {
  hybrid: 'full',
  hybrid_sliding: 'sliding',
  full_attention: 'full',
  sliding_attention: 'sliding',
};

/**
 * Compressed convolutional attention: two convolutions in a row over queries and keys, of cca_time0 and cca_time1 taps, need
 * the (cca_time0 - 1) + (cca_time1 - 1) inputs before; half of the values comes from the token before
 * (transformers 5.18 configuration_zaya.py, modeling_zaya.py).
 */
function readZaya(reader: ConfigReader): Body {
  const shape = readShapeOr(reader, { attentionHeads: 8, kvHeads: 2, headDim: 128, hiddenSize: 2048 });
  const { kvHeads, headDim, attentionHeads } = shape;
  const types = readLayerTypes(reader, shape.layers, SLIDING_TYPES);
  const window = types?.includes('sliding') ? reader.required('sliding_window') : 0;
  const taps = reader.countOr('cca_time0', 2) + reader.countOr('cca_time1', 2) - 1;
  const keys = { kvHeads, keyDim: headDim, valueDim: headDim };
  const caches = layerIndexes(shape.layers).flatMap((layer) => [
    types?.[layer] === 'sliding' ? slidingCache(layer, keys, window) : fullCache(layer, keys),
    convCache(layer, (attentionHeads + kvHeads) * headDim, taps),
    recurrentCache(layer, [Math.floor((kvHeads * headDim) / 2)]),
  ]);
  return bodyOf(shape, caches);
}

/**
 * Convolutions over keys, over values, and over the outputs of attention and MLP, in every layer; five sliding layers, with
 * heads of their own, for one full (transformers 5.18 configuration_inkling.py, modeling_inkling.py).
 */
function readInkling(reader: ConfigReader): Body {
  const shape = readShapeOr(reader, { attentionHeads: 64, kvHeads: 8, headDim: 128, hiddenSize: 6144 });
  const types = inklingTypes(reader, shape.layers);
  const kernel = reader.countOr({ names: ['conv_kernel_size', 'sconv_kernel_size'], max: 1024 }, 4);
  const slides = types.includes('sliding');
  const window = slides
    ? reader.countOr({ names: ['sliding_window_size', 'sliding_window'], max: 2 ** 40 }, 512)
    : 0;
  const swaHeads = slides ? reader.countOr('swa_num_key_value_heads', 16) : 0;
  const swaDim = slides ? reader.countOr('swa_head_dim', 128) : 0;
  const { kvHeads, headDim, hiddenSize } = shape;
  const keysOf = { full: { kvHeads, dim: headDim }, sliding: { kvHeads: swaHeads, dim: swaDim } };
  const caches = types.flatMap((type, layer): LayerCache[] => {
    const { kvHeads: heads, dim } = keysOf[type];
    const keys = { kvHeads: heads, keyDim: dim, valueDim: dim };
    return [
      type === 'sliding' ? slidingCache(layer, keys, window) : fullCache(layer, keys),
      convCache(layer, heads * dim, kernel),
      convCache(layer, heads * dim, kernel),
      convCache(layer, hiddenSize, kernel),
      convCache(layer, hiddenSize, kernel),
    ];
  });
  return bodyOf(shape, caches);
}

function inklingTypes(reader: ConfigReader, layers: number): ('full' | 'sliding')[] {
  const given = readLayerTypes(reader, layers, SLIDING_TYPES);
  if (given) return given;
  const local = reader.counts('local_layer_ids', null);
  if (local) return layerIndexes(layers).map((layer) => (local.includes(layer) ? 'sliding' : 'full'));
  reader.assume('layer_types', 'hybrid in every 6th layer, hybrid_sliding in the others');
  return layerIndexes(layers).map((layer) => ((layer + 1) % 6 === 0 ? 'full' : 'sliding'));
}
