/** Models of state-space layers alone: Mamba, Falcon Mamba, Mamba 2, Codestral Mamba. They keep no keys and values. */
import { FIELDS } from '../fields';
import { mamba1Caches, mamba2Caches } from '../layers/mamba';
import type { ConfigReader } from '../reader';
import type { Body, Family } from './family';
import { bodyOf, layerIndexes, readStateBytes } from './layer-types';

export const MAMBA: readonly Family[] = [
  { types: ['mamba', 'falcon_mamba'], read: readMamba1 },
  { types: ['mamba2'], read: readMamba2 },
];

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
