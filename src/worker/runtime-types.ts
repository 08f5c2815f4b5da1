/** What the experiment runner needs of a runtime. `runtime.ts` is the real one; tests inject their own. */
import type { LedgerTensor } from './ledger';
import type { ModelFiles } from '../model/twin';
import type { GraphCacheEntry } from '../protocol/record';
import type { Allocator, Device, Dtype } from '../protocol/recipe';

/** A growing set of cache tensors by their input name (`past_key_values.N.key`, …). */
export interface KvCache {
  tensors(): ReadonlyMap<string, LedgerTensor>;
  /** Frees the GPU buffers of all tensors. */
  dispose(): Promise<void>;
}

export interface LoadOptions {
  files: ModelFiles;
  device: Device;
  dtype: Dtype;
  allocator: Allocator;
}

export interface LoadedModel {
  /** The graph's own cache inputs. */
  graphCache: GraphCacheEntry[];
  /** What ONNX Runtime said while loading, for instance that nodes run on the CPU. */
  notes: string[];
  /** Tokens of a text, without special tokens. */
  tokenize(text: string): Promise<number[]>;
  emptyCache(): KvCache;
  /**
   * One forward pass over new tokens; the cache then holds them too, and the tensors it replaced are disposed.
   * @param tokens [batch][new tokens]
   * @param pastTokens Tokens per sequence that are in the cache.
   * @returns The logits of the last position, [batch][vocabulary].
   */
  forward(tokens: number[][], pastTokens: number, cache: KvCache): Promise<Float32Array[]>;
  /** Releases the session and all that it holds. */
  release(): Promise<void>;
}

export interface Runtime {
  threads: number;
  load(options: LoadOptions): Promise<LoadedModel>;
}
