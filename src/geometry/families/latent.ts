/** Families with multi-head latent attention in every layer: DeepSeek V2 to V3.2, Kimi K2, GLM-5, LongCat, MiniCPM3 and others. */
import { FIELDS } from '../fields';
import { fullAttentionCaches } from '../layers/full';
import { latentCache } from '../layers/latent';
import type { ConfigReader } from '../reader';
import type { Body, Family } from './family';
import { readIndexers, type IndexerRule } from './indexers';
import { isNotLatent, readLatentShape, type LatentDefaults } from './latent-shape';
import { bodyOf, countOr, layerIndexes, readShapeOr } from './layer-types';

interface LatentFamily extends LatentDefaults {
  types: readonly string[];
  heads: number;
  /** Sparse attention's keys beside the latent; without it they are read only where the config has `index_topk`. */
  indexers?: IndexerRule;
  /** Attentions in one layer; 1 where absent. */
  attentions?: number;
}

/** Class defaults: transformers 5.18 configuration_<first type>.py; those of kimi_k2 are DeepseekV3Config's (configuration_kimi_k25.py). */
const LATENT_FAMILIES: readonly LatentFamily[] = [
  { types: ['deepseek_v2'], rank: 512, rope: 64, nope: 128, v: 128, heads: 32 },
  // Their language part is DeepSeek V2, with `use_mla` false in the small ones.
  { types: ['deepseek_vl_v2', 'deepseek_ocr'], rank: 512, rope: 64, nope: 128, v: 128, heads: 32 },
  {
    types: ['deepseek_v3', 'kimi_k2', 'kimi_k25', 'kimi_vl', 'deepseek_mtp'],
    rank: 512,
    rope: 64,
    nope: 128,
    v: 128,
    heads: 128,
  },
  { types: ['deepseek_v32'], rank: 512, rope: 64, nope: 128, v: 128, heads: 128, indexers: 'every' },
  { types: ['glm_moe_dsa'], rank: 512, rope: 64, nope: 192, v: 256, heads: 64, indexers: 'listed' },
  { types: ['glm4_moe_lite'], rank: 512, rope: 64, nope: 192, v: 256, heads: 20 },
  { types: ['minicpm3'], rank: 256, rope: 32, nope: 64, v: null, heads: 40 },
  { types: ['mistral4'], rank: 256, rope: 64, nope: 64, v: 128, heads: 32 },
  { types: ['youtu', 'youtu_llm'], rank: 512, rope: 64, nope: 128, v: 128, heads: 16 },
  { types: ['hy_v4'], rank: 512, rope: 64, nope: 192, v: 256, heads: 32, indexers: 'fourth' },
  { types: ['axk1', 'AXK1'], rank: 512, rope: 64, nope: 128, v: 128, heads: 64 },
  { types: ['axk2'], rank: 128, rope: 32, nope: 64, v: 64, heads: 32, indexers: 'every' },
  // Two attentions in each of `num_layers` layers; transformers counts num_hidden_layers = 2 x num_layers caches.
  {
    types: ['longcat_flash', 'longcat_flash_ngram', 'longcat_next'],
    rank: 512,
    rope: 64,
    nope: 128,
    v: 128,
    heads: 64,
    attentions: 2,
  },
];

/** openPangu-Ultra-MoE, without a class in transformers: every width must be given (vLLM model_arch_config_convertor.py). */
const ALL_GIVEN = ['pangu_ultra_moe', 'pangu_ultra_moe_mtp'];

export const LATENT: readonly Family[] = [
  ...LATENT_FAMILIES.map((family) => ({
    types: family.types,
    read: (reader: ConfigReader) => readLatent(reader, family),
  })),
  { types: ALL_GIVEN, read: (reader: ConfigReader) => readLatent(reader, null) },
];

/** A latent in every layer (layers of multi-token prediction, `num_nextn_predict_layers`, are no part of the ideal cache). */
export function readLatent(reader: ConfigReader, family: LatentFamily | null): Body {
  if (isNotLatent(reader)) {
    const plain = readShapeOr(reader, family ? { attentionHeads: family.heads } : {});
    return bodyOf(plain, fullAttentionCaches(plain.layers, plain.kvHeads, plain.headDim));
  }
  const attentions = family?.attentions ?? 1;
  const layers = attentions > 1 ? readDoubleLayers(reader, attentions) : reader.required(FIELDS.layers);
  const attentionHeads = countOr(reader, FIELDS.attentionHeads, family?.heads);
  const shape = readLatentShape(reader, attentionHeads, family ?? undefined);
  const rule = family?.indexers ?? (reader.count('index_topk') === null ? null : 'listed');
  const indexers = rule ? readIndexers(reader, layers, rule) : [];
  const caches = layerIndexes(layers).flatMap((layer) => [
    ...Array.from({ length: attentions }, () => latentCache(layer, shape)),
    ...indexers.filter((indexer) => indexer.layer === layer),
  ]);
  return bodyOf(
    {
      layers,
      attentionHeads,
      hiddenSize: reader.count(FIELDS.hiddenSize) ?? attentionHeads * shape.expanded.keyDim,
    },
    caches,
  );
}

/** Layers where one layer has several attentions: `num_layers`, else `num_hidden_layers`, which counts the attentions. */
function readDoubleLayers(reader: ConfigReader, attentions: number): number {
  const layers = reader.count({ names: ['num_layers'], max: FIELDS.layers.max });
  if (layers !== null) return layers;
  const counted = reader.count({ names: ['num_hidden_layers'], max: FIELDS.layers.max });
  if (counted === null) throw reader.missing('num_layers');
  if (counted % attentions !== 0) throw reader.bad('num_hidden_layers', `a multiple of ${attentions}`);
  return counted / attentions;
}
