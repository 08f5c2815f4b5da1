/** Compares what a link or file lets one expect with what was measured here. Tensor bytes and R² decide; resident bytes are told apart. */
import type { LabRecord, MaybeBytes } from '../protocol/record';
import type { ExpectedCell, ExpectedGrowth, ExpectedResults, ExpectedStep, Subject } from './expected';
import { allocatorOf, compareEnvironments, type FactField, type FactValue } from './environment-facts';
import { expectedFromRecord, subjectOf } from './expected';
import { compareRedundancy, type RedundancyComparison } from './redundancy-results';
import { compareServing, type ServingComparison } from './serving-results';

export type { ExpectedCell, ExpectedGrowth, ExpectedResults, ExpectedStep, Subject } from './expected';
export { expectedFromRecord } from './expected';
export type { PairComparison, PairSide, RedundancyComparison } from './redundancy-results';
export type { PoolComparison, ServingComparison } from './serving-results';

export type Outcome = 'same' | 'different' | 'not-run';
/** `not-compared`: one side or both did not measure resident bytes. */
export type ResidentOutcome = 'same' | 'different' | 'not-compared';

/** One side of a compared cell. */
export interface Side {
  tensorBytes: MaybeBytes;
  residentBytes: MaybeBytes;
  /** Fault code when skipped. */
  skipped: string | null;
}

export interface CellComparison extends Subject {
  tokens: number;
  outcome: Outcome;
  resident: ResidentOutcome;
  expected: Side;
  /** Null when this run has no such cell (yet). */
  here: Side | null;
}

export interface GrowthComparison extends Subject {
  outcome: Outcome;
  resident: ResidentOutcome;
  /** Points (the prompt and the steps) that were expected, and how many of them were measured here. */
  pointsExpected: number;
  pointsCompared: number;
  /** The first point whose tensor bytes differ. */
  firstDifference: { tokens: number; expected: number; here: number } | null;
  expectedSkipped: string | null;
  hereSkipped: string | null;
}

/** What a link says of an environment. Its adapter is one line; that of a file has its parts. */
const LINK_FIELDS = ['backend', 'allocator', 'adapter', 'browser', 'onnxruntime'] as const;

export interface EnvironmentDifference {
  field: FactField | (typeof LINK_FIELDS)[number];
  /** The WebGPU name of a feature or limit; null for all other fields. */
  name: string | null;
  expected: FactValue;
  here: FactValue;
}

export interface Comparison {
  /** `different` when any tensor bytes differ or any R² by more than its tolerance, `incomplete` when some were not run, else `same`. */
  verdict: 'same' | 'different' | 'incomplete';
  /** Cells, growths, pairs of layers and pools by outcome. */
  counts: Record<Outcome, number>;
  /** Cells and growths by resident bytes. These may differ by allocator, backend or GPU without a fault. */
  residentCounts: Record<ResidentOutcome, number>;
  cells: CellComparison[];
  growth: GrowthComparison[];
  /** Null when no R² was expected. */
  redundancy: RedundancyComparison | null;
  /** Null when no pool of a serving was expected. */
  serving: ServingComparison | null;
  /** Facts of the environment that are known on both sides and differ: where a difference in resident bytes may come from. */
  environment: EnvironmentDifference[];
}

/** Device, and one allocator mode alone, are no part of it: a run on another backend is compared, and the difference is named. */
const keyOf = (subject: Subject): string =>
  [subject.model, subject.dtype, subject.batch, subject.policy, subject.repeat].join(' ');

interface Keys {
  cell(cell: ExpectedCell): string;
  growth(growth: ExpectedGrowth): string;
}

/**
 * How points of two results are found in each other. Where one side has several allocator modes of a policy beside each other, or
 * several growths of a pass, the mode and the prompt tell them apart too.
 */
function keysOf(results: readonly ExpectedResults[]): Keys {
  const modes = results.some(({ cells }) => new Set(cells.map((cell) => cell.allocator)).size > 1);
  const subject = (of: Subject): string => (modes ? `${keyOf(of)} ${of.allocator}` : keyOf(of));
  const prompts = results.some(({ growth }) => new Set(growth.map(subject)).size < growth.length);
  return {
    cell: (cell) => `${subject(cell)} ${cell.tokens}`,
    growth: (growth) => (prompts ? `${subject(growth)} ${growth.promptTokens}` : subject(growth)),
  };
}

function compareResident(expected: MaybeBytes, here: MaybeBytes): ResidentOutcome {
  if (expected === null || here === null) return 'not-compared';
  return expected === here ? 'same' : 'different';
}

const sideOf = ({ tensorBytes, residentBytes, skipped }: ExpectedCell): Side => ({
  tensorBytes,
  residentBytes,
  skipped,
});

/** Whether a preallocated cache holds as many bytes of tokens as it did there; a cache that grows has no such bytes. */
function sameUse(expected: Pick<ExpectedStep, 'usedBytes'>, here: Pick<ExpectedStep, 'usedBytes'>): boolean {
  return expected.usedBytes === here.usedBytes;
}

function compareCell(expected: ExpectedCell, here: ExpectedCell | undefined): CellComparison {
  let outcome: Outcome = 'not-run';
  if (here && expected.tensorBytes !== null && here.tensorBytes !== null) {
    outcome = expected.tensorBytes === here.tensorBytes && sameUse(expected, here) ? 'same' : 'different';
  } else if (here && expected.skipped !== null && expected.skipped === here.skipped) {
    outcome = 'same';
  }
  return {
    ...subjectOf(expected),
    tokens: expected.tokens,
    outcome,
    resident: compareResident(expected.residentBytes, here?.residentBytes ?? null),
    expected: sideOf(expected),
    here: here ? sideOf(here) : null,
  };
}

/** The prompt and the steps, as points over tokens. A growth that never got past loading has none. */
function pointsOf(growth: ExpectedGrowth): ExpectedStep[] {
  if (growth.steps.length === 0 && growth.skipped !== null) return [];
  const { promptTokens: tokens, promptBytes: tensorBytes, promptResidentBytes: residentBytes } = growth;
  return [{ tokens, tensorBytes, residentBytes, usedBytes: growth.promptUsedBytes }, ...growth.steps];
}

function compareGrowth(expected: ExpectedGrowth, here: ExpectedGrowth | undefined): GrowthComparison {
  const points = pointsOf(expected);
  const measured = new Map((here ? pointsOf(here) : []).map((point) => [point.tokens, point]));
  let firstDifference: GrowthComparison['firstDifference'] = null;
  let pointsCompared = 0;
  const residents: ResidentOutcome[] = [];
  for (const point of points) {
    const found = measured.get(point.tokens);
    if (!found) continue;
    pointsCompared += 1;
    residents.push(compareResident(point.residentBytes, found.residentBytes));
    if (found.tensorBytes !== point.tensorBytes) {
      firstDifference ??= { tokens: point.tokens, expected: point.tensorBytes, here: found.tensorBytes };
    } else if (!sameUse(point, found)) {
      const [expectedUse = 0, hereUse = 0] = [point.usedBytes, found.usedBytes];
      firstDifference ??= { tokens: point.tokens, expected: expectedUse, here: hereUse };
    }
  }
  const bothSkipped = expected.skipped !== null && expected.skipped === here?.skipped;
  const complete = points.length === 0 ? bothSkipped : pointsCompared === points.length;
  let resident: ResidentOutcome = 'not-compared';
  if (residents.includes('different')) resident = 'different';
  else if (residents.length === points.length && residents.length > 0 && !residents.includes('not-compared'))
    resident = 'same';
  return {
    ...subjectOf(expected),
    outcome: firstDifference ? 'different' : complete ? 'same' : 'not-run',
    resident,
    pointsExpected: points.length,
    pointsCompared,
    firstDifference,
    expectedSkipped: expected.skipped,
    hereSkipped: here?.skipped ?? null,
  };
}

/** A file's environment is compared in full, a link's by what it carries. */
function compareSurroundings(expected: ExpectedResults, here: ExpectedResults): EnvironmentDifference[] {
  if (expected.environment && here.environment) {
    const there = { ...expected, environment: expected.environment };
    const { different } = compareEnvironments([there, { ...here, environment: here.environment }]);
    return different.map(({ field, name, values: [was = null, is = null] }) => ({
      field,
      name,
      expected: was,
      here: is,
    }));
  }
  const there = linkFacts(expected);
  const now = linkFacts(here);
  return LINK_FIELDS.flatMap((field) => {
    const [was, is] = [there[field], now[field]];
    return was !== null && is !== null && was !== is ? [{ field, name: null, expected: was, here: is }] : [];
  });
}

function linkFacts(results: ExpectedResults): Record<(typeof LINK_FIELDS)[number], string | null> {
  const { backend, adapter, browser, onnxruntime } = results;
  return { backend, allocator: allocatorOf(results), adapter, browser, onnxruntime };
}

function tally<T extends string>(names: readonly T[], found: readonly T[]): Record<T, number> {
  return Object.fromEntries(
    names.map((name) => [name, found.filter((each) => each === name).length]),
  ) as Record<T, number>;
}

/**
 * Compares every expected cell and growth with the record of this run (also while it is still running: what is not there
 * yet is `not-run`). Cells that only this run has are not compared.
 */
export function compareResults(expected: ExpectedResults, record: LabRecord): Comparison {
  const here = expectedFromRecord(record);
  const keys = keysOf([expected, here]);
  const cellsHere = new Map(here.cells.map((cell) => [keys.cell(cell), cell]));
  const growthHere = new Map(here.growth.map((growth) => [keys.growth(growth), growth]));
  const cells = expected.cells.map((cell) => compareCell(cell, cellsHere.get(keys.cell(cell))));
  const growth = expected.growth.map((each) => compareGrowth(each, growthHere.get(keys.growth(each))));
  const redundancy = compareRedundancy(expected.redundancy, here.redundancy);
  const serving = compareServing(expected.serving, here.serving);
  const measured = [...cells, ...growth];
  const all = [...measured, ...(redundancy?.pairs ?? []), ...(serving?.pools ?? [])];
  const counts = tally(
    ['same', 'different', 'not-run'],
    all.map((part) => part.outcome),
  );
  return {
    verdict:
      counts.different > 0 ? 'different' : counts['not-run'] > 0 || all.length === 0 ? 'incomplete' : 'same',
    counts,
    residentCounts: tally(
      ['same', 'different', 'not-compared'],
      measured.map((part) => part.resident),
    ),
    cells,
    growth,
    redundancy,
    serving,
    environment: compareSurroundings(expected, here),
  };
}
