/** What a cache policy must come to in a run of the soak, worked out from its query alone: the room, and what is refused. */
import type { FaultCode } from '../../src/protocol/faults';
import { POLICIES, type Policy } from '../../src/protocol/recipe';
import { NOT_GROUPED, WITH_STATES } from './subjects';

/** Tokens per block of a recipe that does not say it. */
const BLOCK = '16';

/** The policy of a query; that of the experiment policies is each point's own. */
export function policyIn(query: string): Policy {
  const asked = new URLSearchParams(query).get('policy');
  return POLICIES.find((policy) => policy === asked) ?? 'dynamic';
}

/** A point of a record as its policy is judged by. */
export interface PolicyPoint {
  policy: Policy;
  /** Tokens that are in the cache. */
  tokens: number;
  /** In the experiment policies: the context that the cache was made for, before its steps. */
  context: number;
}

/** A point of a recipe of one policy. */
export function pointAt(query: string, tokens: number): PolicyPoint {
  return { policy: policyIn(query), tokens, context: tokens };
}

/**
 * Tokens that the buffers have room for once so many are in them: the room that was asked for, doubled by moves where it may
 * move, or else all that the run needs; of blocks whole ones. Null under a policy that sets nothing aside.
 */
export function roomAt(query: string, { policy, tokens, context }: PolicyPoint): number | null {
  if (policy !== 'static' && policy !== 'paged') return null;
  const asked = new URLSearchParams(query);
  const block = policy === 'paged' ? Number(asked.get('block') ?? BLOCK) : 1;
  const whole = (count: number): number => Math.ceil(count / block) * block;
  const experiment = asked.get('experiment');
  const steps = Number(asked.get('steps'));
  if (experiment === 'policies') return whole(context + steps);
  let room = whole(Number(asked.get('room') ?? 0));
  if (room === 0) {
    const longest = Math.max(...(asked.get('tokens') ?? '').split(',').map(Number));
    return whole(longest + (experiment === 'growth' ? steps : 0));
  }
  while (asked.get('overflow') === 'move' && room < tokens) room *= 2;
  return room;
}

/** Why nothing of a run can be measured under its policy; null when it can. */
export function graphRefusal(query: string, policy: Policy = policyIn(query)): FaultCode | null {
  const model = new URLSearchParams(query).get('model') ?? 'tiny';
  if (policy === 'dynamic') return null;
  if (WITH_STATES.includes(model)) return `${policy}-states`;
  return NOT_GROUPED.includes(model) ? `${policy}-not-grouped` : null;
}

/**
 * Why a run cannot have so many tokens under its policy; empty when it can. Of two reasons the record tells one: the plan refuses
 * what is over the room before the graph is looked at.
 */
export function refusalsAt(query: string, point: PolicyPoint): readonly FaultCode[] {
  const { policy, tokens } = point;
  const room = roomAt(query, point);
  const graph = graphRefusal(query, policy);
  const full = room !== null && tokens > room;
  return [
    ...(graph === null ? [] : [graph]),
    ...(full ? [policy === 'paged' ? ('paged-full' as const) : ('static-full' as const)] : []),
  ];
}
