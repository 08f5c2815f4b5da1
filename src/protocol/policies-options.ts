/** Options of the experiments `policies` and `serving`: parsed from a link or a form and written back. Each is known only with its experiment. */
import type { Fault } from './faults';
import { choice, choices, cut, wholeNumber, type Option } from './option-kinds';
import type { PoliciesState } from './policies';
import { ALLOCATORS, POLICIES, type Recipe } from './recipe';
import { LENGTH_SOURCES, type ServingState } from './serving';

/** More would take a buffer that few devices have, for any model. */
const MOST_POOL_TOKENS = 1_000_000;

export const POLICIES_OPTIONS: { readonly [K in keyof PoliciesState]: Option<PoliciesState[K]> } = {
  policies: choices(POLICIES),
  allocators: choices(ALLOCATORS),
};
export const POLICIES_KEYS = Object.keys(POLICIES_OPTIONS) as (keyof PoliciesState)[];

export const SERVING_OPTIONS: { readonly [K in keyof ServingState]: Option<ServingState[K]> } = {
  lengths: choice(LENGTH_SOURCES),
  requests: wholeNumber(1, 2000),
  pool: wholeNumber(16, MOST_POOL_TOKENS),
  longest: wholeNumber(16, MOST_POOL_TOKENS),
};
export const SERVING_KEYS = Object.keys(SERVING_OPTIONS) as (keyof ServingState)[];

/** Why a recipe whose values are all good cannot run with one model in one variant; null when it can. */
export function oneModelFault({ model, dtype }: Recipe): Fault | null {
  if (model.length !== 1) return onlyOne('model', model);
  return dtype.length === 1 ? null : onlyOne('dtype', dtype);
}

/**
 * The same of a serving: the longest request has to fit into the empty pool, as a range of a power of two of rows and as blocks.
 */
export function servingFault(recipe: Recipe, { pool, longest }: ServingState): Fault | null {
  // A buddy allocator has no larger range.
  const range = 2 ** Math.floor(Math.log2(pool));
  if (longest > range)
    return tooMany('longest', longest, {
      expected: `use at most ${range}, the largest power of two in a pool of ${pool} tokens`,
      ...{ min: 16, max: range },
    });
  const most = largestBlock(recipe.block, pool, longest);
  if (recipe.block > most)
    return tooMany('block', recipe.block, {
      expected: `use at most ${most}, so that a pool of ${pool} tokens has blocks for a request of ${longest}`,
      ...{ min: 1, max: most },
    });
  return oneModelFault(recipe);
}

/** The largest block, up to `block` tokens, of which a pool has enough for the longest request. */
function largestBlock(block: number, pool: number, longest: number): number {
  let most = block;
  while (most > 1 && Math.ceil(longest / most) > Math.floor(pool / most)) most -= 1;
  return most;
}

function tooMany(option: string, value: number, more: { expected: string; min: number; max: number }): Fault {
  return {
    code: 'recipe-bad-value',
    params: { option, value: String(value), kind: 'wholeNumber', ...more },
  };
}

function onlyOne(option: string, values: readonly string[]): Fault {
  const params = { option, value: cut(values.join(',')), expected: 'give one', kind: 'one' };
  return { code: 'recipe-bad-value', params };
}
