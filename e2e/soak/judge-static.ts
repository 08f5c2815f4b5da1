/** What policy `static` must come to in a run of the soak, worked out from its query alone: the room, and what is refused. */
import type { FaultCode } from '../../src/protocol/faults';
import { NOT_STATIC } from './subjects';

/**
 * Tokens that the buffers have room for once so many are in them: the room that was asked for, doubled by moves where it may
 * move, or else all that the run needs. Null under another policy.
 */
export function roomAt(query: string, tokens: number): number | null {
  const asked = new URLSearchParams(query);
  if (asked.get('policy') !== 'static') return null;
  let room = Number(asked.get('room') ?? 0);
  if (room === 0) {
    const longest = Math.max(...(asked.get('tokens') ?? '').split(',').map(Number));
    return longest + (asked.get('experiment') === 'growth' ? Number(asked.get('steps')) : 0);
  }
  while (asked.get('overflow') === 'move' && room < tokens) room *= 2;
  return room;
}

/** Why nothing of a run can be measured under its policy; null when it can. */
export function graphRefusal(query: string): FaultCode | null {
  const asked = new URLSearchParams(query);
  return asked.get('policy') === 'static' ? (NOT_STATIC[asked.get('model') ?? 'tiny'] ?? null) : null;
}

/**
 * Why a run cannot have so many tokens under its policy; empty when it can. Of two reasons the record tells one: the plan refuses
 * what is over the room before the graph is looked at.
 */
export function refusalsAt(query: string, tokens: number): readonly FaultCode[] {
  const room = roomAt(query, tokens);
  const graph = graphRefusal(query);
  return [
    ...(graph === null ? [] : [graph]),
    ...(room !== null && tokens > room ? ['static-full' as const] : []),
  ];
}
