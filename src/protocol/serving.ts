/**
 * The experiment `serving`: requests of different lengths arrive and leave, and their caches share one pool of memory. Lengths and
 * arrivals are simulated; the pools are buffers that exist, and what they hold is read from them.
 */
import type { Device, Dtype } from './recipe';
import type { MaybeBytes } from './record';

/** Distributions of prompt and output lengths, by the data set whose means they have. */
export const LENGTH_SOURCES = ['sharegpt', 'alpaca'] as const;
export type LengthSource = (typeof LENGTH_SOURCES)[number];

/**
 * How a pool gives memory to a request: contiguous, reserved for the longest request (`reserve-max`), for its output rounded up to
 * a power of two (`reserve-pow2`), for its true length (`reserve-oracle`); or block by block as tokens come (`paged`).
 * The first three are those of the PagedAttention paper (Kwon et al. 2023, section 6.1, "Orca").
 */
export const SERVING_SYSTEMS = ['reserve-max', 'reserve-pow2', 'reserve-oracle', 'paged'] as const;
export type ServingSystem = (typeof SERVING_SYSTEMS)[number];

/**
 * What the paper measured of the four, used / pool: ShareGPT lengths, OPT-13B, an A100 with room for 15.7K tokens (its Figure 2 and
 * Table 1; most running at one time is its Figure 13a). Theirs are real requests on a real GPU; ours are drawn lengths.
 */
export const PAPER_UTILISATION: Record<ServingSystem, number> = {
  'reserve-max': 0.204,
  'reserve-pow2': 0.268,
  'reserve-oracle': 0.382,
  paged: 0.963,
};

/** Own part of the recipe. Tokens per block are the recipe's `block`. */
export interface ServingState {
  lengths: LengthSource;
  /** Requests that arrive in all. */
  requests: number;
  /** Tokens that the pool has room for. */
  pool: number;
  /** Tokens of prompt and output that a request can have at most. */
  longest: number;
}

/**
 * The pool is the power of two nearest to the paper's 15.7K tokens, the longest request its model's. 200 requests are enough for
 * some to wait most of the time in every system.
 */
export function defaultServing(): ServingState {
  return { lengths: 'sharegpt', requests: 200, pool: 16_384, longest: 2048 };
}

/** The pool at one moment. Tokens; bytes are read from the buffer. */
export interface ServingSample {
  /** Decode steps since the start. */
  step: number;
  /** Requests that have memory, and those that wait for some. */
  running: number;
  waiting: number;
  /** Tokens whose rows were found in the buffer, and their bytes. */
  usedTokens: number;
  usedBytes: number;
  /** Tokens that the allocator has handed out room for. */
  heldTokens: number;
  /** Of those: will hold a token before the request ends; never will. */
  reservedTokens: number;
  wastedTokens: number;
}

export interface ServingRun {
  system: ServingSystem;
  /** Size of the buffers of the pool: GPUBuffer.size, or of the array on WASM. */
  poolBytes: number;
  /** Device bytes before the pool was made, with it, and after it was freed; null where they were not measured, or not yet. */
  deviceBytes: { before: MaybeBytes; pool: MaybeBytes; after: MaybeBytes };
  samples: ServingSample[];
  /** Decode steps that were made, and that it takes until the last request has left; fewer were made by a run that was cut short. */
  steps: number;
  stepsPlanned: number;
  /** Mean over the samples that were taken while requests waited: used bytes / pool bytes. Null without such a sample. */
  utilisation: number | null;
  /** The same of used bytes / bytes of what was handed out: what is left is lost inside. */
  insideUse: number | null;
  /** Most requests that ran at one time. */
  mostRunning: number;
  /** How often a request had to leave for a while because the pool was full; only blocks can run out so. */
  preemptions: number;
  /** Rows that were written, one a token; what was computed anew after a preemption counts again. */
  writtenTokens: number;
}

export interface ServingResult {
  model: string;
  /** Whose element size a row has. */
  dtype: Dtype;
  /** Where the pools were. */
  device: Device;
  bytesPerToken: number;
  /** Tokens per block of `paged`. */
  block: number;
  /** Means of the lengths that were drawn, in tokens. */
  promptMean: number;
  outputMean: number;
  runs: ServingRun[];
}
