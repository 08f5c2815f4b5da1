/** Nemotron-H and Nemotron 3: one letter a layer for state-space, attention, MLP and mixture of experts. */
import { FIELDS } from '../fields';
import { showValue } from '../geometry-error';
import { mamba2Caches } from '../layers/mamba';
import type { ConfigReader } from '../reader';
import type { Body, Family } from './family';
import { readLayerTypes, readShapeOr, readStateBytes } from './layer-types';
import { HYBRID_TYPES, hybridBody, type HybridLayer } from './mamba-hybrid';

export const NEMOTRON_H: readonly Family[] = [
  // nemotron_3: what Nemotron 3 Nano's own config calls itself (vLLM tests/config/base_model_arch_groundtruth.json).
  { types: ['nemotron_h', 'nemotron_3'], read: readNemotronH },
];

/** transformers 5.18 configuration_nemotron_h.py `_pattern_to_list`. */
const LETTERS: Readonly<Record<string, HybridLayer>> = { M: 'mamba', '*': 'full', '-': 'none', E: 'none' };

/** Older configs write attention_head_dim, newer ones head_dim. */
const HEAD_DIM = { names: ['head_dim', 'attention_head_dim'], max: 65_536 } as const;

/**
 * Layers by `layers_block_type`, else by the letters of `hybrid_override_pattern`. The convolution is over inner = heads x head
 * dim and both projections of each group; the state is in float32 unless `mamba_ssm_cache_dtype` says otherwise
 * (class default of configuration_nemotron_h.py).
 */
function readNemotronH(reader: ConfigReader): Body {
  const counted = reader.count(FIELDS.layers);
  const types =
    readLayerTypes(reader, counted, HYBRID_TYPES, ['layers_block_type', 'layer_types']) ?? letters(reader);
  if (counted !== null && types.length !== counted) {
    throw reader.bad(
      'hybrid_override_pattern',
      `one letter for each of the ${counted} layers`,
      `${types.length} letters`,
    );
  }
  const headDim = reader.countOr(HEAD_DIM, 128);
  const shape = {
    ...readShapeOr(reader, { attentionHeads: 32, kvHeads: 8, headDim, hiddenSize: 4096 }, types.length),
    headDim,
  };
  if (!types.includes('mamba')) return hybridBody(shape, types, () => []);
  const heads = reader.countOr('mamba_num_heads', 128);
  const stateHeadDim = reader.countOr('mamba_head_dim', 64);
  const mamba = {
    inner: heads * stateHeadDim,
    heads,
    headDim: stateHeadDim,
    groups: reader.count('mamba_n_groups') ?? reader.countOr('n_groups', 8),
    stateSize: reader.countOr('ssm_state_size', 128),
    kernel: reader.count('mamba_d_conv') ?? reader.countOr('conv_kernel', 4),
  };
  const stateBytes = readStateBytes(reader, 'float32');
  return hybridBody(shape, types, (layer) => mamba2Caches(layer, mamba, stateBytes));
}

function letters(reader: ConfigReader): HybridLayer[] {
  const pattern = reader.text('hybrid_override_pattern');
  if (pattern === null) throw reader.missing('hybrid_override_pattern');
  return Array.from(pattern, (letter, index) => {
    const type = Object.hasOwn(LETTERS, letter) ? LETTERS[letter] : undefined;
    if (type) return type;
    throw reader.bad(`hybrid_override_pattern[${index}]`, 'M, *, - or E', showValue(letter));
  });
}
