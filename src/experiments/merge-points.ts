/** The points of several records as one list each: cells and growths, a measurement before a skip, and whether they agree. Pure. */
import { makeCheck, say } from '../protocol/checks';
import type { Cell, Check, Growth, LabRecord } from '../protocol/record';
import type { PointSubject } from './cells';

/** All cells, each point once. The first measurement of a point stands; without one, the first reason why there is none. */
export function unionOfCells(records: readonly LabRecord[]): Cell[] {
  return union(
    records.flatMap((record) => record.cells),
    (cell) => pointKey('cell', cell, cell.tokens),
    (cell) => (cell.tensorBytes === null ? 0 : 1),
  );
}

/** All growths, each pass and prompt once: of several the one with the most steps, of those the first. */
export function unionOfGrowths(records: readonly LabRecord[]): Growth[] {
  return union(
    records.flatMap((record) => record.growth),
    (growth) => pointKey('growth', growth, growth.promptTokens),
    (growth) => growth.steps.length,
  );
}

/** Each item once, where it was first seen; a later one that is worth more replaces it there. */
function union<T>(items: readonly T[], keyOf: (item: T) => string, worth: (item: T) => number): T[] {
  const kept = new Map<string, T>();
  for (const item of items) {
    const key = keyOf(item);
    const old = kept.get(key);
    if (old === undefined || worth(item) > worth(old)) kept.set(key, item);
  }
  return [...kept.values()];
}

function pointKey(
  kind: string,
  { model, dtype, policy, allocator, batch, repeat }: PointSubject,
  ...tokens: number[]
): string {
  return JSON.stringify([kind, model, dtype, policy, allocator, batch, repeat, ...tokens]);
}

interface MeasuredPoint {
  model: string;
  tokens: number;
  tensorBytes: number;
}

/** Passes when every point that two or more records measured has the same tensor bytes in all; null without such a point. */
export function mergeAgreesCheck(records: readonly LabRecord[]): Check | null {
  const points = new Map<string, MeasuredPoint[]>();
  for (const record of records) {
    for (const [key, point] of measuredPoints(record)) points.set(key, [...(points.get(key) ?? []), point]);
  }
  const shared = [...points.values()].filter((measured) => measured.length > 1);
  if (shared.length === 0) return null;
  const strays = shared.filter((measured) => new Set(measured.map((one) => one.tensorBytes)).size > 1);
  const first = strays[0]?.[0];
  return makeCheck('merge-agrees', null, first === undefined, {
    expected: say('merge-expected'),
    measured:
      first === undefined
        ? say('merge-found', { count: shared.length })
        : say('merge-differs', {
            different: strays.length,
            count: shared.length,
            model: first.model,
            tokens: first.tokens,
          }),
  });
}

/** Everything that one record measured: cells, the prompts of growths, and their steps. */
function measuredPoints(record: LabRecord): Map<string, MeasuredPoint> {
  const points = new Map<string, MeasuredPoint>();
  const add = (key: string, { model }: PointSubject, tokens: number, tensorBytes: number): void => {
    points.set(key, { model, tokens, tensorBytes });
  };
  for (const cell of record.cells) {
    const { tokens, tensorBytes } = cell;
    if (tensorBytes !== null) add(pointKey('cell', cell, tokens), cell, tokens, tensorBytes);
  }
  for (const growth of record.growth) {
    const { promptTokens, promptBytes } = growth;
    add(pointKey('prompt', growth, promptTokens), growth, promptTokens, promptBytes);
    for (const { tokens, tensorBytes } of growth.steps)
      add(pointKey('step', growth, promptTokens, tokens), growth, tokens, tensorBytes);
  }
  return points;
}
