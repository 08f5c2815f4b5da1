/** What repeats of the same point say: whether its bytes are the same every time, and how far times and process bytes stray. Pure. */
import { makeCheck, say } from '../protocol/checks';
import { contentBytes, contentDeltas } from '../protocol/content';
import type { Allocator, Dtype, Policy } from '../protocol/recipe';
import type { Check, LabRecord, MaybeBytes } from '../protocol/record';

/** The middle and the ends of measured values; null when there are none. */
export interface Spread {
  count: number;
  median: number;
  smallest: number;
  largest: number;
}

/** A byte level over the repeats. */
export interface Identity {
  /** Repeats in which it was measured. */
  count: number;
  /** Of them, how many have the value that occurs most. */
  identical: number;
  /** That value, bytes. */
  bytes: number;
}

/** One point of the plan over all its repeats: a cache length, or the decode step that ends at it. */
export interface RepeatRow {
  model: string;
  dtype: Dtype;
  batch: number;
  policy: Policy;
  allocator: Allocator;
  /** Tokens per sequence in the cache. */
  tokens: number;
  kind: 'cell' | 'step';
  repeats: number;
  /** Cell: the cache's tensors. Step: what the step added to them. */
  tensor: Identity | null;
  resident: Identity | null;
  device: Identity | null;
  /** Process bytes with the cache less those before it (step: before the step). May be negative. */
  process: Spread | null;
  /** Of the repeats in which no GPU pipeline was built; of all where there is no such repeat. */
  ms: Spread | null;
  /** True where `ms` is of repeats with the shaders’ warm-up. */
  warmUp?: true;
}

/** What tells the rows apart, besides the prompt that a step's growth began with. */
type RowSubject = Pick<RepeatRow, 'model' | 'dtype' | 'batch' | 'policy' | 'allocator' | 'tokens' | 'kind'>;

interface Point extends RowSubject {
  /** Of a step: tokens of its growth's prompt. */
  prompt: number | null;
  tensor: MaybeBytes;
  resident: MaybeBytes;
  device: MaybeBytes;
  process: number | null;
  ms: number | null;
  /** GPU pipelines that were built in that time; undefined where they were not counted. */
  compiled: number | undefined;
}

/** @returns null for no values. */
export function spreadOf(values: readonly number[]): Spread | null {
  const sorted = [...values].sort((a, b) => a - b);
  const smallest = sorted[0];
  const largest = sorted.at(-1);
  if (smallest === undefined || largest === undefined) return null;
  const lower = sorted[Math.floor((sorted.length - 1) / 2)] ?? smallest;
  const upper = sorted[Math.ceil((sorted.length - 1) / 2)] ?? largest;
  return { count: sorted.length, median: (lower + upper) / 2, smallest, largest };
}

/** @returns null for no values. */
export function identityOf(values: readonly number[]): Identity | null {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  let most: Identity | null = null;
  for (const [bytes, identical] of counts) {
    if (most === null || identical > most.identical) most = { count: values.length, identical, bytes };
  }
  return most;
}

/** One row a measured point, in the record's order; points that were skipped in every repeat are left out. */
export function repeatRows(record: LabRecord): RepeatRow[] {
  const groups = new Map<string, Point[]>();
  for (const point of pointsOf(record)) {
    const { model, dtype, batch, policy, allocator, tokens, kind, prompt } = point;
    const key = JSON.stringify([model, dtype, batch, policy, allocator, tokens, kind, prompt]);
    groups.set(key, [...(groups.get(key) ?? []), point]);
  }
  return [...groups.values()].flatMap((points): RepeatRow[] => {
    const [first] = points;
    if (first === undefined) return [];
    const { model, dtype, batch, policy, allocator, tokens, kind } = first;
    const known = (level: (point: Point) => number | null): number[] =>
      points.map(level).filter((value) => value !== null);
    return [
      {
        ...{ model, dtype, batch, policy, allocator, tokens, kind },
        repeats: points.length,
        tensor: identityOf(known((point) => point.tensor)),
        resident: identityOf(known((point) => point.resident)),
        device: identityOf(known((point) => point.device)),
        process: spreadOf(known((point) => point.process)),
        ...timesOf(points),
      },
    ];
  });
}

function timesOf(points: readonly Point[]): Pick<RepeatRow, 'ms' | 'warmUp'> {
  const timed = points.flatMap(({ ms, compiled = 0 }) => (ms === null ? [] : [{ ms, compiled }]));
  const warm = timed.filter(({ compiled }) => compiled === 0);
  const ms = spreadOf((warm.length > 0 ? warm : timed).map((time) => time.ms));
  return warm.length > 0 || timed.length === 0 ? { ms } : { ms, warmUp: true };
}

/** Passes when every point that was measured more than once has the same tensor bytes each time; null without repeats. */
export function repeatsCheck(record: LabRecord): Check | null {
  const rows = repeatRows(record).filter((row) => (row.tensor?.count ?? 0) > 1);
  if (rows.length === 0) return null;
  const strays = rows.filter((row) => row.tensor !== null && row.tensor.identical < row.tensor.count);
  const [first] = strays;
  return makeCheck('repeats-identical', null, first === undefined, {
    expected: say('repeats-expected'),
    measured:
      first?.tensor == null
        ? say('repeats-found', { count: rows.length })
        : say('repeats-stray', {
            different: strays.length,
            count: rows.length,
            tokens: first.tokens,
            identical: first.tensor.identical,
            repeats: first.tensor.count,
          }),
  });
}

function pointsOf(record: LabRecord): Point[] {
  const cells = record.cells
    .filter((cell) => cell.tensorBytes !== null)
    .map((cell): Point => ({
      model: cell.model,
      dtype: cell.dtype,
      batch: cell.batch,
      policy: cell.policy,
      allocator: cell.allocator,
      tokens: cell.tokens,
      kind: 'cell',
      prompt: null,
      tensor: contentBytes(cell),
      resident: cell.residentBytes,
      device: cell.deviceBytes.after,
      process: difference(cell.processBytes, cell.processBytesBefore),
      ms: cell.prefillMs,
      compiled: cell.compiled,
    }));
  const steps = record.growth.flatMap((growth) => {
    const deltas = contentDeltas(growth);
    return growth.steps.map((step, index): Point => ({
      model: growth.model,
      dtype: growth.dtype,
      batch: growth.batch,
      policy: growth.policy,
      allocator: growth.allocator,
      tokens: step.tokens,
      kind: 'step',
      prompt: growth.promptTokens,
      tensor: deltas[index] ?? null,
      resident: step.deltaResident,
      device: step.deviceBytes,
      process: difference(
        step.processBytes,
        growth.steps[index - 1]?.processBytes ?? growth.promptProcessBytes,
      ),
      ms: step.ms,
      compiled: step.compiled,
    }));
  });
  return [...cells, ...steps];
}

function difference(after: MaybeBytes, before: MaybeBytes): number | null {
  return after === null || before === null ? null : after - before;
}
