/** What an engine's rule takes and gives. */
import type { LayerCacheKind } from '../geometry';
import type { KvDtype } from './kv-dtype';
import type { EngineNoteCode } from './notes';

export type EngineId = 'ideal' | 'transformers.js' | 'vllm' | 'llama.cpp' | 'preallocated';

export interface EngineOptions {
  dtype: KvDtype;
  /** Sequences. */
  batch: number;
  /** Tokens per sequence. */
  tokens: number;
  /** preallocated: tokens per sequence that are reserved; the model's highest number of positions where absent. */
  maxTokens?: number | undefined;
  /** vLLM `max_num_batched_tokens`; 8,192 where absent. */
  batchedTokens?: number | undefined;
  /** vLLM: false is `--disable-hybrid-kv-cache-manager` (every layer keeps all tokens); true where absent. */
  hybrid?: boolean | undefined;
  /**
   * vLLM `--enable-prefix-caching` as it concerns states: a second page of each (mode `align`); false where absent, the
   * default of models with states in vLLM 0.23; in 0.28.1 it is true.
   */
  prefixCaching?: boolean | undefined;
  /** vLLM `tensor_parallel_size`; 1 where absent. */
  tensorParallel?: number | undefined;
  /** llama.cpp `n_ubatch`; 512 where absent. */
  ubatch?: number | undefined;
  /** llama.cpp `--swa-full`: windows keep every token; false where absent. */
  fullWindows?: boolean | undefined;
}

export interface EngineNote {
  code: EngineNoteCode;
  params: Record<string, string | number>;
}

/** Layers whose entries are the same, one after the other or not. Values are of one layer and one sequence, whole bytes. */
export interface LayerGroup {
  kind: LayerCacheKind;
  count: number;
  /** Bytes that the first token adds. */
  bytesPerToken: number;
  /** Bytes that a token adds past the cap, in the long run; may have a fraction. */
  bytesPerTokenFar: number;
  fixedBytes: number;
}

export interface EngineBytes {
  engine: EngineId;
  /** Bytes of the whole cache of all sequences; with tensor parallelism, of one GPU. */
  bytes: number;
  /** The same, over all GPUs. */
  bytesAllGpus: number;
  /** Of one sequence (on one GPU): what is there whatever the length. */
  fixedBytes: number;
  /** Of one sequence: what the first token adds, apart from rounding to blocks and pages. */
  bytesPerTokenFirst: number;
  /** Of one sequence: what a token adds past every cap; may have a fraction where one entry serves several tokens. */
  bytesPerTokenFar: number;
  layers: LayerGroup[];
  notes: EngineNote[];
}

/** One layer's entry under an engine's rule, in bytes of one sequence; may have fractions. */
export interface EntryBytes {
  kind: LayerCacheKind;
  /** Bytes at the asked length. */
  bytes: number;
  first: number;
  far: number;
  fixed: number;
}
