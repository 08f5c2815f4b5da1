/** Hybrids of gated delta-rule layers and full attention: Qwen3-Next, Qwen3.5, OLMo hybrid. */
import { fullCache } from '../layers/full';
import { gatedDeltaCaches, type GatedDeltaShape } from '../layers/gated-delta';
import type { ConfigReader } from '../reader';
import type { Shape } from '../shape';
import type { Body, Family } from './family';
import {
  bodyOf,
  layerIndexes,
  readLayerTypes,
  readShapeOr,
  readStateBytes,
  type ShapeDefaults,
} from './layer-types';

/** Class defaults: transformers 5.18 configuration_<type>.py. */
const QWEN: readonly (ShapeDefaults & { types: readonly string[] })[] = [
  { types: ['qwen3_next'], attentionHeads: 16, kvHeads: 2, headDim: 256, hiddenSize: 2048 },
  { types: ['qwen3_5', 'qwen3_5_text'], attentionHeads: 16, kvHeads: 4, headDim: 256, hiddenSize: 4096 },
  {
    types: ['qwen3_5_moe', 'qwen3_5_moe_text'],
    attentionHeads: 16,
    kvHeads: 2,
    headDim: 256,
    hiddenSize: 2048,
  },
];

export const GATED_DELTA: readonly Family[] = [
  ...QWEN.map(({ types, ...defaults }) => ({
    types,
    read: (reader: ConfigReader) => readQwen(reader, defaults),
  })),
  { types: ['olmo_hybrid'], read: readOlmoHybrid },
];

const TYPES = {
  linear_attention: 'linear',
  full_attention: 'full',
  mamba: 'linear',
  attention: 'full',
} as const;

type DeltaLayer = (typeof TYPES)[keyof typeof TYPES];

/** Full attention in every `full_attention_interval`-th layer (4 unless given) where `layer_types` does not say. */
function readQwen(reader: ConfigReader, defaults: ShapeDefaults): Body {
  const shape = readShapeOr(reader, defaults);
  const types = readLayerTypes(reader, shape.layers, TYPES) ?? everyNth(reader, shape.layers);
  return deltaBody(reader, shape, types, () => ({
    keyHeads: reader.countOr('linear_num_key_heads', 16),
    valueHeads: reader.countOr('linear_num_value_heads', 32),
    keyDim: reader.countOr('linear_key_head_dim', 128),
    valueDim: reader.countOr('linear_value_head_dim', 128),
    kernel: reader.countOr('linear_conv_kernel_dim', 4),
  }));
}

function everyNth(reader: ConfigReader, layers: number): DeltaLayer[] {
  const interval = reader.countOr('full_attention_interval', 4);
  return layerIndexes(layers).map((layer) => ((layer + 1) % interval === 0 ? 'full' : 'linear'));
}

/** Its class derives the delta layers' widths from the attention's (configuration_olmo_hybrid.py). */
function readOlmoHybrid(reader: ConfigReader): Body {
  const shape = readShapeOr(reader, { attentionHeads: 30, hiddenSize: 3840 });
  const types = readLayerTypes(reader, shape.layers, TYPES) ?? everyFourth(reader, shape.layers);
  return deltaBody(reader, shape, types, () => {
    const keyHeads = reader.countOr('linear_num_key_heads', shape.attentionHeads);
    const valueHeads = reader.countOr('linear_num_value_heads', shape.attentionHeads);
    const keyDim = reader.countOr('linear_key_head_dim', Math.floor((0.75 * shape.hiddenSize) / keyHeads));
    const valueDim = reader.countOr('linear_value_head_dim', 2 * keyDim);
    return { keyHeads, valueHeads, keyDim, valueDim, kernel: reader.countOr('linear_conv_kernel_dim', 4) };
  });
}

function everyFourth(reader: ConfigReader, layers: number): DeltaLayer[] {
  reader.assume('layer_types', 'full_attention in every 4th layer');
  const types = layerIndexes(layers).map((layer): DeltaLayer => (layer % 4 === 3 ? 'full' : 'linear'));
  if (!types.includes('full')) types[layers - 1] = 'full';
  return types;
}

function deltaBody(
  reader: ConfigReader,
  shape: Shape,
  types: readonly DeltaLayer[],
  readDelta: () => GatedDeltaShape,
): Body {
  const delta = types.includes('linear') ? readDelta() : null;
  const stateBytes = delta ? readStateBytes(reader) : undefined;
  const { kvHeads, headDim } = shape;
  const caches = types.flatMap((type, layer) =>
    type === 'full' || !delta
      ? [fullCache(layer, { kvHeads, keyDim: headDim, valueDim: headDim })]
      : gatedDeltaCaches(layer, delta, stateBytes),
  );
  return bodyOf(shape, caches);
}
