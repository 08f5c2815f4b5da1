/** What a record says of preallocated caches: is the capacity the formula's at the room, do decode steps leave the device as it is, how much is used? Pure. */
import { makeCheck, say } from '../protocol/checks';
import type { Check, Growth, LabRecord, Preallocated } from '../protocol/record';

interface Capacity {
  room: number;
  tensorBytes: number;
  formula: number;
}

/** Passes when the tensors of every point have the formula's bytes at their room; null for a model without such a cache. */
export function capacityCheck(record: LabRecord, model: string): Check | null {
  const points: (Preallocated & { tensorBytes: number | null })[] = [
    ...record.cells.filter((cell) => cell.model === model),
    ...record.growth.filter((growth) => growth.model === model).flatMap(({ steps }) => steps),
  ];
  const sizes = points.flatMap(({ roomTokens: room, roomFormulaBytes: formula, tensorBytes }): Capacity[] =>
    room === undefined || formula === undefined || tensorBytes === null
      ? []
      : [{ room, tensorBytes, formula }],
  );
  const [first] = sizes;
  if (first === undefined) return null;
  const stray = sizes.find(({ tensorBytes, formula }) => tensorBytes !== formula);
  const rooms = [...new Set(sizes.map(({ room }) => room))].join(', ');
  return makeCheck('static-capacity', model, stray === undefined, {
    expected: say('capacity-expected'),
    measured:
      stray === undefined
        ? say('capacity-equal', { bytes: first.tensorBytes, room: first.room })
        : say('capacity-differs', { measured: stray.tensorBytes, room: stray.room, formula: stray.formula }),
    detail: say('capacity-count', { count: sizes.length, rooms }),
  });
}

/**
 * Passes when the device holds the same bytes after every decode step from the second on; the first makes the small buffers that
 * a step needs besides its cache. After a move it holds more, and flat is counted anew. Null where there is nothing to compare.
 */
export function flatCheck({ model, steps }: Growth): Check | null {
  if (steps[0]?.roomTokens === undefined) return null;
  const runs = new Map<number, number[]>();
  for (const { roomTokens = 0, deviceBytes } of steps) {
    if (deviceBytes === null) return null;
    runs.set(roomTokens, [...(runs.get(roomTokens) ?? []), deviceBytes]);
  }
  const compared = [...runs.values()].map((bytes) => bytes.slice(1)).filter((bytes) => bytes.length > 1);
  if (compared.length === 0) return null;
  const uneven = compared.find((bytes) => new Set(bytes).size > 1);
  const shown = uneven ?? compared[0] ?? [];
  return makeCheck('static-flat', model, uneven === undefined, {
    expected: say('flat-expected'),
    measured:
      uneven === undefined
        ? say('bytes', { bytes: shown[0] ?? 0 })
        : say('flat-range', { smallest: Math.min(...uneven), largest: Math.max(...uneven) }),
    detail: say('flat-count', { steps: steps.length, moves: runs.size - 1 }),
  });
}

/** The last point of a preallocated cache: what holds tokens there, and what is set aside for them. */
export interface PreallocatedVerdict {
  tokens: number;
  usedBytes: number;
  roomTokens: number;
  capacityBytes: number;
  /** Whether the capacity is the formula's at the room. */
  equal: boolean;
  moves: number;
}

/** The same of a record; null where no cache was preallocated. */
export function preallocatedVerdict(record: LabRecord): PreallocatedVerdict | null {
  const last = [...record.cells, ...record.growth.flatMap(({ steps }) => steps)].findLast(
    ({ roomTokens, tensorBytes }) => roomTokens !== undefined && tensorBytes !== null,
  );
  if (last?.roomTokens === undefined || last.tensorBytes === null) return null;
  const { tokens, usedBytes = 0, roomTokens, roomFormulaBytes, tensorBytes, moves = 0 } = last;
  const equal = tensorBytes === roomFormulaBytes;
  return { tokens, usedBytes, roomTokens, capacityBytes: tensorBytes, equal, moves };
}
