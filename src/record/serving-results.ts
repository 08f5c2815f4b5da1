/** A serving's results as a link or file lets one expect them, and the comparison of two: tokens found in the pools, exactly. */
import type { Dtype } from '../protocol/recipe';
import type { LabRecord } from '../protocol/record';
import { defaultServing, type ServingState, type ServingSystem } from '../protocol/serving';

/** All that the tokens in a pool depend on. */
export interface ServingSubject extends ServingState {
  model: string;
  dtype: Dtype;
  block: number;
  seed: number;
}

export interface ExpectedPool {
  system: ServingSystem;
  poolBytes: number;
  /** Steps that were made; a run that was cut short made fewer than `stepsPlanned`. */
  steps: number;
  stepsPlanned: number;
  /** 0 to 1, to four places; null where none is known. */
  utilisation: number | null;
  /** Tokens found in the pool, by the steps at which it was read. */
  used: { step: number; tokens: number }[];
}

export interface ExpectedServing extends ServingSubject {
  pools: ExpectedPool[];
}

export type PoolOutcome = 'same' | 'different' | 'not-run';

/** One side of a compared pool. */
export type PoolSide = Pick<ExpectedPool, 'poolBytes' | 'utilisation'>;

export interface PoolComparison {
  system: ServingSystem;
  outcome: PoolOutcome;
  /** Moments at which the pool was read there, and of them here. */
  momentsExpected: number;
  momentsCompared: number;
  /** The first moment at which other tokens were found. */
  firstDifference: { step: number; expected: number; here: number } | null;
  expected: PoolSide;
  /** Null when this run has no such pool (yet), or was asked with other settings. */
  here: PoolSide | null;
}

export interface ServingComparison {
  pools: PoolComparison[];
  /** Settings that differ, so that nothing was compared. */
  otherSettings: (keyof ServingSubject)[];
}

const SUBJECT: readonly (keyof ServingSubject)[] = [
  ...(['model', 'dtype', 'block', 'seed'] as const),
  ...(['lengths', 'requests', 'pool', 'longest'] as const),
];
const PLACES = 1e4;

/** What a record of the experiment lets others expect; null for other records, and before the first system. */
export function expectedServing({ serving, recipe }: LabRecord): ExpectedServing | null {
  if (!serving || serving.runs.length === 0) return null;
  const { model, dtype, block, runs } = serving;
  return {
    ...(recipe.serving ?? defaultServing()),
    ...{ model, dtype, block, seed: recipe.seed },
    pools: runs.map(({ system, poolBytes, steps, stepsPlanned, utilisation, samples }) => ({
      ...{ system, poolBytes, steps, stepsPlanned },
      utilisation: utilisation === null ? null : Math.round(utilisation * PLACES) / PLACES,
      used: samples.map(({ step, usedTokens }) => ({ step, tokens: usedTokens })),
    })),
  };
}

/** The subject of results, and nothing else of them. */
export function servingSubject(of: ServingSubject): ServingSubject {
  const { model, dtype, block, seed, lengths, requests, pool, longest } = of;
  return { model, dtype, block, seed, lengths, requests, pool, longest };
}

/** Compares every expected pool with what was found here; null when nothing was expected. */
export function compareServing(
  expected: ExpectedServing | null,
  here: ExpectedServing | null,
): ServingComparison | null {
  if (expected === null) return null;
  const otherSettings = here === null ? [] : SUBJECT.filter((field) => expected[field] !== here[field]);
  const found = new Map(
    otherSettings.length > 0 ? [] : here?.pools.map((pool) => [pool.system, pool] as const),
  );
  return { pools: expected.pools.map((pool) => comparePool(pool, found.get(pool.system))), otherSettings };
}

function comparePool(expected: ExpectedPool, here: ExpectedPool | undefined): PoolComparison {
  const moments = new Map(here?.used.map(({ step, tokens }) => [step, tokens]));
  const compared = expected.used.filter(({ step }) => moments.has(step));
  const stray = compared.find(({ step, tokens }) => moments.get(step) !== tokens);
  const differs = stray !== undefined || (here !== undefined && here.poolBytes !== expected.poolBytes);
  const whole =
    here !== undefined && compared.length === expected.used.length && here.steps >= expected.steps;
  return {
    system: expected.system,
    outcome: differs ? 'different' : whole ? 'same' : 'not-run',
    momentsExpected: expected.used.length,
    momentsCompared: compared.length,
    firstDifference:
      stray === undefined
        ? null
        : { step: stray.step, expected: stray.tokens, here: moments.get(stray.step) ?? 0 },
    expected: sideOf(expected),
    here: here === undefined ? null : sideOf(here),
  };
}

function sideOf({ poolBytes, utilisation }: PoolSide): PoolSide {
  return { poolBytes, utilisation };
}

/** One system in several records. `single`: fewer than two have read it, so there is nothing to compare. */
export interface ManyPool extends ServingSubject {
  system: ServingSystem;
  /** One a record, in their order; null where it has no such pool. */
  values: (PoolSide | null)[];
  outcome: 'same' | 'different' | 'single';
}

/** Every system that any of the records has. Pools of other settings are other pools; of a run cut short what it read is compared. */
export function comparePools(records: readonly LabRecord[]): ManyPool[] {
  const found = new Map<string, { pool: ManyPool; seen: ExpectedPool[] }>();
  records.forEach((record, index) => {
    const results = expectedServing(record);
    if (results === null) return;
    const subject = servingSubject(results);
    for (const one of results.pools) {
      const key = JSON.stringify([Object.values(subject), one.system]);
      const values = records.map(() => null);
      const entry = found.get(key) ?? {
        pool: { ...subject, system: one.system, values, outcome: 'single' },
        seen: [],
      };
      entry.pool.values[index] = sideOf(one);
      entry.seen.push(one);
      found.set(key, entry);
    }
  });
  return [...found.values()].map(({ pool, seen }) => ({ ...pool, outcome: outcomeOf(seen) }));
}

function outcomeOf([first, ...others]: readonly ExpectedPool[]): ManyPool['outcome'] {
  if (first === undefined || others.length === 0) return 'single';
  return others.some((other) => comparePool(first, other).outcome === 'different') ? 'different' : 'same';
}
