/** The config.json that a built model ships: what transformers.js needs to know of the graph, and nothing of the real model. */
import type { Geometry } from '../geometry/geometry';
import { BYTE_VOCAB_SIZE } from './byte-tokenizer';
import { stateRuleOf, type CachePart, type StateRule } from './cache-parts';

/** A model_type of each rule, whose class in transformers.js has one graph and takes tokens alone. */
const TYPE_OF_RULE: Record<StateRule, string> = {
  lfm2: 'lfm2',
  granite: 'granitemoehybrid',
  qwen: 'qwen3_next',
  olmo: 'olmo_hybrid',
};
/** The words of `layer_types` for a layer with keys, and for one with states (transformers.js, src/configs.js). */
const LAYER_TYPES: Record<StateRule, { keys: string; states: string }> = {
  lfm2: { keys: 'full_attention', states: 'conv' },
  granite: { keys: 'attention', states: 'mamba' },
  qwen: { keys: 'full_attention', states: 'linear_attention' },
  olmo: { keys: 'full_attention', states: 'linear_attention' },
};

/**
 * A config by which transformers.js' `getCacheNames` names every cache tensor of the graph, so that it leaves all of them on
 * the GPU. It may name more, as it does for exports of the hub (Gemma 3n's shared layers): the graph's own inputs decide.
 */
export function twinConfig(geometry: Geometry, parts: readonly CachePart[]): Record<string, unknown> {
  const layers = Math.max(geometry.layers, ...parts.map(({ layer }) => layer + 1));
  const heads = Math.max(1, geometry.kvHeads);
  const common = {
    num_hidden_layers: layers,
    num_attention_heads: heads,
    num_key_value_heads: heads,
    head_dim: Math.max(1, geometry.headDim),
    hidden_size: heads * Math.max(1, geometry.headDim),
    vocab_size: BYTE_VOCAB_SIZE,
  };
  if (parts.every(({ kind }) => kind === 'attention')) return { ...common, model_type: 'llama' };
  const { rule } = stateRuleOf(geometry.modelType);
  const model_type = TYPE_OF_RULE[rule];
  const at = (layer: number, keys: boolean): boolean =>
    parts.some((part) => part.layer === layer && (part.kind === 'attention') === keys);
  const every = Array.from({ length: layers }, (_, layer) => layer);
  // Falcon-H1's layers have both; without layer_types, Granite's rule names both in every layer.
  if (every.some((layer) => at(layer, true) && at(layer, false))) {
    return { ...common, model_type: 'granitemoehybrid' };
  }
  const words = LAYER_TYPES[rule];
  return {
    ...common,
    model_type,
    layer_types: every.map((layer) => (at(layer, true) ? words.keys : words.states)),
  };
}
