/** The cells of a record grouped by point: the repeats of one model, variant, batch and length side by side. Pure. */
import { loadedModel } from '../protocol/loaded-model';
import { spreadOf, type Spread } from '../experiments/repeats';
import type { Cell, LabRecord } from '../protocol/record';

/** What the repeats of one point have in common, and the cells that were measured. */
export interface PointRow extends Pick<
  Cell,
  'model' | 'dtype' | 'batch' | 'tokens' | 'device' | 'formulaBytes'
> {
  /** Measured cells, in the order of their repeats; empty when the point was skipped in every repeat. */
  cells: Cell[];
  /** A skipped cell, for its reason; null when none was skipped. */
  skipped: Cell | null;
  /** Process bytes with the cache less those before it, over the repeats; null where they were not taken. */
  process: Spread | null;
}

export function pointRows(record: LabRecord): PointRow[] {
  const groups = new Map<string, Cell[]>();
  for (const cell of record.cells) {
    const key = JSON.stringify([cell.model, cell.dtype, cell.batch, cell.tokens]);
    groups.set(key, [...(groups.get(key) ?? []), cell]);
  }
  return [...groups.values()].flatMap((all) => {
    const cells = all.filter(({ tensorBytes }) => tensorBytes !== null);
    const first = cells[0] ?? all[0];
    if (first === undefined) return [];
    const { model, dtype, batch, tokens, device, formulaBytes } = first;
    const moved = cells.flatMap(({ processBytes: after, processBytesBefore: before }) =>
      after === null || before === null ? [] : [after - before],
    );
    return [
      {
        ...{ model, dtype, batch, tokens, device, formulaBytes, cells },
        skipped: all.find(({ tensorBytes }) => tensorBytes === null) ?? null,
        process: spreadOf(moved),
      },
    ];
  });
}

/** Element type of the cache as the loaded graph has it, such as `float32`; null where no graph was loaded. */
export function cacheTypeOf(
  record: LabRecord,
  cell: Pick<Cell, 'model' | 'dtype' | 'policy'>,
): string | null {
  return loadedModel(record, cell)?.cacheType ?? null;
}

/** Whether a record has more than one value of something that sets cells apart. */
export function severalOf(record: LabRecord, trait: (cell: Cell) => unknown): boolean {
  return new Set(record.cells.map(trait)).size > 1;
}
