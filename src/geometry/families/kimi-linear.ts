/** Kimi Linear and Kimi K3: three layers of Kimi delta attention for one of multi-head latent attention. */
import { FIELDS } from '../fields';
import type { LayerCache } from '../geometry';
import { fullCache } from '../layers/full';
import { kimiDeltaCaches } from '../layers/kimi-delta';
import { latentCache } from '../layers/latent';
import type { ConfigReader } from '../reader';
import type { Body, Family } from './family';
import { isNotLatent, readLatentShape } from './latent-shape';
import { bodyOf, layerIndexes, readLayerTypes, readShapeOr } from './layer-types';

export const KIMI_LINEAR: readonly Family[] = [{ types: ['kimi_linear'], read: readKimiLinear }];

const TYPES = { linear_attention: 'linear', full_attention: 'full' } as const;

type KimiLayer = (typeof TYPES)[keyof typeof TYPES];

/** Class defaults: transformers 5.18 configuration_kimi_linear.py. */
function readKimiLinear(reader: ConfigReader): Body {
  const layers = reader.required(FIELDS.layers);
  const attentionHeads = reader.countOr(FIELDS.attentionHeads, 32);
  const linear = reader.nested('linear_attn_config');
  const types =
    readLayerTypes(reader, layers, TYPES) ?? listedLayers(linear, layers) ?? everyFourth(reader, layers);
  const heads = linear?.count('num_heads') ?? reader.countOr('linear_num_heads', 32);
  const headDim = linear?.count('head_dim') ?? reader.countOr('linear_head_dim', 128);
  const kernel = linear?.count('short_conv_kernel_size') ?? reader.countOr('linear_conv_kernel_dim', 4);
  const attention = readAttention(reader, layers, attentionHeads);
  const caches = types.flatMap((type, layer) =>
    type === 'full' ? [{ ...attention, layer }] : kimiDeltaCaches(layer, { heads, headDim, kernel }),
  );
  const hiddenSize = reader.count(FIELDS.hiddenSize) ?? attentionHeads * headDim;
  return bodyOf({ layers, attentionHeads, hiddenSize }, caches);
}

function readAttention(reader: ConfigReader, layers: number, attentionHeads: number): LayerCache {
  if (!isNotLatent(reader)) {
    return latentCache(
      0,
      readLatentShape(reader, attentionHeads, { rank: 512, rope: 64, nope: 128, v: 128 }),
    );
  }
  const { kvHeads, headDim } = readShapeOr(reader, { attentionHeads }, layers);
  return fullCache(0, { kvHeads, keyDim: headDim, valueDim: headDim });
}

/** `full_attn_layers` and `kda_layers` count from 1. */
function listedLayers(linear: ConfigReader | null, layers: number): KimiLayer[] | null {
  const full = linear?.counts('full_attn_layers', null);
  const delta = linear?.counts('kda_layers', null);
  if (!linear || !full || !delta) return null;
  return layerIndexes(layers).map((layer) => {
    if (full.includes(layer + 1)) return 'full';
    if (delta.includes(layer + 1)) return 'linear';
    throw linear.bad(
      'kda_layers',
      `every layer from 1 to ${layers} to be in it or in full_attn_layers (${layer + 1} is in neither)`,
      `a list of ${delta.length}`,
    );
  });
}

function everyFourth(reader: ConfigReader, layers: number): KimiLayer[] {
  reader.assume('layer_types', 'full_attention in layers 4, 8, 12, …');
  return layerIndexes(layers).map((layer) => (layer > 0 && layer % 4 === 0 ? 'full' : 'linear'));
}
