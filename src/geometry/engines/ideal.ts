/** The ideal rule: the least that the architecture needs, in the element type asked for. */
import type { Geometry } from '../geometry';
import type { EngineBytes, EngineNote, EngineOptions } from './engine';
import { plainEntry, stateElementBytes, sumEntries } from './entry';

/**
 * Every entry as the geometry has it: batch x the sum of (bytes per stored entry x stored entries, up to the cap, + the fixed
 * part). States without a type of their own are not quantised with the cache (see `KvDtype.quantised`).
 */
export function idealBytes(geometry: Geometry, options: EngineOptions): EngineBytes {
  const stateBytes = stateElementBytes(geometry, options.dtype);
  const entries = geometry.caches.map((cache) => plainEntry(cache, { ...options, stateBytes }));
  return sumEntries('ideal', entries, {
    batch: options.batch,
    notes: stateNotes(geometry, options, stateBytes),
  });
}

/** A note where a quantised cache meets states that keep the model's type. */
export function stateNotes(geometry: Geometry, { dtype }: EngineOptions, stateBytes: number): EngineNote[] {
  const states = geometry.caches.some((cache) => cache.kind === 'recurrent' || cache.kind === 'conv');
  return dtype.quantised && states ? [{ code: 'states-not-quantised', params: { bytes: stateBytes } }] : [];
}
