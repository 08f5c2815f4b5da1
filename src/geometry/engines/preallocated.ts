/** The rule of a cache reserved for a maximum length, whatever is in it. */
import { requirePositive } from '../checks';
import type { Geometry } from '../geometry';
import type { EngineBytes, EngineNote, EngineOptions, EntryBytes } from './engine';
import { plainEntry, stateElementBytes, sumEntries } from './entry';
import { stateNotes } from './ideal';

/**
 * Every entry at `maxTokens`, a window or chunk of W tokens at min(W, maxTokens) (Hugging Face cache_utils.py, `StaticLayer`
 * and `StaticSlidingWindowLayer`; systems before paged attention did the same). All of it counts as fixed: a token adds nothing.
 * @throws RangeError when more tokens than reserved are asked for.
 */
export function preallocatedBytes(geometry: Geometry, options: EngineOptions): EngineBytes {
  const stateBytes = stateElementBytes(geometry, options.dtype);
  const reserved = options.maxTokens ?? geometry.maxPositions ?? options.tokens;
  if (options.maxTokens !== undefined) requirePositive('maxTokens', options.maxTokens);
  if (options.tokens > reserved)
    throw new RangeError(`${options.tokens} tokens do not fit into a cache reserved for ${reserved}`);
  const entries = geometry.caches.map((cache): EntryBytes => {
    const { kind, bytes } = plainEntry(cache, { dtype: options.dtype, tokens: reserved, stateBytes });
    return { kind, bytes, first: 0, far: 0, fixed: bytes };
  });
  return sumEntries('preallocated', entries, {
    batch: options.batch,
    notes: [...reserveNotes(geometry, options, reserved), ...stateNotes(geometry, options, stateBytes)],
  });
}

function reserveNotes(
  { maxPositions }: Geometry,
  { maxTokens }: EngineOptions,
  tokens: number,
): EngineNote[] {
  if (maxTokens !== undefined) return [];
  return [{ code: maxPositions === null ? 'max-tokens-unknown' : 'max-tokens-assumed', params: { tokens } }];
}
