/** Zamba and Zamba 2: state-space layers, some with a shared attention block before them that keeps a cache each time it runs. */
import { FIELDS } from '../fields';
import { mamba1Caches, mamba2Caches } from '../layers/mamba';
import type { ConfigReader } from '../reader';
import type { Shape } from '../shape';
import type { Body, Family } from './family';
import { layerIndexes, readLayerTypes, readStateBytes } from './layer-types';
import { HYBRID_TYPES, hybridBody, type HybridLayer } from './mamba-hybrid';
import { readMamba1Fields, readMamba2Fields } from './mamba-fields';
import { readKvHeads } from '../kv-heads';

export const ZAMBA: readonly Family[] = [
  { types: ['zamba'], read: readZamba1 },
  { types: ['zamba2'], read: readZamba2 },
];

/** The attention reads the layer's input beside the embedding: 2 x hidden size / heads wide (configuration_zamba.py, _zamba2.py). */
function readZambaShape(reader: ConfigReader, heads: number, kvHeads: number | null): Shape {
  const layers = reader.required(FIELDS.layers);
  const attentionHeads = reader.countOr(FIELDS.attentionHeads, heads);
  const hiddenSize = reader.required(FIELDS.hiddenSize);
  const given = reader.has('num_key_value_heads') || kvHeads === null;
  return {
    layers,
    attentionHeads,
    hiddenSize,
    kvHeads: given ? readKvHeads(reader, attentionHeads) : reader.assume('num_key_value_heads', kvHeads),
    headDim: reader.count('attention_head_dim') ?? Math.floor((2 * hiddenSize) / attentionHeads),
  };
}

/** Mamba 1; attention in layer 2 and then as a period says, counted from layer 3 (configuration_zamba.py). */
function readZamba1(reader: ConfigReader): Body {
  const shape = readZambaShape(reader, 16, 16);
  const types = readLayerTypes(reader, shape.layers, HYBRID_TYPES, ['layers_block_type', 'layer_types']);
  const mamba = readMamba1Fields(reader, shape.hiddenSize);
  const stateBytes = readStateBytes(reader);
  return hybridBody(shape, types ?? periodic(reader, shape.layers), (layer) =>
    mamba1Caches(layer, mamba, stateBytes),
  );
}

function periodic(reader: ConfigReader, layers: number): HybridLayer[] {
  const period = reader.countOr('attn_layer_period', 6);
  const offset = reader.countFromZero('attn_layer_offset') ?? reader.assume('attn_layer_offset', 4);
  return layerIndexes(layers).map((layer) =>
    layer === 2 || (layer > 2 && (layer - 3) % period === offset) ? 'both' : 'mamba',
  );
}

/** Mamba 2; attention in the layers of `hybrid_layer_ids` (configuration_zamba2.py). */
function readZamba2(reader: ConfigReader): Body {
  const shape = readZambaShape(reader, 32, null);
  const listed = readLayerTypes(reader, shape.layers, HYBRID_TYPES, ['layers_block_type', 'layer_types']);
  const types = listed ?? hybridLayers(reader, shape.layers);
  const mamba = readMamba2Fields(reader, shape.hiddenSize, {
    heads: { name: 'n_mamba_heads', classDefault: 8 },
    groups: { name: 'mamba_ngroups', classDefault: 1 },
    stateSize: 64,
  });
  const stateBytes = readStateBytes(reader);
  return hybridBody(shape, types, (layer) => mamba2Caches(layer, mamba, stateBytes));
}

function hybridLayers(reader: ConfigReader, layers: number): HybridLayer[] {
  const ids = reader.counts('hybrid_layer_ids', null);
  if (!ids) throw reader.missing('hybrid_layer_ids');
  return layerIndexes(layers).map((layer) => (ids.includes(layer) ? 'both' : 'mamba'));
}
