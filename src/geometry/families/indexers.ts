/** Which layers of a sparse-attention model have an indexer of their own; the others use the choice of one before them. */
import type { LayerCache } from '../geometry';
import { indexerCache } from '../layers/indexer';
import type { ConfigReader } from '../reader';
import { layerIndexes, readLayerTypes } from './layer-types';

/** How a family says it: every layer; by `indexer_types`; or every fourth after the first where nothing is said (Hunyuan V4). */
export type IndexerRule = 'every' | 'listed' | 'fourth';

const OWN = { full: true, shared: false, F: true, S: false };

/**
 * One entry of `index_head_dim` elements a token for each layer with an indexer (transformers configuration_glm_moe_dsa.py:
 * `indexer_types`, else `index_topk_pattern` of F and S, else every `index_topk_freq`-th after `index_skip_topk_offset`;
 * modeling_glm_moe_dsa.py: "shared" layers have no indexer; configuration_deepseek_v32.py has one in every layer).
 */
export function readIndexers(reader: ConfigReader, layers: number, rule: IndexerRule): LayerCache[] {
  const dim = reader.countOr('index_head_dim', 128);
  const own = rule === 'every' ? null : ownIndexers(reader, layers, rule);
  return layerIndexes(layers).flatMap((layer) => (own?.[layer] === false ? [] : [indexerCache(layer, dim)]));
}

function ownIndexers(reader: ConfigReader, layers: number, rule: IndexerRule): boolean[] {
  const listed = readLayerTypes(reader, layers, OWN, ['indexer_types']);
  if (listed) return listed;
  if (rule === 'fourth') {
    reader.assume('indexer_types', '1 of 4');
    return layerIndexes(layers).map((layer) => layer === 0 || (layer - 1) % 4 === 0);
  }
  const pattern = reader.config['index_topk_pattern'];
  if (typeof pattern === 'string' && new RegExp(`^[FS]{${layers}}$`).test(pattern)) {
    return Array.from(reader.text('index_topk_pattern') ?? '', (letter) => letter === 'F');
  }
  const patterned = readLayerTypes(reader, layers, OWN, ['index_topk_pattern']);
  if (patterned) return patterned;
  const every = reader.count('index_topk_freq') ?? 1;
  if (every === 1) return layerIndexes(layers).map(() => true);
  const offset = reader.countFromZero('index_skip_topk_offset') ?? reader.assume('index_skip_topk_offset', 2);
  return layerIndexes(layers).map((layer) => Math.max(layer - offset + 1, 0) % every === 0);
}
