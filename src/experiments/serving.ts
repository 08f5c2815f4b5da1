/** The experiment `serving`: its one pass, its reports in the record, what it says in all, and servings of several records as one. Pure. */
import { bytesPerToken } from '../geometry/bytes';
import type { Geometry } from '../geometry/geometry';
import { LabError } from '../protocol/faults';
import type { Pass, Report } from '../protocol/messages';
import type { Recipe } from '../protocol/recipe';
import type { LabRecord } from '../protocol/record';
import {
  defaultServing,
  SERVING_SYSTEMS,
  type ServingResult,
  type ServingRun,
  type ServingSystem,
} from '../protocol/serving';

/** Bytes that a pool may have: a page is not told what a GPU has left, and every pool is filled with real rows. */
export const POOL_LIMIT_BYTES = 2 ** 30;
/** What a GPU copies is a multiple of it. */
const ROW_UNIT = 4;

/**
 * The one work of a serving. A row of the pool has the bytes that a token adds; what a sequence keeps whatever its length (states) is
 * no part of it.
 * @param itemSize Bytes of one cache element.
 * @throws LabError serving-no-rows, serving-pool-too-large: there is nothing to serve then.
 */
export function planServing(
  recipe: Recipe,
  model: string,
  geometry: Geometry,
  itemSize: number,
): Pass['work'] {
  const state = recipe.serving ?? defaultServing();
  const row = bytesPerToken(geometry, itemSize);
  if (row === 0 || row % ROW_UNIT !== 0) throw new LabError('serving-no-rows', { model, bytes: row });
  const bytes = state.pool * row;
  if (bytes > POOL_LIMIT_BYTES) {
    const most = Math.floor(POOL_LIMIT_BYTES / row);
    throw new LabError('serving-pool-too-large', { pool: state.pool, bytes, limit: POOL_LIMIT_BYTES, most });
  }
  return { kind: 'serving', state, bytesPerToken: row };
}

/** The record with what one system has shown so far, which replaces what it said before. */
export function withServing(
  record: LabRecord,
  { model, dtype, device, block, work }: Pass,
  { run, promptMean, outputMean }: Extract<Report, { type: 'serving' }>,
): LabRecord {
  if (work.kind !== 'serving') return record;
  const runs = inOrder([...(record.serving?.runs ?? []).filter(({ system }) => system !== run.system), run]);
  const { bytesPerToken: row } = work;
  return {
    ...record,
    serving: { ...{ model, dtype, device, block, promptMean, outputMean, runs }, bytesPerToken: row },
  };
}

function inOrder(runs: readonly ServingRun[]): ServingRun[] {
  return SERVING_SYSTEMS.flatMap((system) => runs.filter((run) => run.system === system));
}

/** How much of its pool a system used. */
export interface SystemUse {
  system: ServingSystem;
  /** Used bytes / pool bytes while requests waited, 0 to 1. */
  utilisation: number;
  mostRunning: number;
  /** Decode steps for all requests; null where the run was cut short. */
  steps: number | null;
}

/** The data of a serving's one sentence. */
export interface ServingVerdict {
  /** The systems of which something is known, in their order. */
  uses: SystemUse[];
  /** Of those that reserve: the one that used least of its pool, and the one that used most; null where none is known. */
  lowest: SystemUse | null;
  highest: SystemUse | null;
  paged: SystemUse | null;
  /** Used by blocks / used by the best of those that reserve; null where one is not known. */
  gain: number | null;
}

export function servingVerdict({ runs }: ServingResult): ServingVerdict {
  const uses = runs.flatMap(({ system, utilisation, mostRunning, steps, stepsPlanned }): SystemUse[] =>
    utilisation === null
      ? []
      : [{ system, utilisation, mostRunning, steps: steps < stepsPlanned ? null : steps }],
  );
  const reserving = uses
    .filter(({ system }) => system !== 'paged')
    .sort((a, b) => a.utilisation - b.utilisation);
  const [lowest = null] = reserving;
  const highest = reserving.at(-1) ?? null;
  const paged = uses.find(({ system }) => system === 'paged') ?? null;
  const gain = paged === null || highest === null ? null : paged.utilisation / highest.utilisation;
  return { uses, lowest, highest, paged, gain };
}

/**
 * The serving of several records of one recipe: each system once, of several the one with the most steps. Lengths and places are
 * simulated from the same seed, so two that differ are not to be believed.
 * @param names What faults call the records.
 * @throws LabError merge-serving where two records found different tokens in a pool at the same moment.
 */
export function mergeServing(
  records: readonly LabRecord[],
  names: readonly string[],
): ServingResult | null | undefined {
  const first = records.find(({ serving }) => serving)?.serving;
  if (!first) return records[0]?.serving;
  const kept = new Map<ServingSystem, { run: ServingRun; name: string }>();
  records.forEach(({ serving }, at) => {
    for (const run of serving?.runs ?? []) {
      const name = names[at] ?? '';
      const old = kept.get(run.system);
      if (old !== undefined && !agree(old.run, run))
        throw new LabError('merge-serving', { first: old.name, second: name, system: run.system });
      if (old === undefined || run.steps > old.run.steps) kept.set(run.system, { run, name });
    }
  });
  return { ...first, runs: inOrder([...kept.values()].map(({ run }) => run)) };
}

/** Whether two runs found the same tokens at every moment that both were read at. */
function agree(one: ServingRun, other: ServingRun): boolean {
  const found = new Map(other.samples.map(({ step, usedTokens }) => [step, usedTokens]));
  return one.samples.every(({ step, usedTokens }) => (found.get(step) ?? usedTokens) === usedTokens);
}
