/** The numbers behind the charts of the experiment policies: bytes by tokens, and what a decode step costs by context. */
import type { Allocator, Policy } from '../protocol/recipe';
import type { Cell, LabRecord, MaybeBytes } from '../protocol/record';
import { median } from '../redundancy/correlation';
import type { Level } from './level-style';

/** What is put side by side. */
export interface PolicySubject {
  policy: Policy;
  allocator: Allocator;
  batch: number;
}

/** A byte level, or the peak of the device bytes: in a cell's prefill, or during a step. */
export type PolicyLevel = Level | 'peak';

export interface PolicyPoint {
  tokens: number;
  bytes: Record<PolicyLevel, MaybeBytes>;
}

/** What a decode step costs behind one context. */
export interface ContextCost {
  /** Tokens in the cache before the steps. */
  context: number;
  /** Median ms of the steps in which no GPU pipeline was built; null without such a step. */
  ms: number | null;
  /** Steps that the median is of. */
  steps: number;
  /** Steps in which pipelines were built: a warm-up, left out of the median. */
  warmUp: number;
  /** Median bytes of keys and values of earlier tokens that a step put into other memory; null where they were not counted. */
  copiedBytes: MaybeBytes;
}

function isOf(subject: PolicySubject) {
  return ({ policy, allocator, batch }: PolicySubject): boolean =>
    policy === subject.policy && allocator === subject.allocator && batch === subject.batch;
}

/** Measured points of a policy and mode, by tokens: contexts and the decode steps behind them. Of repeats the last stays. */
export function policyPoints(record: LabRecord, subject: PolicySubject): PolicyPoint[] {
  const points = new Map<number, PolicyPoint>();
  for (const cell of record.cells.filter(isOf(subject))) {
    if (cell.tensorBytes === null) continue;
    points.set(cell.tokens, {
      tokens: cell.tokens,
      bytes: { ...bytesOf(cell), device: cell.deviceBytes.after, peak: cell.deviceBytes.peak },
    });
  }
  for (const { steps } of record.growth.filter(isOf(subject)))
    for (const step of steps) {
      const { tokens, deviceBytes, peakDeviceBytes } = step;
      const bytes = { ...bytesOf(step), device: deviceBytes, peak: peakDeviceBytes ?? deviceBytes };
      points.set(tokens, { tokens, bytes });
    }
  return [...points.values()].sort((a, b) => a.tokens - b.tokens);
}

function bytesOf({
  formulaBytes,
  usedBytes,
  tensorBytes,
  residentBytes,
}: Pick<Cell, 'formulaBytes' | 'usedBytes' | 'tensorBytes' | 'residentBytes'>) {
  return { formula: formulaBytes, used: usedBytes ?? null, tensor: tensorBytes, resident: residentBytes };
}

/** What a step costs, by context, over all repeats. */
export function contextCosts(record: LabRecord, subject: PolicySubject): ContextCost[] {
  const growths = record.growth.filter(isOf(subject));
  const contexts = [...new Set(growths.map(({ promptTokens }) => promptTokens))].sort((a, b) => a - b);
  return contexts.flatMap((context) => {
    const steps = growths.filter(({ promptTokens }) => promptTokens === context).flatMap((one) => one.steps);
    if (steps.length === 0) return [];
    const timed = steps.filter(({ compiled = 0 }) => compiled === 0);
    return [
      {
        context,
        ms: median(timed.map(({ ms }) => ms)),
        steps: timed.length,
        warmUp: steps.length - timed.length,
        copiedBytes: median(steps.flatMap(({ copiedBytes }) => copiedBytes ?? [])),
      },
    ];
  });
}

/** Policies, modes and batches of which anything was measured, in the record's order. */
export function measuredSubjects({ cells }: LabRecord): {
  policies: Policy[];
  allocators: Allocator[];
  batches: number[];
} {
  const measured = cells.filter(({ tensorBytes }) => tensorBytes !== null);
  return {
    policies: [...new Set(measured.map(({ policy }) => policy))],
    allocators: [...new Set(measured.map(({ allocator }) => allocator))],
    batches: [...new Set(measured.map(({ batch }) => batch))],
  };
}
