/** Bytes of layer caches in an element type, and the sum that every engine's rule ends in. */
import { exactBytes } from '../checks';
import type { Geometry, LayerCache } from '../geometry';
import type { EngineBytes, EngineId, EngineNote, EntryBytes, LayerGroup } from './engine';
import type { KvDtype } from './kv-dtype';

/**
 * Bytes of one stored entry of a layer cache (one token's, or that of `tokensPerEntry` tokens): KV heads x (bytes of a key
 * vector + bytes of a value vector). Where heads and dims do not tell the elements, they count as one vector.
 */
export function tokenBytes(cache: LayerCache, dtype: KvDtype): number {
  if (cache.elementBytes !== undefined) return cache.elementsPerToken * cache.elementBytes;
  const { kvHeads, keyDim, valueDim, elementsPerToken } = cache;
  return kvHeads * (keyDim + valueDim) === elementsPerToken
    ? kvHeads * (dtype.vectorBytes(keyDim) + dtype.vectorBytes(valueDim))
    : dtype.vectorBytes(elementsPerToken);
}

/**
 * Bytes of the fixed part of one sequence. An encoder's keys and values are quantised like others; states and convolutions
 * keep their own type, or `stateBytes` per element.
 */
export function fixedPartBytes(cache: LayerCache, dtype: KvDtype, stateBytes: number): number {
  if (cache.fixedElements === 0) return 0;
  if (cache.elementBytes !== undefined) return cache.fixedElements * cache.elementBytes;
  if (cache.kind !== 'cross') return cache.fixedElements * stateBytes;
  const { kvHeads, keyDim, valueDim, fixedElements } = cache;
  const perToken = kvHeads * (keyDim + valueDim);
  return perToken > 0 && fixedElements % perToken === 0
    ? (fixedElements / perToken) * kvHeads * (dtype.vectorBytes(keyDim) + dtype.vectorBytes(valueDim))
    : dtype.vectorBytes(fixedElements);
}

/** Bytes of one element of states that have no type of their own: the cache's, or the model's when the cache is quantised. */
export function stateElementBytes(geometry: Geometry, dtype: KvDtype): number {
  return dtype.quantised && /32/.test(geometry.dtype ?? '') ? 4 : dtype.stateBytes;
}

/** Entry of one sequence with `tokens` tokens, every token up to the cap kept, without any rounding. */
export function plainEntry(
  cache: LayerCache,
  { dtype, tokens, stateBytes }: { dtype: KvDtype; tokens: number; stateBytes: number },
): EntryBytes {
  const stored = tokenBytes(cache, dtype);
  const share = cache.tokensPerEntry ?? 1;
  const fixed = fixedPartBytes(cache, dtype, stateBytes);
  return {
    kind: cache.kind,
    bytes: stored * Math.floor(Math.min(tokens, cache.capTokens ?? tokens) / share) + fixed,
    first: share > 1 ? 0 : stored,
    far: cache.capTokens === null ? stored / share : 0,
    fixed,
  };
}

/**
 * Sums entries to what an engine answers. `gpus` GPUs hold the same bytes each; `paddingBytes` of one sequence belong to no
 * layer.
 */
export function sumEntries(
  engine: EngineId,
  entries: readonly EntryBytes[],
  {
    batch,
    gpus = 1,
    paddingBytes = 0,
    notes,
  }: { batch: number; gpus?: number; paddingBytes?: number; notes: EngineNote[] },
): EngineBytes {
  const total = (of: (entry: EntryBytes) => number): number =>
    entries.reduce((sum, entry) => sum + of(entry), 0);
  const bytes = wholeBytes(batch * (total((entry) => entry.bytes) + paddingBytes));
  return {
    engine,
    bytes,
    bytesAllGpus: wholeBytes(bytes * gpus),
    fixedBytes: wholeBytes(total((entry) => entry.fixed)),
    bytesPerTokenFirst: wholeBytes(total((entry) => entry.first)),
    bytesPerTokenFar: total((entry) => entry.far),
    layers: groupEntries(entries),
    notes,
  };
}

/** Layers with the same entry counted together, in the order of their first layer. */
function groupEntries(entries: readonly EntryBytes[]): LayerGroup[] {
  const groups = new Map<string, LayerGroup>();
  for (const { kind, first, far, fixed } of entries) {
    const key = [kind, first, far, fixed].join();
    const group = groups.get(key);
    if (group) group.count += 1;
    else
      groups.set(key, {
        kind,
        count: 1,
        bytesPerToken: wholeBytes(first),
        bytesPerTokenFar: far,
        fixedBytes: wholeBytes(fixed),
      });
  }
  return [...groups.values()];
}

/** Bytes rounded up to whole ones. @throws RangeError above 2^53. */
function wholeBytes(bytes: number): number {
  return exactBytes(Math.ceil(bytes));
}
