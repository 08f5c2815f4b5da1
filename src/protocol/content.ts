/** Which bytes of a cache hold tokens: those that the formula speaks of. Of a preallocated cache that is a part of its tensors. */
import type { Growth, LabRecord, MaybeBytes, Preallocated } from './record';

type Point = Pick<Preallocated, 'usedBytes'> & { tensorBytes: MaybeBytes };

/** Bytes that hold tokens: the used bytes of a preallocated cache, the tensor bytes of one that grows; null when not measured. */
export function contentBytes({ usedBytes, tensorBytes }: Point): MaybeBytes {
  return usedBytes ?? tensorBytes;
}

/** Bytes that hold the prompt. */
export function promptContent({ promptUsedBytes, promptBytes }: Growth): number {
  return promptUsedBytes ?? promptBytes;
}

/** What each step added to the bytes that hold tokens. */
export function contentDeltas(growth: Growth): number[] {
  const { steps } = growth;
  return steps.map(({ usedBytes, deltaTensor }, index) => {
    if (usedBytes === undefined) return deltaTensor;
    const before = steps[index - 1];
    return (
      usedBytes - (before === undefined ? promptContent(growth) : (before.usedBytes ?? before.tensorBytes))
    );
  });
}

/** Whether any cache of a record was preallocated. */
export function hasPreallocated({ cells, growth }: Pick<LabRecord, 'cells' | 'growth'>): boolean {
  return cells.some(isPreallocated) || growth.some(({ steps }) => steps.some(isPreallocated));
}

/** Whether a point is of a preallocated cache. */
export function isPreallocated({ roomTokens }: Preallocated): boolean {
  return roomTokens !== undefined;
}
