/** The recipe: the input of a measurement, and all that a link carries. */

export const EXPERIMENTS = ['length', 'growth'] as const;
export const DTYPES = ['fp32', 'fp16'] as const;
export const POLICIES = ['dynamic'] as const;
export const DEVICES = ['webgpu', 'wasm'] as const;
/** ONNX Runtime's `storageBufferCacheMode` values; `bucket` is its default. */
export const ALLOCATORS = ['bucket', 'simple', 'lazyRelease', 'disabled'] as const;
export const LANGS = ['en', 'ko'] as const;

export type Experiment = (typeof EXPERIMENTS)[number];
export type Dtype = (typeof DTYPES)[number];
export type Policy = (typeof POLICIES)[number];
export type Device = (typeof DEVICES)[number];
export type Allocator = (typeof ALLOCATORS)[number];
export type Lang = (typeof LANGS)[number];

export interface Recipe {
  experiment: Experiment;
  /** Model ids, at least one: a catalog id such as `tiny`, or `twin:<catalog id>`. */
  model: string[];
  /** Element type of the model, and so of its cache. */
  dtype: Dtype;
  /** Sequences in the batch. */
  batch: number;
  /** Length: cache lengths to measure at, ascending. Growth: the first entry is the prompt's length when `prompt` is empty. Tokens. */
  tokens: number[];
  /** Growth: decode steps after the prompt. */
  steps: number;
  /** Growth: the text to start from; empty means `tokens[0]` seeded random tokens. */
  prompt: string;
  policy: Policy;
  device: Device;
  allocator: Allocator;
  /** Tokens per prefill chunk; 0 lets the lab choose. */
  chunk: number;
  /** Seeds the twin's weights and the random prompts. */
  seed: number;
  repeats: number;
  /** Language of the page; null follows the browser. */
  lang: Lang | null;
}

export const DTYPE_BYTES: Record<Dtype, number> = { fp32: 4, fp16: 2 };

/** Values of a fresh recipe. Only what differs from them is written into a link. */
export function defaultRecipe(experiment: Experiment = 'length'): Recipe {
  return {
    experiment,
    model: ['tiny'],
    dtype: 'fp32',
    batch: 1,
    tokens: experiment === 'length' ? [64, 128, 129, 256, 257] : [128],
    steps: 32,
    prompt: experiment === 'growth' ? 'KV 캐시는' : '',
    policy: 'dynamic',
    device: 'webgpu',
    allocator: 'bucket',
    chunk: 0,
    seed: 0,
    repeats: 1,
    lang: null,
  };
}
