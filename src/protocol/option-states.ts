/** Experiments that bring a state of their own into the recipe, with options of its own beside a few of the common ones. */
import { defaultCapacity, type CapacityState } from './capacity';
import { CAPACITY_KEYS, CAPACITY_OPTIONS } from './capacity-options';
import type { Fault } from './faults';
import { firstFault, readAll, writeAll, type Table } from './option-table';
import type { OptionKey } from './options';
import { defaultPolicies, type PoliciesState } from './policies';
import {
  oneModelFault,
  POLICIES_KEYS,
  POLICIES_OPTIONS,
  SERVING_KEYS,
  SERVING_OPTIONS,
  servingFault,
} from './policies-options';
import type { Experiment, Recipe } from './recipe';
import { defaultRedundancy, type RedundancyState } from './redundancy';
import { REDUNDANCY_KEYS, REDUNDANCY_OPTIONS, redundancyFault } from './redundancy-options';
import { defaultServing, type ServingState } from './serving';

/** The experiment, which is the state's name in the recipe too. */
export type StateKey = 'policies' | 'serving' | 'capacity' | 'redundancy';

export interface OwnState {
  readonly name: StateKey;
  /** Names of its own options. */
  readonly keys: readonly string[];
  /** The common options that the experiment has too; the others are unknown to it. */
  readonly common: readonly OptionKey[];
  /** Puts what the query says into the recipe's state, and gives the faults. */
  read(query: URLSearchParams, recipe: Recipe): Fault[];
  /** Appends what differs from a fresh state. */
  write(recipe: Recipe, query: URLSearchParams): void;
  /** The first value that the table would refuse. */
  valueFault(recipe: Recipe): Fault | null;
  /** What good values together cannot be. */
  togetherFault(recipe: Recipe): Fault | null;
}

function ownState<T extends object>(
  name: StateKey,
  {
    table,
    keys,
    fresh,
    common,
    together = () => null,
  }: {
    table: Table<Pick<T, keyof T & string>>;
    keys: readonly (keyof T & string)[];
    fresh: () => T;
    common: readonly OptionKey[];
    together?: (recipe: Recipe, state: T) => Fault | null;
  },
): OwnState {
  const of = (recipe: Recipe): T => (recipe[name] as T | undefined) ?? fresh();
  return {
    name,
    keys,
    common,
    read: (query, recipe) => {
      const state = of(recipe);
      const faults = readAll<T, keyof T & string>(table, keys, query, state);
      Object.assign(recipe, { [name]: state });
      return faults;
    },
    write: (recipe, query) => {
      writeAll<T, keyof T & string>(table, keys, of(recipe), fresh(), query);
    },
    valueFault: (recipe) => firstFault<T, keyof T & string>(table, keys, of(recipe)),
    togetherFault: (recipe) => together(recipe, of(recipe)),
  };
}

const STATES: Record<StateKey, OwnState> = {
  policies: ownState<PoliciesState>('policies', {
    table: POLICIES_OPTIONS,
    keys: POLICIES_KEYS,
    fresh: defaultPolicies,
    common: [
      ...(['experiment', 'model', 'dtype', 'batch', 'tokens', 'steps', 'bits', 'block'] as const),
      ...(['device', 'chunk', 'seed', 'repeats', 'lang'] as const),
    ],
    together: oneModelFault,
  }),
  serving: ownState<ServingState>('serving', {
    table: SERVING_OPTIONS,
    keys: SERVING_KEYS,
    fresh: defaultServing,
    common: ['experiment', 'model', 'dtype', 'block', 'device', 'seed', 'lang'],
    together: servingFault,
  }),
  capacity: ownState<CapacityState>('capacity', {
    table: CAPACITY_OPTIONS,
    keys: CAPACITY_KEYS,
    fresh: defaultCapacity,
    common: ['experiment', 'lang'],
  }),
  redundancy: ownState<RedundancyState>('redundancy', {
    table: REDUNDANCY_OPTIONS,
    keys: REDUNDANCY_KEYS,
    fresh: defaultRedundancy,
    common: ['experiment', 'model', 'dtype', 'device', 'allocator', 'chunk', 'seed', 'lang'],
    together: redundancyFault,
  }),
};

/** The state that an experiment brings, or null. */
export function stateOf(experiment: Experiment): OwnState | null {
  return Object.hasOwn(STATES, experiment) ? STATES[experiment as StateKey] : null;
}

/** The states in the order of the experiments. */
export const OWN_STATES: readonly OwnState[] = Object.values(STATES);
