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

/** The same of a serving, whose pool has to hold the longest request. */
export function servingFault(recipe: Recipe, { pool, longest }: ServingState): Fault | null {
  if (longest > pool) {
    const expected = `use at most the pool's ${pool} tokens`;
    return {
      code: 'recipe-bad-value',
      params: {
        option: 'longest',
        value: String(longest),
        expected,
        kind: 'wholeNumber',
        min: 16,
        max: pool,
      },
    };
  }
  return oneModelFault(recipe);
}

function onlyOne(option: string, values: readonly string[]): Fault {
  const params = { option, value: cut(values.join(',')), expected: 'give one', kind: 'one' };
  return { code: 'recipe-bad-value', params };
}
