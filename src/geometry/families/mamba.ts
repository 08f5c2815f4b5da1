/** Models of state-space layers alone: Mamba, Falcon Mamba, Mamba 2, Codestral Mamba. They keep no keys and values. */
import { FIELDS } from '../fields';
import { mamba1Caches, mamba2Caches } from '../layers/mamba';
import type { ConfigReader } from '../reader';
import type { Body, Family } from './family';
import { bodyOf, layerIndexes, readStateBytes } from './layer-types';

/** What nested.ts calls a config of the mamba_ssm package, which has no model_type. */
const MAMBA_SSM = 'mamba_ssm';

export const MAMBA: readonly Family[] = [
  {
    types: ['mamba', 'falcon_mamba'],
    read: (reader) => (isMamba2(reader) ? readMamba2 : readMamba1)(reader),
  },
  { types: ['mamba2'], read: readMamba2 },
  { types: [MAMBA_SSM], read: readMambaSsm },
];

/** Codestral Mamba calls itself "mamba" (vLLM tests/config/base_model_arch_groundtruth.json). */
function isMamba2({ outer }: ConfigReader): boolean {
  return Array.isArray(outer['architectures']) && outer['architectures'][0] === 'Mamba2ForCausalLM';
}

/**
 * state-spaces/mamba-* and mamba2-*: configs of the mamba_ssm package, which have `ssm_cfg` in place of a model_type. Defaults
 * are those of its modules (mamba_ssm/modules/mamba_simple.py, mamba2.py).
 */
function readMambaSsm(reader: ConfigReader): Body {
  const layers = reader.required(FIELDS.layers);
  const hiddenSize = reader.required(FIELDS.hiddenSize);
  const ssm = reader.nested('ssm_cfg') ?? reader;
  const attention = reader.counts('attn_layer_idx', null) ?? [];
  if (attention.length > 0)
    throw reader.bad('attn_layer_idx', 'empty: attention layers of mamba_ssm are not read');
  const two = ssm.text('layer') === 'Mamba2';
  const inner = ssm.countOr('expand', 2) * hiddenSize;
  const kernel = ssm.countOr('d_conv', 4);
  const stateSize = ssm.countOr('d_state', two ? 128 : 16);
  const headDim = two ? ssm.countOr('headdim', 64) : 1;
  if (inner % headDim !== 0) throw ssm.bad('headdim', `a divisor of expand x d_model = ${inner}`);
  const groups = two ? ssm.countOr('ngroups', 1) : 1;
  const caches = layerIndexes(layers).flatMap((layer) =>
    two
      ? mamba2Caches(layer, { inner, stateSize, kernel, heads: inner / headDim, headDim, groups })
      : mamba1Caches(layer, { inner, stateSize, kernel }),
  );
  return bodyOf({ layers, attentionHeads: 0, hiddenSize }, caches);
}

/** Class defaults: transformers 5.18 configuration_mamba.py, which derives `intermediate_size` too. */
function readMamba1(reader: ConfigReader): Body {
  const layers = reader.required(FIELDS.layers);
  const hiddenSize = reader.required(FIELDS.hiddenSize);
  const inner = reader.count('intermediate_size') ?? reader.countOr('expand', 2) * hiddenSize;
  const stateSize = reader.countOr('state_size', 16);
  const kernel = reader.countOr('conv_kernel', 4);
  const stateBytes = readStateBytes(reader);
  const caches = layerIndexes(layers).flatMap((layer) =>
    mamba1Caches(layer, { inner, stateSize, kernel }, stateBytes),
  );
  return bodyOf({ layers, attentionHeads: 0, hiddenSize }, caches);
}

/** Class defaults: transformers 5.18 configuration_mamba2.py; its heads x head dim are expand x hidden size. */
function readMamba2(reader: ConfigReader): Body {
  const layers = reader.required(FIELDS.layers);
  const hiddenSize = reader.required(FIELDS.hiddenSize);
  const heads = reader.countOr('num_heads', 128);
  const headDim = reader.countOr('head_dim', 64);
  const shape = {
    inner: reader.countOr('expand', 2) * hiddenSize,
    heads,
    headDim,
    groups: reader.countOr('n_groups', 8),
    stateSize: reader.countOr('state_size', 128),
    kernel: reader.countOr('conv_kernel', 4),
  };
  if (shape.inner !== heads * headDim) {
    throw reader.bad('num_heads', `expand x hidden_size / head_dim = ${shape.inner / headDim}`);
  }
  const stateBytes = readStateBytes(reader);
  const caches = layerIndexes(layers).flatMap((layer) => mamba2Caches(layer, shape, stateBytes));
  return bodyOf({ layers, attentionHeads: 0, hiddenSize }, caches);
}
