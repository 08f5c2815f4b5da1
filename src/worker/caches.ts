/** The cache that a pass works with, by its policy: how much room it gets, and what happens when that is used up. */
import { bufferFault } from './buffer-limits';
import type { PassContext } from './run-experiment';
import type { KvCache } from './runtime-types';
import { LabError } from '../protocol/faults';
import type { Report } from '../protocol/messages';
import { fullFault, overRoom, preallocates, roomFor, roomOf } from '../protocol/room';

type Context = Pick<PassContext, 'pass' | 'model' | 'gpu'>;

/**
 * An empty cache of the pass's policy for a check that puts exactly `tokens` per sequence into it.
 * @param batch Sequences; those of the pass when left out.
 */
export function cacheFor(context: Context, tokens: number, batch = context.pass.batch): KvCache {
  const { pass, model } = context;
  const { policy, block } = pass;
  if (policy === 'paged') return model.emptyCache({ policy, batch, room: tokens, block });
  return policy === 'static' ? model.emptyCache({ policy, batch, room: tokens }) : model.emptyCache();
}

/**
 * An empty cache for the measurement itself.
 * @param needed Tokens per sequence that it will hold at most; the recipe's room comes before it.
 * @throws LabError buffer-too-large for buffers that the device cannot have.
 */
export function cacheOfPass(context: Context, needed: number): KvCache {
  const { pass } = context;
  const room = roomOf(pass) || roomFor(pass, needed);
  if (preallocates(pass.policy)) refuseTooLarge(context, room);
  return cacheFor(context, room);
}

/**
 * The fault of asking a cache with a fixed room for more tokens; null where they fit, where the cache moves, and for
 * one that grows by itself.
 */
export function roomFault({ pass }: Pick<Context, 'pass'>, tokens: number): LabError | null {
  const fault = overRoom(tokens, pass);
  return fault === null ? null : new LabError(fault.code, fault.params);
}

/**
 * Makes sure that a preallocated cache has room for so many tokens: moves it to buffers twice as large, as often as it takes.
 * @throws LabError static-full, paged-full, buffer-too-large.
 */
export function makeRoom(context: Context, cache: KvCache, tokens: number): void {
  const { pass } = context;
  const room = cache.preallocated?.roomTokens;
  if (room === undefined || tokens <= room) return;
  if (pass.overflow === 'refuse') {
    const { code, params } = fullFault(pass, room, tokens);
    throw new LabError(code, params);
  }
  let larger = 2 * room;
  while (larger < tokens) larger *= 2;
  refuseTooLarge(context, larger);
  cache.move?.(larger);
}

/** Says that a cache was moved, and where to, and what its blocks were gathered into; nothing of a cache that grows. */
export function* cacheNotes({ pass }: Pick<Context, 'pass'>, { preallocated }: KvCache): Generator<Report> {
  if (preallocated === null) return;
  const { rooms, blocks } = preallocated;
  if (rooms.length > 1) yield { type: 'note', passId: pass.id, note: movedNote(rooms) };
  if (blocks !== null) yield { type: 'note', passId: pass.id, note: gatheredNote(blocks.workingBytes) };
}

function movedNote(rooms: readonly number[]): string {
  const times = rooms.length === 2 ? '1 time' : `${rooms.length - 1} times`;
  return `The preallocated cache was moved ${times} to larger buffers: rooms of ${rooms.join(', ')} tokens per sequence. Each time its rows were copied and the old buffers freed.`;
}

function gatheredNote(bytes: number): string {
  return `For each pass the blocks of the paged cache were gathered into contiguous working buffers, ${bytes.toLocaleString('en-US')} bytes for the largest pass, and the new rows were put back into blocks: ONNX Runtime Web has no attention that reads blocks of these caches. The working buffers are freed after each pass; they count as device bytes, not as cache. These copies are the price of doing it here, not of paging.`;
}

function refuseTooLarge(context: Context, room: number): void {
  const fault = bufferFault(context, room);
  if (fault !== null) throw new LabError(fault.code, fault.params, fault.detail);
}
