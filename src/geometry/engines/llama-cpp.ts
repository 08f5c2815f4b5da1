/** The rule of llama.cpp: cells for the whole context, allocated at once. */
import { requirePositive } from '../checks';
import type { Geometry, LayerCache } from '../geometry';
import type { EngineBytes, EngineNote, EngineOptions, EntryBytes } from './engine';
import { fixedPartBytes, sumEntries, tokenBytes } from './entry';

/** common/arg.cpp `kv_cache_types`. */
const OFFERED = new Set(['fp32', 'fp16', 'bf16', 'q8_0', 'q5_1', 'q5_0', 'q4_1', 'q4_0', 'iq4_nl']);
/** Cells come in multiples of this (llama-context.cpp, `GGML_PAD(cparams.n_ctx, 256)`; llama-kv-cache-iswa.cpp). */
export const CELLS = 256;
const DEFAULT_UBATCH = 512;
/** States are float32 whatever the cache's type (llama-model.cpp, `recurrent_type_k`, `recurrent_type_v` = F32). */
export const STATE_BYTES = 4;
/** Elements of one block of a quantised type; llama.cpp refuses head dims that it does not divide. */
const BLOCK = 32;
/**
 * Models whose window llama.cpp does not apply, so that these layers keep every token: their architectures read no
 * window (models/llama.cpp, mistral3.cpp, qwen2.cpp, qwen3.cpp, phimoe.cpp, starcoder2.cpp) or switch it off (phi3.cpp, "Phi SWA
 * is currently disabled").
 */
const WINDOW_IGNORED = new Set([
  'mistral',
  'mixtral',
  'mistral3',
  'phi3',
  'phimoe',
  'qwen2',
  'qwen2_moe',
  'qwen3',
  'qwen3_moe',
  'starcoder2',
]);

/**
 * Every sequence has its own cells (`kv_unified` off): a layer's are tokens rounded up to 256; a window's or chunk's are
 * min(those, W + n_ubatch) rounded up to 256 (llama-kv-cache-iswa.cpp). MLA and indexers keep one key and no value
 * (llama-kv-cache.cpp, `has_v = !is_mla`, and llama-kv-cache-dsa.cpp). Convolutions
 * keep kernel - 1 inputs (llama-hparams.cpp `n_embd_r`), they and states in float32 (llama-memory-recurrent.cpp).
 */
export function llamaCppBytes(geometry: Geometry, options: EngineOptions): EngineBytes {
  const layout = llamaLayout(geometry, options);
  const entries = geometry.caches.map((cache) => llamaEntry(cache, options, layout));
  return sumEntries('llama.cpp', entries, {
    batch: options.batch,
    notes: llamaNotes(geometry, options, layout),
  });
}

export interface LlamaLayout {
  /** `n_ubatch`: tokens of one micro-batch, held beside a window. */
  ubatch: number;
  /** Whether windows and chunks shorten the cache. */
  windows: boolean;
}

/**
 * How a model's cells are counted, with the options' defaults.
 * @throws RangeError when `ubatch` is no positive integer.
 */
export function llamaLayout(geometry: Geometry, options: EngineOptions): LlamaLayout {
  const { ubatch = DEFAULT_UBATCH, fullWindows = false } = options;
  requirePositive('ubatch', ubatch);
  return { ubatch, windows: !fullWindows && !WINDOW_IGNORED.has(geometry.modelType) };
}

/** Cells of a layer for a sequence of so many tokens; `cap` is the window or chunk that shortens it, else null. */
export function cellsOf(tokens: number, cap: number | null, ubatch: number): number {
  const all = padded(tokens);
  return cap === null ? all : padded(Math.min(all, cap + ubatch));
}

function llamaEntry(
  cache: LayerCache,
  { dtype, tokens }: EngineOptions,
  { ubatch, windows }: LlamaLayout,
): EntryBytes {
  const { kind, capTokens, fixedElements } = cache;
  if (kind === 'conv' || kind === 'recurrent') {
    const fixed = fixedElements * STATE_BYTES;
    return { kind, bytes: fixed, first: 0, far: 0, fixed };
  }
  const stored = tokenBytes(cache, dtype);
  const share = cache.tokensPerEntry ?? 1;
  const cap = windows ? capTokens : null;
  const fixed = fixedPartBytes(cache, dtype, STATE_BYTES);
  return {
    kind,
    bytes: stored * Math.ceil(cellsOf(tokens, cap, ubatch) / share) + fixed,
    first: share > 1 ? 0 : stored,
    far: cap === null ? stored / share : 0,
    fixed,
  };
}

function padded(cells: number): number {
  return Math.ceil(cells / CELLS) * CELLS;
}

function llamaNotes(
  { caches }: Geometry,
  { dtype, fullWindows }: EngineOptions,
  { windows }: LlamaLayout,
): EngineNote[] {
  const notes: EngineNote[] = [];
  const engine = 'llama.cpp';
  if (!OFFERED.has(dtype.id)) notes.push({ code: 'dtype-not-offered', params: { engine, dtype: dtype.id } });
  const odd = caches.find(({ keyDim, valueDim }) => keyDim % BLOCK > 0 || valueDim % BLOCK > 0);
  if (OFFERED.has(dtype.id) && dtype.quantised && odd)
    notes.push({ code: 'block-does-not-divide', params: { dim: odd.keyDim, dtype: dtype.id } });
  if (caches.some(({ kind }) => kind === 'recurrent' || kind === 'conv'))
    notes.push({ code: 'states-float32', params: {} });
  if (!windows && fullWindows !== true && caches.some(({ capTokens }) => capTokens !== null))
    notes.push({ code: 'window-ignored', params: { engine } });
  if (caches.some(({ kind }) => kind === 'compressed'))
    notes.push({ code: 'compressed-as-ideal', params: { engine } });
  if (caches.some(({ kind }) => kind === 'cross')) notes.push({ code: 'cross-as-ideal', params: { engine } });
  return notes;
}
