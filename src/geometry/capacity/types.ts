/** What the capacity planner is asked, and what it answers. Bytes, tokens, sessions and GPUs are whole numbers. */
import type { EngineId, EngineNote, EngineOptions } from '../engines';
import type { Geometry } from '../geometry';

export interface CapacityModel {
  name: string;
  /** Read from a config.json, or typed: bytes per token as somebody reports them, which no engine or type changes. */
  cache: { geometry: Geometry } | { bytesPerToken: number; fixedBytes?: number | undefined };
  /** Bytes of all weights; null when nobody knows, and then nothing that depends on the room is said. */
  weightBytes: number | null;
}

export interface CapacityInput {
  models: readonly CapacityModel[];
  /** Memory of one GPU. */
  gpuBytes: number;
  /** GPUs that share the model. */
  gpus: number;
  /** Kept free on every GPU for activations and the runtime. */
  reserveBytes: number;
  /** Share of each GPU's memory that may be used, over 0 to 1 (vLLM `gpu_memory_utilization`). */
  usableShare: number;
  /** Id of a type of the cache, such as `bf16` (engines/kv-dtype.ts). */
  dtype: string;
  engine: EngineId;
  /** Tokens per session, one row each. */
  contexts: readonly number[];
  /** Sessions wanted at the same time. */
  sessions: number;
  /** The engine's own settings. */
  options?: Pick<EngineOptions, 'maxTokens' | 'batchedTokens' | 'hybrid' | 'ubatch'> | undefined;
  /** Bytes per token that somebody reports, to compare every model with. */
  reportedBytesPerToken?: number | undefined;
}

export type CapacityFault =
  /** The engine cannot hold the model on so many GPUs; `detail` is its sentence. */
  | 'capacity-engine-refuses'
  | 'capacity-weights-unknown'
  /** By `missing` bytes, over all GPUs. */
  | 'capacity-weights-do-not-fit'
  /** One session of so many tokens is more than the engine reserves. */
  | 'capacity-context-refused'
  /** However many GPUs are taken: `detail` or the number tried. */
  | 'capacity-no-gpus';

/** English sentences of the faults, `{name}` filled from the params. */
export const CAPACITY_FAULTS: Record<CapacityFault, string> = {
  'capacity-engine-refuses': 'The engine does not run {model} so: {detail}',
  'capacity-weights-unknown':
    'The size of the weights of {model} is not known: read the safetensors index, or type it.',
  'capacity-weights-do-not-fit':
    'The weights of {model} do not fit: {missing} bytes are missing after what is kept free (GPUs: {gpus}).',
  'capacity-context-refused': 'A session of {tokens} tokens is not possible: {detail}',
  'capacity-no-gpus':
    'No number of GPUs up to {tried} holds {sessions} sessions of {tokens} tokens of {model} under this engine.',
};

export interface CapacityReason {
  code: CapacityFault;
  params: Record<string, string | number>;
}

/** A number of tokens or sessions, or the words that there is no end to it (the cache stops growing, or takes nothing). */
export type Count = number | 'unbounded';

export interface SessionRow {
  /** Tokens of each session. */
  tokens: number;
  /** Of one session, over all GPUs; null when the engine refuses that length. */
  sessionBytes: number | null;
  /** Sessions that fit at the same time; null without known weights, or when the length is refused. */
  sessions: Count | null;
  /** Whether the length is over the model's highest number of positions. */
  overMaximum: boolean;
  reason: CapacityReason | null;
}

export interface GpusRow {
  tokens: number;
  /** The least GPUs that hold the wanted sessions together; null with the reason. */
  gpus: number | null;
  /** Copies of the whole (weights and cache on `input.gpus`) that hold them side by side; null when one copy holds no session. */
  copies: number | null;
  reason: CapacityReason | null;
}

export type WhatIf =
  /** As many KV heads as attention heads; a latent as multi-head attention with its value dim. */
  | 'no-gqa'
  | 'fp8-cache'
  /** 20.4 % and 38.2 % of the room, as measured before paged attention (Kwon et al. 2023, figure 2, by the second article). */
  | 'utilisation-low'
  | 'utilisation-high';

export interface WhatIfRow {
  what: WhatIf;
  bytesPerTokenFirst: number;
  kvTokens: Count | null;
  rows: SessionRow[];
}

export interface ModelCapacity {
  name: string;
  /** Why the numbers below are null or zero. */
  reason: CapacityReason | null;
  weightBytes: number | null;
  /** Room for the cache over all GPUs, never negative; null without known weights. */
  budgetBytes: number | null;
  /** The same on one GPU. */
  budgetPerGpu: number | null;
  /** Bytes over all GPUs by which the weights do not fit; 0 when they do. */
  missingBytes: number;
  /** Of one session over all GPUs (replicated heads count on each). */
  bytesPerTokenFirst: number;
  /** Past every window; may have a fraction. */
  bytesPerTokenFar: number;
  fixedBytes: number;
  /** Tokens of one endless session that fills the room. */
  kvTokens: Count | null;
  /** One row for each of `input.contexts`. */
  rows: SessionRow[];
  /** The most tokens for each of `input.sessions` sessions, and whether that is over the model's positions. */
  largestContext: { tokens: Count; overMaximum: boolean } | null;
  gpusNeeded: GpusRow[];
  whatIf: WhatIfRow[];
  /** bytesPerTokenFirst / `input.reportedBytesPerToken`; null without it. */
  timesReported: number | null;
  notes: EngineNote[];
}

export interface CapacityPlan {
  models: ModelCapacity[];
}
