/** DeepSeek V4: windows, compressed entries and indexers, one rule a layer. */
import { FIELDS } from '../fields';
import { compressedCaches } from '../layers/compressed';
import type { ConfigReader } from '../reader';
import type { Body, Family } from './family';
import { bodyOf, layerIndexes, readLayerTypes } from './layer-types';

export const COMPRESSED: readonly Family[] = [{ types: ['deepseek_v4'], read: readCompressed }];

interface LayerRule {
  /** Tokens of one compressed entry; 0: the window only. */
  ratio: number;
  indexed: boolean;
}

/** The ratio whose layers have an indexer: 4 is compressed_sparse_attention, 128 heavily_compressed_attention. */
const INDEXED_RATIO = 4;

/** Class defaults: transformers 5.18 configuration_deepseek_v4.py. */
function readCompressed(reader: ConfigReader): Body {
  const layers = reader.required(FIELDS.layers);
  const attentionHeads = reader.countOr(FIELDS.attentionHeads, 64);
  const headDim = reader.countOr('head_dim', 512);
  const window = reader.countOr('sliding_window', 128);
  const rules = readRatios(reader, layers) ?? readTypes(reader, layers);
  const indexDim = rules.some((rule) => rule.indexed) ? reader.countOr('index_head_dim', 128) : 0;
  const caches = rules.flatMap(({ ratio, indexed }, layer) =>
    compressedCaches(layer, ratio, indexed, { headDim, window, indexDim }),
  );
  const hiddenSize = reader.count(FIELDS.hiddenSize) ?? attentionHeads * headDim;
  return bodyOf({ layers, attentionHeads, hiddenSize }, caches);
}

/** `compress_ratios` has entries for the layers of multi-token prediction too, after those of the model. */
function readRatios(reader: ConfigReader, layers: number): LayerRule[] | null {
  const ratios = reader.counts('compress_ratios', null);
  if (ratios && ratios.length < layers) {
    throw reader.bad(
      'compress_ratios',
      `a list with an entry for each of the ${layers} layers`,
      `a list of ${ratios.length}`,
    );
  }
  return ratios?.slice(0, layers).map((ratio) => ({ ratio, indexed: ratio === INDEXED_RATIO })) ?? null;
}

function readTypes(reader: ConfigReader, layers: number): LayerRule[] {
  const rates = reader.nested('compress_rates');
  const sparse = { ratio: rates?.count('compressed_sparse_attention') ?? INDEXED_RATIO, indexed: true };
  const heavy = { ratio: rates?.count('heavily_compressed_attention') ?? 128, indexed: false };
  const given = readLayerTypes(
    reader,
    layers,
    {
      sliding_attention: { ratio: 0, indexed: false },
      compressed_sparse_attention: sparse,
      heavily_compressed_attention: heavy,
    },
    ['layer_types'],
  );
  if (given) return given;
  reader.assume(
    'layer_types',
    '2 x heavily_compressed_attention, then in turn with compressed_sparse_attention',
  );
  return layerIndexes(layers).map((layer) => (layer >= 2 && layer % 2 === 1 ? sparse : heavy));
}
