/** The recipe: the input of a measurement, and all that a link carries. */

import { defaultCapacity, type CapacityState } from './capacity';
import { defaultPolicies, type PoliciesState } from './policies';
import { defaultRedundancy, type RedundancyState } from './redundancy';
import { defaultServing, type ServingState } from './serving';

export const EXPERIMENTS = [
  'length',
  'growth',
  'dtype',
  'batch',
  'gqa',
  'weights',
  'policies',
  'serving',
  'capacity',
  'redundancy',
] as const;
/**
 * Variants of a model's weights by transformers.js' names (its utils/dtypes.js), and bf16, which ONNX Runtime Web cannot run.
 * A variant is not the element type of the cache: that is read from the graph.
 */
export const DTYPES = [
  'fp32',
  'fp16',
  'bf16',
  'q8',
  'q4',
  'q4f16',
  'int8',
  'uint8',
  'bnb4',
  'q2',
  'q2f16',
  'q1',
  'q1f16',
] as const;
/**
 * `dynamic` grows by concatenation; `static` appends in place, to buffers made for `room` tokens; `quantised` grows too, in integers of
 * `bits` with their scales; `paged` keeps blocks of `block` tokens in a pool, which are gathered for each pass.
 */
export const POLICIES = ['dynamic', 'static', 'quantised', 'paged'] as const;
/** Bits of a quantised element. */
export const CACHE_BITS = ['8', '4'] as const;
/** What a static cache does with a token more than it has room for: nothing, or a move to buffers twice as large. */
export const OVERFLOWS = ['refuse', 'move'] as const;
export const DEVICES = ['webgpu', 'wasm'] as const;
/** ONNX Runtime's `storageBufferCacheMode` values; `bucket` is its default. */
export const ALLOCATORS = ['bucket', 'simple', 'lazyRelease', 'disabled'] as const;
export const LANGS = ['en', 'ko'] as const;

export type Experiment = (typeof EXPERIMENTS)[number];
export type Dtype = (typeof DTYPES)[number];
export type Policy = (typeof POLICIES)[number];
export type CacheBits = (typeof CACHE_BITS)[number];
export type Overflow = (typeof OVERFLOWS)[number];
export type Device = (typeof DEVICES)[number];
export type Allocator = (typeof ALLOCATORS)[number];
export type Lang = (typeof LANGS)[number];

export interface Recipe {
  experiment: Experiment;
  /** Model ids, at least one: `tiny`, `twin:<hub id>`, a hub id `owner/name[@revision]`, `local:<folder>`, `config:<name>`; see `isModelId`. */
  model: string[];
  /** Variants of the weights, at least one; every experiment runs all of them. */
  dtype: Dtype[];
  /** Sequences in the batch, at least one number; every experiment runs all of them. */
  batch: number[];
  /** Cache lengths to measure at, ascending. Growth: the first entry is the prompt's length when `prompt` is empty. Tokens. */
  tokens: number[];
  /** Growth: decode steps after the prompt. Batch: decode steps after the last length. */
  steps: number;
  /** Growth: the text to start from; empty means `tokens[0]` seeded random tokens. */
  prompt: string;
  policy: Policy;
  /** Static: tokens per sequence that the buffers are made for at first; 0 makes them for as many as the run needs. */
  room: number;
  overflow: Overflow;
  /** Quantised: bits of an element of the cache. */
  bits: CacheBits;
  /** Paged: tokens per block. */
  block: number;
  device: Device;
  allocator: Allocator;
  /** Tokens per prefill chunk; 0 lets the lab choose. */
  chunk: number;
  /** Seeds the twin's weights and the random prompts. */
  seed: number;
  repeats: number;
  /** The part of the plan to run, as `2/4`; empty runs all of it. Records of all parts merge into one. */
  shard: string;
  /** Language of the page; null follows the browser. */
  lang: Lang | null;
  /** What the planner is asked; only with `experiment: 'capacity'`, which uses nothing else of the recipe but the language. */
  capacity?: CapacityState | undefined;
  /** Which documents, tokens and pairs; only with `experiment: 'redundancy'`, which runs one model in one variant and batch 1. */
  redundancy?: RedundancyState | undefined;
  /** Which policies and modes are put beside each other; only with `experiment: 'policies'`, which runs one model in one variant. */
  policies?: PoliciesState | undefined;
  /** Which requests share which pool; only with `experiment: 'serving'`, of one model in one variant. */
  serving?: ServingState | undefined;
}

/**
 * Bytes of one cache element that a variant is expected to have, until the graph was read: weights may be quantised,
 * keys and values are floats (float16 where the name says f16).
 */
export const DTYPE_BYTES: Record<Dtype, number> = {
  fp32: 4,
  fp16: 2,
  bf16: 2,
  q8: 4,
  q4: 4,
  q4f16: 2,
  int8: 4,
  uint8: 4,
  bnb4: 4,
  q2: 4,
  q2f16: 2,
  q1: 4,
  q1f16: 2,
};

/** Variants that compute in float16, whatever their weights are stored in. */
export const FLOAT16_DTYPES: readonly Dtype[] = ['fp16', 'q4f16', 'q2f16', 'q1f16'];

const QWEN = 'twin:Qwen/Qwen2.5-0.5B-Instruct';
/** The three models of the first article, in its order. */
export const ARTICLE_MODELS = [
  QWEN,
  'twin:HuggingFaceTB/SmolLM2-135M-Instruct',
  'twin:openai-community/gpt2',
];

/** What sets an experiment's fresh recipe apart from that of `length`. */
const OF_EXPERIMENT: Record<Experiment, Partial<Recipe>> = {
  length: {},
  growth: { tokens: [128], prompt: 'KV 캐시는' },
  dtype: { model: [QWEN], tokens: [512], dtype: ['fp32', 'fp16', 'bf16', 'q8', 'q4', 'q4f16'] },
  batch: { model: [QWEN], tokens: [512], batch: [1, 2, 4, 8], steps: 1, repeats: 3 },
  gqa: { model: [QWEN], tokens: [128] },
  weights: { model: ARTICLE_MODELS, tokens: [128] },
  policies: { tokens: [64, 128, 256, 512], steps: 4 },
  serving: { model: [QWEN] },
  capacity: {},
  redundancy: {},
};

/** Values of a fresh recipe. Only what differs from them is written into a link. */
export function defaultRecipe(experiment: Experiment = 'length'): Recipe {
  return {
    model: ['tiny'],
    dtype: ['fp32'],
    batch: [1],
    tokens: [64, 128, 129, 256, 257],
    steps: 32,
    prompt: '',
    policy: 'dynamic',
    room: 0,
    overflow: 'refuse',
    bits: '8',
    block: 16,
    device: 'webgpu',
    allocator: 'bucket',
    chunk: 0,
    seed: 0,
    repeats: 1,
    shard: '',
    lang: null,
    ...OF_EXPERIMENT[experiment],
    ...(experiment === 'capacity' ? { capacity: defaultCapacity() } : {}),
    ...(experiment === 'redundancy' ? { redundancy: defaultRedundancy() } : {}),
    ...(experiment === 'policies' ? { policies: defaultPolicies() } : {}),
    ...(experiment === 'serving' ? { serving: defaultServing() } : {}),
    experiment,
  };
}

/**
 * The recipe of another experiment: its own lengths, steps, prompt, variants, batches and repeats, and everything else as it
 * was chosen. Models are kept when they were chosen, and replaced when they are the old experiment's own.
 */
export function recipeOf(experiment: Experiment, recipe: Recipe): Recipe {
  if (recipe.experiment === experiment) return recipe;
  const fresh = defaultRecipe(experiment);
  const untouched = recipe.model.join('\n') === defaultRecipe(recipe.experiment).model.join('\n');
  const { policy, overflow, bits, block, device, allocator, chunk, seed, lang } = recipe;
  const model = untouched ? fresh.model : recipe.model;
  return oneSubject({
    ...{ ...fresh, model, policy, overflow, bits, block, device, allocator, chunk, seed, lang },
  });
}

/** Experiments that look into one model in one variant, and do not take the recipe's one policy. */
export const OF_ONE_MODEL: readonly Experiment[] = ['redundancy', 'policies', 'serving'];

/** The recipe of an experiment of one model in one variant with the first of each kept, and the default policy. */
export function oneSubject(recipe: Recipe): Recipe {
  if (!OF_ONE_MODEL.includes(recipe.experiment)) return recipe;
  const { policy } = defaultRecipe(recipe.experiment);
  return { ...recipe, model: recipe.model.slice(0, 1), dtype: recipe.dtype.slice(0, 1), policy };
}
