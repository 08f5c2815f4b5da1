/** The room that a recipe gives a preallocated cache, and the refusal of more. Both the plan and the worker ask here. */
import type { Fault } from './faults';
import type { Policy, Recipe } from './recipe';

type RoomOf = Pick<Recipe, 'policy' | 'room' | 'block'>;

/** Whether a policy sets memory aside for tokens that are still to come. */
export function preallocates(policy: Policy): policy is 'static' | 'paged' {
  return policy === 'static' || policy === 'paged';
}

/** Tokens per sequence that a preallocated cache has room for when it is asked for `tokens`: of blocks as many as are needed. */
export function roomFor({ policy, block }: Pick<RoomOf, 'policy' | 'block'>, tokens: number): number {
  return policy === 'paged' ? Math.ceil(tokens / block) * block : tokens;
}

/** Tokens per sequence that the recipe's own room gives a preallocated cache at first; 0 where it gives none. */
export function roomOf(recipe: RoomOf): number {
  return preallocates(recipe.policy) ? roomFor(recipe, recipe.room) : 0;
}

/** Tokens per sequence above which a preallocated cache refuses more; Infinity where none is refused. */
export function refusedAbove(recipe: RoomOf & Pick<Recipe, 'overflow'>): number {
  return recipe.overflow === 'refuse' ? roomOf(recipe) || Infinity : Infinity;
}

/** The fault of asking a preallocated cache that may not move for more tokens than it has room for; null when they fit. */
export function overRoom(tokens: number, recipe: RoomOf & Pick<Recipe, 'overflow'>): Fault | null {
  const room = refusedAbove(recipe);
  if (tokens <= room) return null;
  return fullFault(recipe, room, tokens);
}

/** The refusal of `tokens` per sequence by a cache with room for `room`. */
export function fullFault(
  { policy, block }: Pick<RoomOf, 'policy' | 'block'>,
  room: number,
  tokens: number,
): Fault {
  return policy === 'paged'
    ? { code: 'paged-full', params: { room, tokens, block } }
    : { code: 'static-full', params: { room, tokens } };
}
