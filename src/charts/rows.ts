/** The numbers behind the charts, as rows: what is drawn and what a table beside the chart shows. */
import { contentDeltas } from '../protocol/content';
import type { Cell, Growth, LabRecord, MaybeBytes } from '../protocol/record';
import type { Level } from './level-style';

type Subject = Pick<Cell, 'model' | 'dtype' | 'batch' | 'policy' | 'allocator' | 'device' | 'repeat'>;

/** Bytes by level at a number of tokens; null is a gap: not measured, or skipped. Never NaN or Infinity. */
export interface LevelRow extends Subject {
  tokens: number;
  levels: Record<Level, MaybeBytes>;
}

export interface LengthRow extends LevelRow {
  /** The English reason when skipped. */
  skipped: string | null;
}

export interface GrowthRow extends LevelRow {
  /** 0 is the prompt, 1 the first decode step. */
  step: number;
  deltaTensor: MaybeBytes;
  /** Of a preallocated cache. */
  deltaUsed: MaybeBytes;
  deltaResident: MaybeBytes;
}

/** Numbers from a record that cannot be drawn become gaps. */
const drawable = (value: number | null): MaybeBytes =>
  value !== null && Number.isFinite(value) ? value : null;

function subject({ model, dtype, batch, policy, allocator, device, repeat }: Subject): Subject {
  return { model, dtype, batch, policy, allocator, device, repeat };
}

function lengthRow(cell: Cell): LengthRow {
  const skipped = cell.skipped !== null;
  return {
    ...subject(cell),
    tokens: cell.tokens,
    skipped: cell.skipped,
    levels: {
      formula: skipped ? null : drawable(cell.formulaBytes),
      used: skipped ? null : drawable(cell.usedBytes ?? null),
      tensor: skipped ? null : drawable(cell.tensorBytes),
      resident: skipped ? null : drawable(cell.residentBytes),
      device: skipped ? null : drawable(cell.deviceBytes.after),
    },
  };
}

/** The prompt and the steps of one growth. The record keeps no formula and no device bytes of the prompt. */
export function growthRows(growth: Growth): GrowthRow[] {
  const of = subject(growth);
  if (growth.steps.length === 0 && growth.promptTokens === 0) return [];
  const prompt: GrowthRow = {
    ...of,
    step: 0,
    tokens: growth.promptTokens,
    levels: {
      formula: null,
      used: drawable(growth.promptUsedBytes ?? null),
      tensor: drawable(growth.promptBytes),
      resident: drawable(growth.promptResidentBytes),
      device: null,
    },
    deltaTensor: null,
    deltaUsed: null,
    deltaResident: null,
  };
  const deltas = contentDeltas(growth);
  const steps = growth.steps.map((step, index): GrowthRow => ({
    ...of,
    step: index + 1,
    tokens: step.tokens,
    levels: {
      formula: drawable(step.formulaBytes),
      used: drawable(step.usedBytes ?? null),
      tensor: drawable(step.tensorBytes),
      resident: drawable(step.residentBytes),
      device: drawable(step.deviceBytes),
    },
    deltaTensor: drawable(step.deltaTensor),
    deltaUsed: step.usedBytes === undefined ? null : drawable(deltas[index] ?? null),
    deltaResident: drawable(step.deltaResident),
  }));
  return [prompt, ...steps];
}

/** The tables behind the charts of a record: one row a cell, and one a prompt or decode step. */
export function chartRows(record: LabRecord): { length: LengthRow[]; growth: GrowthRow[] } {
  return { length: record.cells.map(lengthRow), growth: record.growth.flatMap(growthRows) };
}

/** Rows that are one line: the same but for tokens and repeat. */
export interface Series<Row> {
  model: string;
  /** Model and whatever else sets this line apart from the others, such as "fp16" or "batch 4"; for the legend. */
  traits: string[];
  rows: Row[];
}

/** Groups rows into lines, in the order in which they come. Of a point that was measured again the newest stays. */
export function seriesOf<Row extends LevelRow>(rows: readonly Row[]): Series<Row>[] {
  const groups = new Map<string, { first: Row; rows: Map<number, Row> }>();
  for (const row of rows) {
    const key = JSON.stringify([row.model, row.dtype, row.batch, row.policy, row.allocator, row.device]);
    const group = groups.get(key) ?? { first: row, rows: new Map<number, Row>() };
    const before = group.rows.get(row.tokens);
    // A repeat that failed does not hide one that was measured.
    if (!before || row.levels.tensor !== null || before.levels.tensor === null)
      group.rows.set(row.tokens, row);
    groups.set(key, group);
  }
  const all = [...groups.values()];
  const differs = (trait: (row: Row) => unknown): boolean =>
    new Set(all.map(({ first }) => trait(first))).size > 1;
  const traits: ((row: Row) => string)[] = [
    ...(differs((row) => row.dtype) ? [(row: Row) => row.dtype] : []),
    ...(differs((row) => row.batch) ? [(row: Row) => `batch ${row.batch}`] : []),
    ...(differs((row) => row.policy) ? [(row: Row) => row.policy] : []),
    ...(differs((row) => row.allocator) ? [(row: Row) => row.allocator] : []),
    ...(differs((row) => row.device) ? [(row: Row) => row.device] : []),
  ];
  return all.map(({ first, rows: points }) => ({
    model: first.model,
    traits: traits.map((trait) => trait(first)),
    rows: [...points.values()].sort((a, b) => a.tokens - b.tokens),
  }));
}
