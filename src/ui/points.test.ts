/** Cells grouped by point: repeats side by side, skipped ones with their reason. */
import { expect, it } from 'vitest';
import { lengthRecord, sampleCell, skippedCell } from '../protocol/sample-record.fixture';
import type { Cell } from '../protocol/record';
import { cacheTypeOf, pointRows, severalOf } from './points';

const recordOf = (cells: Cell[]) => ({ ...lengthRecord(), cells });

it('puts the repeats of a point into one row, in the record’s order', () => {
  const rows = pointRows(
    recordOf([
      sampleCell({ batch: 1, processBytesBefore: 10, processBytes: 7 }),
      sampleCell({ batch: 1, repeat: 1, processBytesBefore: 10, processBytes: 14 }),
      sampleCell({ batch: 2, formulaBytes: 6291456, tensorBytes: 6291456 }),
    ]),
  );
  expect(rows.map(({ batch, cells, formulaBytes }) => [batch, cells.length, formulaBytes])).toEqual([
    [1, 2, 3145728],
    [2, 1, 6291456],
  ]);
  expect(rows[0]?.process).toEqual({ count: 2, median: 0.5, smallest: -3, largest: 4 });
  expect(rows[1]?.process).toBeNull();
});

it('keeps a point that was skipped in every repeat, and a reason beside what was measured', () => {
  const [only, mixed] = pointRows(
    recordOf([
      skippedCell(),
      sampleCell(),
      sampleCell({ repeat: 1, tensorBytes: null, skipped: 'Cancelled.' }),
    ]),
  );
  expect([only?.cells.length, only?.skipped?.fault?.code]).toEqual([0, 'over-max-position']);
  expect([mixed?.cells.length, mixed?.skipped?.skipped]).toEqual([1, 'Cancelled.']);
});

it('knows the cache’s type only from a loaded graph', () => {
  expect(cacheTypeOf(lengthRecord(), sampleCell())).toBe('float32');
  expect(cacheTypeOf(lengthRecord(), sampleCell({ dtype: 'fp16' }))).toBeNull();
  expect(severalOf(lengthRecord(), ({ model }) => model)).toBe(true);
  expect(severalOf(lengthRecord(), ({ batch }) => batch)).toBe(false);
});
