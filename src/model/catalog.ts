/** The models that need no download: facts of public config.json files at pinned revisions, and our own `tiny`. */
import { fullAttentionCaches } from '../geometry/layers/full';
import type { Geometry } from '../geometry/geometry';
import type { Dtype } from '../protocol/recipe';

export interface ModelSpec {
  /** What a recipe writes: `tiny`, `twin:` and the hub id, or `mha:` before either's bare id for its MHA counterfactual. */
  id: string;
  /** Short name for people. */
  name: string;
  /** Hub repository of the real model; "built-in" for `tiny`. */
  repo: string;
  /** Commit of that repository from which the config was read; "built-in" for `tiny`. */
  revision: string;
  source: 'built-in' | 'twin';
  /** Parameters of the real model; null for `tiny`, whose weights are made up, and for a counterfactual, which no one made. */
  parameters: number | null;
  /** The fields of config.json that decide the cache, with the vocabulary size for the builder. */
  config: Record<string, unknown>;
  /** What `readGeometry(config)` gives (the test says so); written down, so that the first paint needs no reader. */
  geometry: Geometry;
}

export type CatalogModel = ModelSpec;

type Shape = Omit<Geometry, 'caches'>;

/** The geometry of a model whose every layer is full attention. */
function fullAttention(shape: Shape): Geometry {
  return { ...shape, caches: fullAttentionCaches(shape.layers, shape.kvHeads, shape.headDim) };
}

/** Bytes are the tokens of `tiny`, so that any text is a prompt. */
const TINY_CONFIG = {
  architectures: ['LlamaForCausalLM'],
  model_type: 'llama',
  hidden_size: 128,
  intermediate_size: 256,
  num_hidden_layers: 4,
  num_attention_heads: 8,
  num_key_value_heads: 2,
  head_dim: 32,
  max_position_embeddings: 4096,
  vocab_size: 256,
};
const TINY_SHAPE: Shape = {
  modelType: 'llama',
  layers: 4,
  attentionHeads: 8,
  kvHeads: 2,
  headDim: 32,
  hiddenSize: 128,
  maxPositions: 4096,
};

const QWEN_CONFIG = {
  architectures: ['Qwen2ForCausalLM'],
  model_type: 'qwen2',
  hidden_size: 896,
  intermediate_size: 4864,
  num_hidden_layers: 24,
  num_attention_heads: 14,
  num_key_value_heads: 2,
  max_position_embeddings: 32768,
  sliding_window: 32768,
  use_sliding_window: false,
  max_window_layers: 21,
  tie_word_embeddings: true,
  vocab_size: 151936,
};
const QWEN_SHAPE: Shape = {
  modelType: 'qwen2',
  layers: 24,
  attentionHeads: 14,
  kvHeads: 2,
  headDim: 64,
  hiddenSize: 896,
  maxPositions: 32768,
};

const SMOLLM_CONFIG = {
  architectures: ['LlamaForCausalLM'],
  model_type: 'llama',
  hidden_size: 576,
  intermediate_size: 1536,
  num_hidden_layers: 30,
  num_attention_heads: 9,
  num_key_value_heads: 3,
  max_position_embeddings: 8192,
  tie_word_embeddings: true,
  vocab_size: 49152,
};
const SMOLLM_SHAPE: Shape = {
  modelType: 'llama',
  layers: 30,
  attentionHeads: 9,
  kvHeads: 3,
  headDim: 64,
  hiddenSize: 576,
  maxPositions: 8192,
};

const GPT2_CONFIG = {
  architectures: ['GPT2LMHeadModel'],
  model_type: 'gpt2',
  n_embd: 768,
  n_head: 12,
  n_layer: 12,
  n_positions: 1024,
  n_ctx: 1024,
  vocab_size: 50257,
};
const GPT2_SHAPE: Shape = {
  modelType: 'gpt2',
  layers: 12,
  attentionHeads: 12,
  kvHeads: 12,
  headDim: 64,
  hiddenSize: 768,
  maxPositions: 1024,
};

function twin(
  repo: string,
  name: string,
  revision: string,
  parameters: number,
  config: Record<string, unknown>,
  shape: Shape,
): CatalogModel {
  return {
    id: `twin:${repo}`,
    name,
    repo,
    revision,
    source: 'twin',
    parameters,
    config,
    geometry: fullAttention(shape),
  };
}

export const CATALOG: readonly CatalogModel[] = [
  {
    id: 'tiny',
    name: 'tiny',
    repo: 'built-in',
    revision: 'built-in',
    source: 'built-in',
    parameters: null,
    config: TINY_CONFIG,
    geometry: fullAttention(TINY_SHAPE),
  },
  twin(
    'Qwen/Qwen2.5-0.5B-Instruct',
    'Qwen2.5-0.5B-Instruct',
    '7ae557604adf',
    494_032_768,
    QWEN_CONFIG,
    QWEN_SHAPE,
  ),
  twin(
    'HuggingFaceTB/SmolLM2-135M-Instruct',
    'SmolLM2-135M-Instruct',
    '12fd25f77366',
    134_515_008,
    SMOLLM_CONFIG,
    SMOLLM_SHAPE,
  ),
  twin('openai-community/gpt2', 'GPT-2', '607a30d783df', 124_439_808, GPT2_CONFIG, GPT2_SHAPE),
];

const COUNTERFACTUAL = 'mha:';

/** The catalog model of that id, or the counterfactual of one (`mha:`, which the catalog does not list), or null. */
export function findModel(id: string): ModelSpec | null {
  const listed = CATALOG.find((model) => model.id === id);
  if (listed) return listed;
  const base = CATALOG.find((model) => counterfactualOf(model.id) === id);
  return base ? counterfactual(base, id) : null;
}

/**
 * The id of a catalog model's MHA counterfactual: `mha:Qwen/…` for `twin:Qwen/…`, `mha:tiny` for `tiny`. Null when the model
 * has as many KV heads as attention heads already, or is not in the catalog.
 */
export function counterfactualOf(id: string): string | null {
  const model = CATALOG.find((candidate) => candidate.id === id);
  if (!model || model.geometry.kvHeads === model.geometry.attentionHeads) return null;
  return COUNTERFACTUAL + id.replace(/^twin:/, '');
}

/** The same model if it kept keys and values of every attention head: what grouped-query attention saves, as a twin. */
function counterfactual(model: CatalogModel, id: string): ModelSpec {
  const kvHeads = model.geometry.attentionHeads;
  return {
    ...model,
    id,
    name: `${model.name} with as many KV heads as attention heads`,
    source: 'twin',
    parameters: null,
    config: { ...model.config, num_key_value_heads: kvHeads },
    geometry: fullAttention({ ...model.geometry, kvHeads }),
  };
}

/**
 * Bytes of a model's weights: parameters x 4 (fp32) or x 2 (fp16, bf16). Null for quantised variants, whose scales, zero
 * points and unquantised layers follow no formula: the size of the files tells.
 */
export function weightBytes(parameters: number, dtype: Dtype): number | null {
  if (dtype === 'fp32') return parameters * 4;
  return dtype === 'fp16' || dtype === 'bf16' ? parameters * 2 : null;
}
