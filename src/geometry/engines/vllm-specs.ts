/** What vLLM keeps for each layer on one GPU: its `KVCacheSpec`, and how much of it a sequence takes. */
import type { Geometry, LayerCache } from '../geometry';
import type { EngineOptions } from './engine';
import { fixedPartBytes, stateElementBytes } from './entry';
import { headsPerGpu, statePerGpu } from './vllm-split';

export interface LayerSpec {
  /** `full` stands for MLA and indexers too, which vLLM derives from it. */
  type: 'full' | 'sliding' | 'chunked' | 'cross' | 'mamba';
  /** Positions in `geometry.caches` of the entries that it holds (a Mamba layer: convolution and state). */
  entries: number[];
  /** What makes two layers' specs equal, apart from page and block. */
  shape: string;
  /** Tokens of one block; 0 for `mamba`, where one page is a whole state. */
  blockTokens: number;
  /** Bytes of one block of this layer. */
  pageBytes: number;
  /** Window or chunk in tokens; tokens of the encoder's output; pages of a state; or 0. */
  limit: number;
}

const BLOCK = 16;
/** Kernels of sparse MLA take blocks of 64 only (attention/backends/mla/indexer.py, `get_supported_kernel_block_sizes`). */
const SPARSE_BLOCK = 64;
/** DeepSeek V4: entries that stand for up to 128 tokens share blocks of 256, and pages are aligned to 576 bytes with fp8. */
const COMPRESSED_BLOCK = 256;
const COMPRESSED_ALIGNMENT = 576;

/** The specs of all layers that keep something, before pages are made equal. */
export function layerSpecs(geometry: Geometry, options: EngineOptions): LayerSpec[] {
  const compressed = geometry.caches.some(({ kind }) => kind === 'compressed');
  const sparse = geometry.caches.some(({ kind }) => kind === 'indexer');
  const block = sparse ? SPARSE_BLOCK : BLOCK;
  const specs: LayerSpec[] = [];
  geometry.caches.forEach((cache, index) => {
    if (cache.elementsPerToken === 0 && cache.fixedElements === 0) return;
    if (cache.kind === 'conv' || cache.kind === 'recurrent') return;
    const bytes = tokenBytesOnGpu(cache, options, { sparse, compressed });
    const { kind, tokensPerEntry = 1 } = cache;
    const blockTokens = compressed && tokensPerEntry > 1 ? COMPRESSED_BLOCK : block;
    const page = bytes * Math.ceil(blockTokens / tokensPerEntry);
    specs.push({
      type: kind === 'sliding' || kind === 'chunked' || kind === 'cross' ? kind : 'full',
      entries: [index],
      shape: [cache.kvHeads, cache.keyDim, cache.valueDim, tokensPerEntry].join(),
      blockTokens,
      pageBytes: compressed && options.dtype.id === 'fp8' ? alignTo(page, COMPRESSED_ALIGNMENT) : page,
      limit: cache.capTokens ?? cache.encoderTokens ?? encoderTokens(cache),
    });
  });
  return [...specs, ...mambaSpecs(geometry, options)];
}

/** Blocks that one sequence of `tokens` tokens takes in a layer (`max_memory_usage_bytes` of each spec, in pages). */
export function blocksOf(spec: LayerSpec, tokens: number, batchedTokens: number): number {
  switch (spec.type) {
    case 'full':
      return Math.ceil(tokens / spec.blockTokens);
    case 'sliding':
      // One more: a window does not have to start where a block starts.
      return tokens === 0
        ? 0
        : Math.ceil(Math.min(spec.limit - 1 + batchedTokens, tokens) / spec.blockTokens) + 1;
    case 'chunked':
      return Math.ceil(Math.min(spec.limit + batchedTokens, tokens) / spec.blockTokens);
    case 'cross':
      return Math.ceil(spec.limit / spec.blockTokens);
    case 'mamba':
      return spec.limit;
  }
}

/**
 * Bytes of one stored entry on one GPU. An indexer's keys are fp8 with a float32 scale for every 128 elements whatever
 * the cache's type (`DeepseekV32IndexerCache`, dtype uint8). In fp8, sparse MLA keeps 656 bytes (512 of latent, 16 of scales,
 * 128 of rotary key in bf16: `MLAAttentionSpec`, `fp8_ds_mla`), and DeepSeek V4 584 (448 + 128 + 8, `SlidingWindowMLASpec`).
 */
function tokenBytesOnGpu(
  cache: LayerCache,
  { dtype, tensorParallel = 1 }: EngineOptions,
  { sparse, compressed }: { sparse: boolean; compressed: boolean },
): number {
  const { kind, kvHeads, keyDim, valueDim, elementsPerToken, elementBytes } = cache;
  if (kind === 'indexer') return keyDim + 4 * Math.ceil(keyDim / 128);
  if (dtype.id === 'fp8' && kind === 'latent' && sparse && keyDim === 576) return 656;
  if (dtype.id === 'fp8' && compressed && keyDim === 512 && valueDim === 0) return 584;
  if (elementBytes !== undefined) return elementsPerToken * elementBytes;
  const replicated = kind === 'latent' || kind === 'compressed';
  const heads = replicated ? kvHeads : headsPerGpu(kvHeads, tensorParallel);
  return heads * (dtype.vectorBytes(keyDim) + dtype.vectorBytes(valueDim));
}

/** Convolution and state of a layer are one page, two with prefix caching (`MambaSpec`, `mamba_cache_mode` none and align). */
function mambaSpecs(geometry: Geometry, options: EngineOptions): LayerSpec[] {
  const { dtype, tensorParallel = 1, prefixCaching = false } = options;
  const stateBytes = stateElementBytes(geometry, dtype);
  const byLayer = new Map<number, number[]>();
  geometry.caches.forEach(({ kind, layer }, index) => {
    if (kind === 'conv' || kind === 'recurrent') byLayer.set(layer, [...(byLayer.get(layer) ?? []), index]);
  });
  return [...byLayer.values()].map((entries) => {
    const caches = entries.flatMap((index) => geometry.caches[index] ?? []);
    const bytes = statePerGpu(caches, tensorParallel).map((cache) =>
      fixedPartBytes(cache, dtype, stateBytes),
    );
    return {
      type: 'mamba',
      entries,
      shape: bytes.join(),
      blockTokens: 0,
      pageBytes: bytes.reduce((sum, part) => sum + part, 0),
      limit: prefixCaching ? 2 : 1,
    };
  });
}

/** Tokens of the encoder's output where the entry tells only its elements. */
function encoderTokens({ kind, kvHeads, keyDim, valueDim, fixedElements }: LayerCache): number {
  const perToken = kvHeads * (keyDim + valueDim);
  return kind === 'cross' && perToken > 0 ? fixedElements / perToken : 0;
}

function alignTo(bytes: number, alignment: number): number {
  return Math.ceil(bytes / alignment) * alignment;
}
