/** Two or more records side by side: every point and pair of layers that any of them measured, and whether they are the same. */
import type { Allocator } from '../protocol/recipe';
import type { Cell, Growth, LabRecord, MaybeBytes } from '../protocol/record';
import { cellSkip, growthSkip } from './expected';
import { comparePairs, type ManyPair } from './compare-many-pairs';
import { compareEnvironments, type EnvironmentComparison } from './environment-facts';
import { comparePools, type ManyPool } from './serving-results';

export type { ManyPair } from './compare-many-pairs';
export type { ManyPool } from './serving-results';

/** The byte levels that are compared: the article's "measured", and the GPU buffers behind it. */
export type ComparedLevel = 'tensor' | 'resident';

/** What a point is measured on. Allocator and device are no part of it: the environments name those. */
export type PointSubject = Pick<Cell, 'model' | 'dtype' | 'batch' | 'policy' | 'tokens'> & {
  /** Only where a record has several modes beside each other. */
  allocator?: Allocator | undefined;
};

/** One record's bytes at a point. */
export interface PointValue {
  /** Distinct bytes of all repeats, in the order measured; more than one when the repeats differ. Empty: not measured. */
  bytes: Record<ComparedLevel, number[]>;
  /** Code of the fault for which it was skipped; null when it was measured, or never planned. */
  skipped: string | null;
}

/** `single`: fewer than two records have the bytes, so there is nothing to compare. */
export type PointOutcome = 'same' | 'different' | 'single';

export interface Point extends PointSubject {
  /** One a record, in their order. */
  values: PointValue[];
  outcome: Record<ComparedLevel, PointOutcome>;
}

export interface ManyComparison {
  points: Point[];
  counts: Record<ComparedLevel, Record<PointOutcome, number>>;
  /** Of redundancy records; compared by R² within the tolerance, where points are compared by exact bytes. */
  pairs: ManyPair[];
  /** Of serving records; compared by the tokens that were found in the pools. */
  pools: ManyPool[];
  environment: EnvironmentComparison;
}

const LEVELS: readonly ComparedLevel[] = ['tensor', 'resident'];
const OUTCOMES: readonly PointOutcome[] = ['same', 'different', 'single'];

interface Reading {
  subject: PointSubject;
  allocator: Allocator;
  /** Of a growth: tokens of its prompt. */
  prompt: number | null;
  bytes: Record<ComparedLevel, MaybeBytes>;
  skipped: string | null;
}

function cellReading(cell: Cell): Reading {
  const { model, dtype, batch, policy, allocator, tokens, tensorBytes, residentBytes } = cell;
  return {
    subject: { model, dtype, batch, policy, tokens },
    allocator,
    prompt: null,
    bytes: { tensor: tensorBytes, resident: residentBytes },
    skipped: cellSkip(cell),
  };
}

/** The prompt and every step. A growth that never got past loading has only the reason, at its prompt's length. */
function growthReadings(growth: Growth): Reading[] {
  const { model, dtype, batch, policy, allocator, promptTokens } = growth;
  const reading = (tokens: number, tensor: MaybeBytes, resident: MaybeBytes, skipped: string | null) => ({
    subject: { model, dtype, batch, policy, tokens },
    ...{ allocator, prompt: promptTokens },
    bytes: { tensor, resident },
    skipped,
  });
  const skip = growthSkip(growth);
  if (growth.steps.length === 0 && skip !== null && growth.promptBytes === 0) {
    return [reading(growth.promptTokens, null, null, skip)];
  }
  return [
    reading(growth.promptTokens, growth.promptBytes, growth.promptResidentBytes, null),
    ...growth.steps.map((step) => reading(step.tokens, step.tensorBytes, step.residentBytes, null)),
  ];
}

const readings = (record: LabRecord): Reading[] => [
  ...record.cells.map(cellReading),
  ...record.growth.flatMap(growthReadings),
];

const keyOf = ({ model, dtype, batch, policy, allocator, tokens }: PointSubject): string =>
  JSON.stringify([model, dtype, batch, policy, allocator, tokens]);

const noValue = (): PointValue => ({ bytes: { tensor: [], resident: [] }, skipped: null });

function addReading(value: PointValue, { bytes, skipped }: Reading): void {
  for (const level of LEVELS) {
    const measured = bytes[level];
    if (measured !== null && !value.bytes[level].includes(measured)) value.bytes[level].push(measured);
  }
  value.skipped = value.bytes.tensor.length > 0 ? null : (skipped ?? value.skipped);
}

function outcomeOf(values: readonly PointValue[], level: ComparedLevel): PointOutcome {
  const measured = values.map((value) => value.bytes[level]).filter((bytes) => bytes.length > 0);
  if (measured.length < 2) return 'single';
  return new Set(measured.flat()).size === 1 ? 'same' : 'different';
}

/** Models in the order in which they come; within one, dtype and batch in theirs; then by tokens. */
function inOrder(points: Point[]): Point[] {
  const groups = new Map<string, Point[]>();
  for (const point of points) {
    const group = keyOf({ ...point, tokens: 0 });
    groups.set(group, [...(groups.get(group) ?? []), point]);
  }
  return [...groups.values()].flatMap((group) => group.sort((a, b) => a.tokens - b.tokens));
}

function countOutcomes(points: readonly Point[], level: ComparedLevel): Record<PointOutcome, number> {
  return Object.fromEntries(
    OUTCOMES.map((outcome) => [outcome, points.filter((point) => point.outcome[level] === outcome).length]),
  ) as Record<PointOutcome, number>;
}

/**
 * Compares two or more records by exact bytes. A point that only some have measured is compared among those; skipped and
 * unmeasured are never 0. Repeats of a record that differ make the point different.
 */
export function compareMany(records: readonly LabRecord[]): ManyComparison {
  const found = new Map<string, Point>();
  const side = records.some(({ recipe }) => recipe.experiment === 'policies');
  records.forEach((record, index) => {
    for (const reading of readings(record)) {
      // Side by side, modes are points of their own, and so are tokens that were come to from two prompts: in other rooms.
      const subject = side ? { ...reading.subject, allocator: reading.allocator } : reading.subject;
      const key = side ? `${keyOf(subject)} ${reading.prompt ?? ''}` : keyOf(subject);
      const point = found.get(key) ?? {
        ...subject,
        values: records.map(noValue),
        outcome: { tensor: 'single', resident: 'single' },
      };
      const value = point.values[index];
      if (value !== undefined) addReading(value, reading);
      found.set(key, point);
    }
  });
  const points = inOrder(
    [...found.values()].map((point) => ({
      ...point,
      outcome: {
        tensor: outcomeOf(point.values, 'tensor'),
        resident: outcomeOf(point.values, 'resident'),
      },
    })),
  );
  return {
    points,
    counts: { tensor: countOutcomes(points, 'tensor'), resident: countOutcomes(points, 'resident') },
    pairs: comparePairs(records),
    pools: comparePools(records),
    environment: compareEnvironments(records),
  };
}
