/** Hybrids of short convolutions and full attention: LFM2 and its mixtures and vision models. */
import { FIELDS } from '../fields';
import { convCache } from '../layers/conv';
import { fullCache } from '../layers/full';
import type { ConfigReader } from '../reader';
import type { Body, Family } from './family';
import { bodyOf, layerIndexes, readLayerTypes, readShapeOr } from './layer-types';

export const SHORT_CONV: readonly Family[] = [{ types: ['lfm2', 'lfm2_moe', 'lfm2_vl'], read: readLfm2 }];

const TYPES = { conv: 'conv', short_conv: 'conv', full_attention: 'full', attention: 'full' } as const;

/**
 * `layer_types`, or the layers with attention in `full_attn_idxs`; a convolution layer keeps hidden size x (conv_L_cache - 1)
 * (transformers 5.18 configuration_lfm2.py; vLLM mamba_utils.py `short_conv_state_shape`; llama.cpp).
 */
function readLfm2(reader: ConfigReader): Body {
  const shape = readShapeOr(reader, { attentionHeads: 32, kvHeads: 8 });
  const types = readLayerTypes(reader, shape.layers, TYPES) ?? listedLayers(reader, shape.layers);
  const kernel = reader.countOr('conv_L_cache', 3);
  const { kvHeads, headDim } = shape;
  const channels = types.includes('conv') ? (reader.count(FIELDS.hiddenSize) ?? shape.hiddenSize) : 0;
  const caches = types.map((type, layer) =>
    type === 'full'
      ? fullCache(layer, { kvHeads, keyDim: headDim, valueDim: headDim })
      : convCache(layer, channels, kernel),
  );
  return bodyOf(shape, caches);
}

function listedLayers(reader: ConfigReader, layers: number): ('full' | 'conv')[] {
  const full = reader.counts('full_attn_idxs', null);
  // The class then takes attention in every layer.
  if (!full) reader.assume('full_attn_idxs', 'every layer');
  return layerIndexes(layers).map((layer) => (!full || full.includes(layer) ? 'full' : 'conv'));
}
