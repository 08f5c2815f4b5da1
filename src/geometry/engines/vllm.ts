/** The rule of vLLM: blocks of tokens from a pool of equal pages, on each GPU. */
import { requirePositive } from '../checks';
import type { Geometry } from '../geometry';
import type { EngineBytes, EngineNote, EngineOptions, EntryBytes } from './engine';
import { fixedPartBytes, stateElementBytes, sumEntries } from './entry';
import { stateNotes } from './ideal';
import { blocksPerSequence, pageLayout, type PageLayout } from './vllm-pages';
import { blocksOf, layerSpecs, type LayerSpec } from './vllm-specs';
import { checkAttentionHeads, statePerGpu } from './vllm-split';

/** Of the OpenAI server on GPUs of 70 GiB and more; 2,048 on smaller ones (engine/arg_utils.py, `get_batch_defaults`). */
const DEFAULT_BATCHED_TOKENS = 8192;
/** `CacheDType` (config/cache.py): fp32 and 16 bit are `auto`, int8 and int4 are `int8_per_token_head`, `int4_per_token_head`. */
const OFFERED = new Set(['fp32', 'bf16', 'fp16', 'fp8', 'int8', 'int4', 'nvfp4']);
/** Backends of MLA (attention/backends/mla/triton_mla.py, `supported_kv_cache_dtypes`). */
const OFFERED_LATENT = new Set(['bf16', 'fp16', 'fp8']);

/**
 * What a sequence of that many tokens takes at most on one GPU: blocks of every group x bytes of a block (vLLM
 * core/kv_cache_utils.py, `_max_memory_usage_bytes_from_groups`). A window counts W - 1 + the tokens of one batch, and a
 * block more. A state per block of tokens (`mamba_cache_mode` all, with prefix
 * caching in some models) is not counted.
 * @throws RangeError when heads, channels or states do not split over the GPUs.
 */
export function vllmBytes(geometry: Geometry, options: EngineOptions): EngineBytes {
  const { layout, batchedTokens, gpus } = vllmLayout(geometry, options);
  const entries = geometry.caches.map(({ kind }): EntryBytes => ({
    kind,
    bytes: 0,
    first: 0,
    far: 0,
    fixed: 0,
  }));
  for (const spec of layout.specs)
    for (const [index, entry] of specEntries(spec, geometry, options, batchedTokens)) entries[index] = entry;
  const used = entries.reduce((sum, { bytes }) => sum + bytes, 0);
  const taken = isPooled(geometry)
    ? blocksPerSequence(layout, options.tokens, batchedTokens) * layout.blockBytes
    : used;
  return sumEntries('vllm', entries, {
    batch: options.batch,
    gpus,
    paddingBytes: taken - used,
    notes: [...vllmNotes(geometry, options), ...layout.notes],
  });
}

/** Groups and pages of a model, with the options' defaults. */
export function vllmLayout(
  geometry: Geometry,
  options: EngineOptions,
): { layout: PageLayout; batchedTokens: number; gpus: number } {
  const { batchedTokens = DEFAULT_BATCHED_TOKENS, tensorParallel: gpus = 1, hybrid = true } = options;
  requirePositive('batchedTokens', batchedTokens);
  requirePositive('tensorParallel', gpus);
  checkAttentionHeads(geometry.attentionHeads, gpus);
  const specs = layerSpecs(geometry, options);
  const layout = isPooled(geometry)
    ? pageLayout(specs, hybrid)
    : { specs, groups: [], groupSize: 0, blockBytes: 0, notes: [] };
  return { layout, batchedTokens, gpus };
}

/** DeepSeek V4's compressed entries have pages of their own kinds, which this rule counts layer by layer. */
function isPooled({ caches }: Geometry): boolean {
  return !caches.some(({ kind }) => kind === 'compressed');
}

/** The entries of `geometry.caches` that a layer's spec holds, by position. */
function specEntries(
  spec: LayerSpec,
  geometry: Geometry,
  options: EngineOptions,
  batchedTokens: number,
): [number, EntryBytes][] {
  const bytes = blocksOf(spec, options.tokens, batchedTokens) * spec.pageBytes;
  if (spec.type === 'mamba') return stateEntries(spec, geometry, options);
  return spec.entries.flatMap((index): [number, EntryBytes][] => {
    const cache = geometry.caches[index];
    if (!cache) return [];
    const { kind, tokensPerEntry = 1 } = cache;
    if (spec.type === 'cross') return [[index, { kind, bytes, first: 0, far: 0, fixed: bytes }]];
    const rate = spec.pageBytes / spec.blockTokens;
    const first = tokensPerEntry > 1 ? 0 : rate;
    return [[index, { kind, bytes, first, far: spec.type === 'full' ? rate : 0, fixed: 0 }]];
  });
}

/** A state's padded pages: each entry has its own bytes, and the last the padding and further pages too. */
function stateEntries(spec: LayerSpec, geometry: Geometry, options: EngineOptions): [number, EntryBytes][] {
  const { dtype, tensorParallel = 1 } = options;
  const caches = spec.entries.flatMap((index) => geometry.caches[index] ?? []);
  const stateBytes = stateElementBytes(geometry, dtype);
  const own = statePerGpu(caches, tensorParallel).map((cache) => fixedPartBytes(cache, dtype, stateBytes));
  const padding = spec.limit * spec.pageBytes - own.reduce((sum, part) => sum + part, 0);
  return spec.entries.map((index, at) => {
    const fixed = (own[at] ?? 0) + (at === spec.entries.length - 1 ? padding : 0);
    return [index, { kind: geometry.caches[index]?.kind ?? 'none', bytes: fixed, first: 0, far: 0, fixed }];
  });
}

function vllmNotes(geometry: Geometry, options: EngineOptions): EngineNote[] {
  const {
    dtype,
    tensorParallel = 1,
    tokens,
    batchedTokens = DEFAULT_BATCHED_TOKENS,
    hybrid = true,
  } = options;
  const { caches } = geometry;
  const has = (...kinds: string[]): boolean => caches.some(({ kind }) => kinds.includes(kind));
  const notes: EngineNote[] = [];
  if (!OFFERED.has(dtype.id) || (has('latent', 'compressed') && !OFFERED_LATENT.has(dtype.id)))
    notes.push({ code: 'dtype-not-offered', params: { engine: 'vLLM', dtype: dtype.id } });
  if (has('sliding', 'chunked') && hybrid && tokens > 0)
    notes.push({ code: 'window-and-batch', params: { tokens: batchedTokens } });
  if (has('indexer')) notes.push({ code: 'indexer-fp8', params: {} });
  if (!isPooled(geometry)) notes.push({ code: 'compressed-by-layer', params: {} });
  if (tensorParallel > 1) notes.push({ code: 'per-gpu', params: { gpus: tensorParallel } });
  const replicated = caches.some(
    ({ kind, kvHeads }) => kind === 'latent' || (kvHeads > 0 && kvHeads < tensorParallel),
  );
  if (tensorParallel > 1 && replicated) notes.push({ code: 'replicated', params: { gpus: tensorParallel } });
  if (has('conv', 'recurrent') && options.prefixCaching !== true)
    notes.push({ code: 'states-without-prefix-caching', params: {} });
  return [...notes, ...stateNotes(geometry, options, stateElementBytes(geometry, dtype))];
}
