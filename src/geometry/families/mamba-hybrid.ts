/** Hybrids of state-space layers and full attention: Jamba, Bamba, Granite 4, Falcon-H1, PLaMo 2. */
import { noCache, type LayerCache } from '../geometry';
import { fullCache } from '../layers/full';
import { mamba1Caches, mamba2Caches } from '../layers/mamba';
import type { ConfigReader } from '../reader';
import type { Shape } from '../shape';
import type { Body, Family } from './family';
import { bodyOf, layerIndexes, readLayerTypes, readShapeOr, readStateBytes } from './layer-types';
import { MAMBA2_FIELDS, readMamba1Fields, readMamba2Fields } from './mamba-fields';

export const MAMBA_HYBRID: readonly Family[] = [
  { types: ['jamba'], read: readJamba },
  { types: ['bamba'], read: readBamba },
  { types: ['granitemoehybrid'], read: readGranite },
  { types: ['falcon_h1'], read: readFalconH1 },
  { types: ['plamo2'], read: readPlamo2 },
];

/** What a layer keeps: keys and values, a state, both at once, or nothing. */
export type HybridLayer = 'full' | 'mamba' | 'both' | 'none';

/** Old and new names (transformers 5.18 configuration_utils.py `_LEGACY_LAYER_TYPE_REMAP`). */
export const HYBRID_TYPES: Readonly<Record<string, HybridLayer>> = {
  mamba: 'mamba',
  linear_attention: 'mamba',
  mamba2: 'mamba',
  attention: 'full',
  full_attention: 'full',
  hybrid: 'both',
  moe: 'none',
  mlp: 'none',
};

/** The entries of all layers, from the entries of a state-space layer. */
export function hybridBody(
  shape: Shape,
  types: readonly HybridLayer[],
  stateCaches: (layer: number) => LayerCache[],
): Body {
  const { kvHeads, headDim } = shape;
  const keys = (layer: number) => fullCache(layer, { kvHeads, keyDim: headDim, valueDim: headDim });
  const entries: Record<HybridLayer, (layer: number) => LayerCache[]> = {
    full: (layer) => [keys(layer)],
    mamba: stateCaches,
    both: (layer) => [keys(layer), ...stateCaches(layer)],
    none: (layer) => [noCache(layer)],
  };
  return bodyOf(
    shape,
    types.flatMap((type, layer) => entries[type](layer)),
  );
}

/** Attention in layers i with i mod attn_layer_period = attn_layer_offset; Mamba 1 (configuration_jamba.py). */
function readJamba(reader: ConfigReader): Body {
  const shape = readShapeOr(reader, { attentionHeads: 32, kvHeads: 8, hiddenSize: 4096 });
  const types = readLayerTypes(reader, shape.layers, HYBRID_TYPES) ?? periodic(reader, shape.layers);
  const mamba = readMamba1Fields(reader, shape.hiddenSize);
  const stateBytes = readStateBytes(reader);
  return hybridBody(shape, types, (layer) => mamba1Caches(layer, mamba, stateBytes));
}

function periodic(reader: ConfigReader, layers: number): HybridLayer[] {
  const period = reader.countOr('attn_layer_period', 8);
  const offset = reader.countFromZero('attn_layer_offset') ?? reader.assume('attn_layer_offset', 4);
  return layerIndexes(layers).map((layer) => (layer % period === offset ? 'full' : 'mamba'));
}

/** Attention in the layers of `attn_layer_indices` (configuration_bamba.py). */
function readBamba(reader: ConfigReader): Body {
  const shape = readShapeOr(reader, { attentionHeads: 32, kvHeads: 8, hiddenSize: 4096 });
  const indices = reader.counts('attn_layer_indices', null) ?? [];
  const types =
    readLayerTypes(reader, shape.layers, HYBRID_TYPES) ??
    layerIndexes(shape.layers).map((layer) => (indices.includes(layer) ? 'full' : 'mamba'));
  return mamba2Body(reader, shape, types);
}

/** `layer_types` of mamba and attention, all of the second in the dense models (configuration_granitemoehybrid.py). */
function readGranite(reader: ConfigReader): Body {
  const shape = readShapeOr(reader, { attentionHeads: 32, hiddenSize: 4096 });
  const types = readLayerTypes(reader, shape.layers, HYBRID_TYPES);
  if (!types) reader.assume('layer_types', 'mamba in every layer');
  return mamba2Body(reader, shape, types ?? layerIndexes(shape.layers).map(() => 'mamba'));
}

/** Every layer has both, side by side (configuration_falcon_h1.py: `layers_block_type` is "hybrid" throughout). */
function readFalconH1(reader: ConfigReader): Body {
  const shape = readShapeOr(reader, { attentionHeads: 32, kvHeads: 8, hiddenSize: 4096 });
  return mamba2Body(
    reader,
    shape,
    layerIndexes(shape.layers).map(() => 'both'),
    { ...MAMBA2_FIELDS, inner: 1024 },
  );
}

function mamba2Body(
  reader: ConfigReader,
  shape: Shape,
  types: readonly HybridLayer[],
  fields = MAMBA2_FIELDS,
): Body {
  if (types.every((type) => type === 'full')) return hybridBody(shape, types, () => []);
  const mamba = readMamba2Fields(reader, shape.hiddenSize, fields);
  const stateBytes = readStateBytes(reader);
  return hybridBody(shape, types, (layer) => mamba2Caches(layer, mamba, stateBytes));
}

/**
 * Attention in the middle of every `mamba_step` layers; heads of `hidden_size_per_head` in both kinds; the convolution is
 * over the state's inputs alone (vLLM plamo2.py `is_mamba`, `get_state_shape` with no groups).
 */
function readPlamo2(reader: ConfigReader): Body {
  const headDim = reader.required('hidden_size_per_head');
  const shape = { ...readShapeOr(reader, { headDim }), headDim };
  const step = reader.required('mamba_step');
  const middle = Math.floor(step / 2);
  const few = shape.layers <= middle;
  const types = layerIndexes(shape.layers).map((layer): HybridLayer =>
    (few ? layer === shape.layers - 1 : layer % step === middle) ? 'full' : 'mamba',
  );
  const heads = reader.required('mamba_num_heads');
  const mamba = {
    inner: heads * headDim,
    heads,
    headDim,
    groups: 0,
    stateSize: reader.required('mamba_d_state'),
    kernel: reader.required('mamba_d_conv'),
  };
  const stateBytes = readStateBytes(reader);
  return hybridBody(shape, types, (layer) => mamba2Caches(layer, mamba, stateBytes));
}
