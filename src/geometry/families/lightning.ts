/** Hybrids of lightning attention, whose state is one matrix a head, and full attention: MiniMax-Text-01, MiniMax-M1, Ring-linear, Ling. */
import type { LayerCache } from '../geometry';
import { fullCache } from '../layers/full';
import { latentCache } from '../layers/latent';
import { recurrentCache } from '../layers/recurrent';
import type { ConfigReader } from '../reader';
import type { Body, Family } from './family';
import { kimiDeltaCaches } from '../layers/kimi-delta';
import { readLatentShape } from './latent-shape';
import { bodyOf, layerIndexes, readLayerTypes, readShapeOr } from './layer-types';

export const LIGHTNING: readonly Family[] = [
  { types: ['minimax', 'minimax_text_01', 'minimax_m1'], read: readMiniMax },
  { types: ['bailing_moe_linear', 'bailing_hybrid'], read: readBailing },
];

type LightningLayer = 'linear' | 'full';

const TYPES = { linear_attention: 'linear', full_attention: 'full' } as const;

/**
 * `attn_type_list` (1: softmax attention, 0: lightning) of the published configs, or `layer_types`; the class `minimax` alone
 * has a pattern of its own (transformers 5.18 configuration_minimax.py).
 */
function readMiniMax(reader: ConfigReader): Body {
  const shape = readShapeOr(reader, {});
  const types =
    readLayerTypes<LightningLayer>(reader, shape.layers, { 0: 'linear', 1: 'full' }, ['attn_type_list']) ??
    readLayerTypes<LightningLayer>(reader, shape.layers, TYPES) ??
    inTurn(reader, shape.layers);
  const { kvHeads, headDim, attentionHeads } = shape;
  const caches = types.map((type, layer) =>
    type === 'full'
      ? fullCache(layer, { kvHeads, keyDim: headDim, valueDim: headDim })
      : lightningCache(layer, attentionHeads, headDim),
  );
  return bodyOf(shape, caches);
}

function inTurn(reader: ConfigReader, layers: number): LightningLayer[] {
  if (reader.modelType !== 'minimax') throw reader.missing('attn_type_list');
  reader.assume('layer_types', 'full_attention and linear_attention in turn');
  return layerIndexes(layers).map((layer) => (layer % 2 === 0 ? 'full' : 'linear'));
}

const BAILING_LATENT = { rank: 512, rope: 64, nope: 128, v: 128 };

/**
 * Full attention in every `layer_group_size`-th layer and in those after the last whole group, with a latent where the config
 * has `kv_lora_rank` (Ling 2.5 and 3; vLLM bailing_moe_linear.py). The others are lightning layers (Ring-linear 2,
 * modeling_bailing_moe_linear_v2.py) or, where there is a `short_conv_kernel_size`, of Kimi's delta attention (Ling 3,
 * modeling_bailing_moe_v3.py).
 */
function readBailing(reader: ConfigReader): Body {
  const shape = readShapeOr(reader, {});
  const { layers, kvHeads, headDim, attentionHeads } = shape;
  const group = reader.required('layer_group_size');
  const grouped = Math.floor(layers / group) * group;
  const latent =
    reader.count('kv_lora_rank') === null ? null : readLatentShape(reader, attentionHeads, BAILING_LATENT);
  const kernel = reader.count('short_conv_kernel_size');
  const caches = layerIndexes(layers).flatMap((layer) => {
    if ((layer + 1) % group === 0 || layer >= grouped) {
      return latent
        ? [latentCache(layer, latent)]
        : [fullCache(layer, { kvHeads, keyDim: headDim, valueDim: headDim })];
    }
    return kernel === null
      ? [lightningCache(layer, attentionHeads, headDim)]
      : kimiDeltaCaches(layer, { heads: attentionHeads, headDim, kernel });
  });
  return bodyOf(shape, caches);
}

/** State heads x head dim x head dim in the cache's type (vLLM mamba_utils.py `linear_attention_state_shape`, `…_dtype`). */
function lightningCache(layer: number, attentionHeads: number, headDim: number): LayerCache {
  return recurrentCache(layer, [attentionHeads, headDim, headDim]);
}
