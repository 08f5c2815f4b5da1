/** What the experiment runner needs of a runtime. `runtime.ts` is the real one; tests inject their own. */
import type { LedgerTensor } from './ledger';
import type { PagedRoom } from './paged-cache';
import type { StaticRoom } from './static-cache';
import type { ModelFiles } from '../model/twin';
import type { GraphCacheEntry, RuntimeBuild } from '../protocol/record';
import type { Allocator, CacheBits, Device, Dtype } from '../protocol/recipe';

/** The state of a preallocated cache. */
export interface Preallocation {
  /** Tokens per sequence that it has room for. */
  roomTokens: number;
  /** The rooms that it has had, the present one last: one more than it was moved. */
  rooms: readonly number[];
  /** Whether every pass so far left the tokens in the very memory that it was given. */
  inPlace: boolean;
  /** What the axis of tokens of its tensors is: the room, or the tokens of a block. */
  axisTokens: number;
  /** Null where the rows of a sequence lie together. */
  blocks: Blocks | null;
}

/** The blocks of a paged cache. */
export interface Blocks {
  /** By sequence, the blocks that it has, in the order of its tokens. */
  tables: readonly (readonly number[])[];
  /** Blocks that some sequence has. */
  inUse: number;
  /** Bytes of the contiguous buffers that the blocks were gathered into for the largest pass so far. */
  workingBytes: number;
}

/** A set of cache tensors by their input name (`past_key_values.N.key`, …). */
export interface KvCache {
  tensors(): ReadonlyMap<string, LedgerTensor>;
  /** Null where it grows. */
  readonly preallocated: Preallocation | null;
  /**
   * Of a cache whose memory we make: bytes of its rows that were put into other memory so far, by our own copy commands or by
   * the runtime, which gave the tensor back in another place. Of other caches the tensors themselves tell.
   */
  readonly copiedBytes?: number;
  /** Moves a preallocated cache to buffers with more room; the old ones are freed after the copy. */
  move?(room: number): void;
  /** Frees the GPU buffers of all tensors. */
  dispose(): Promise<void>;
}

/** How a forward pass is made. */
export interface ForwardOptions {
  /**
   * [batch][past and new tokens], 1 for a real token and 0 for padding, which stands behind a row's real new tokens; all of
   * them are real when it is left out.
   */
  mask?: readonly (readonly number[])[];
  /** Only the next tokens are wanted: the logits may stay where they are. */
  greedy?: boolean;
}

/** What one forward pass gives besides the cache. */
export interface Forward {
  /** Logits of the last real position of each row, [batch][vocabulary]; none where `next` is there instead. */
  logits: Float32Array[];
  /** The likeliest token of each row, found on the GPU; NaN where a logit is NaN. */
  next?: number[];
  /** Bytes of the logits tensor as the graph gave it. */
  logitsBytes: number;
}

/** A policy, and what it needs to make an empty cache. */
export type CacheKind =
  { policy: 'dynamic' } | ({ policy: 'static' } & StaticRoom) | ({ policy: 'paged' } & PagedRoom);

export interface LoadOptions {
  files: ModelFiles;
  device: Device;
  dtype: Exclude<Dtype, 'bf16'>;
  allocator: Allocator;
  /** WebGPU keeps keys and values in so many bits; left out, in floats. On WASM the graph itself says so. */
  cacheBits?: CacheBits;
}

export interface LoadedModel {
  /** The graph's own cache inputs. */
  graphCache: GraphCacheEntry[];
  /** What ONNX Runtime said while loading, for instance that nodes run on the CPU. */
  notes: string[];
  /** Tokens of a text, without special tokens. */
  tokenize(text: string): Promise<number[]>;
  /** The cache of a policy; one that grows when nothing is said. */
  emptyCache(kind?: CacheKind): KvCache;
  /**
   * One forward pass over new tokens; the cache then holds them too, and the tensors it replaced are disposed.
   * @param tokens [batch][new tokens]
   * @param pastTokens Tokens per sequence that are in the cache.
   */
  forward(tokens: number[][], pastTokens: number, cache: KvCache, options?: ForwardOptions): Promise<Forward>;
  /** Releases the session and all that it holds. */
  release(): Promise<void>;
}

export interface Runtime {
  threads: number;
  build: RuntimeBuild;
  load(options: LoadOptions): Promise<LoadedModel>;
}
