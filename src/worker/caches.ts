/** The cache that a pass works with, by its policy: how much room it gets, and what happens when that is used up. */
import { bufferFault } from './buffer-limits';
import type { PassContext } from './run-experiment';
import type { KvCache } from './runtime-types';
import { LabError } from '../protocol/faults';
import type { Report } from '../protocol/messages';

type Context = Pick<PassContext, 'pass' | 'model' | 'gpu'>;

/**
 * An empty cache of the pass's policy for a check that puts exactly `tokens` per sequence into it.
 * @param batch Sequences; those of the pass when left out.
 */
export function cacheFor(context: Context, tokens: number, batch = context.pass.batch): KvCache {
  const { pass, model } = context;
  return pass.policy === 'static'
    ? model.emptyCache({ policy: 'static', batch, room: tokens })
    : model.emptyCache();
}

/**
 * An empty cache for the measurement itself.
 * @param needed Tokens per sequence that it will hold at most; the recipe's room comes before it.
 * @throws LabError buffer-too-large for buffers that the device cannot have.
 */
export function cacheOfPass(context: Context, needed: number): KvCache {
  const room = context.pass.room || needed;
  if (context.pass.policy === 'static') refuseTooLarge(context, room);
  return cacheFor(context, room);
}

/**
 * The fault of asking a static cache with a fixed room for more tokens; null where they fit, where the cache moves, and for
 * one that grows by itself.
 */
export function roomFault({ pass }: Pick<Context, 'pass'>, tokens: number): LabError | null {
  const { policy, room, overflow } = pass;
  return policy === 'static' && overflow === 'refuse' && room > 0 && tokens > room
    ? new LabError('static-full', { room, tokens })
    : null;
}

/**
 * Makes sure that a preallocated cache has room for so many tokens: moves it to buffers twice as large, as often as it takes.
 * @throws LabError static-full, buffer-too-large.
 */
export function makeRoom(context: Context, cache: KvCache, tokens: number): void {
  const room = cache.preallocated?.roomTokens;
  if (room === undefined || tokens <= room) return;
  if (context.pass.overflow === 'refuse') throw new LabError('static-full', { room, tokens });
  let larger = 2 * room;
  while (larger < tokens) larger *= 2;
  refuseTooLarge(context, larger);
  cache.move?.(larger);
}

/** Says that a cache was moved, and where to; nothing where it was not. */
export function* moveNote({ pass }: Pick<Context, 'pass'>, { preallocated }: KvCache): Generator<Report> {
  const rooms = preallocated?.rooms ?? [];
  if (rooms.length < 2) return;
  const times = rooms.length === 2 ? '1 time' : `${rooms.length - 1} times`;
  const note = `The preallocated cache was moved ${times} to larger buffers: rooms of ${rooms.join(', ')} tokens per sequence. Each time its rows were copied and the old buffers freed.`;
  yield { type: 'note', passId: pass.id, note };
}

function refuseTooLarge(context: Context, room: number): void {
  const fault = bufferFault(context, room);
  if (fault !== null) throw new LabError(fault.code, fault.params, fault.detail);
}
