/** Many records side by side: exact bytes decide, what only one has is not called the same. */
import { describe, expect, it } from 'vitest';
import type { LabRecord } from '../protocol/record';
import { GPT2, growthRecord, lengthRecord, sampleCell, skippedCell } from '../protocol/sample-record.fixture';
import { compareMany } from './compare-many';

const withCells = (cells: LabRecord['cells']): LabRecord => ({ ...lengthRecord(), cells });

describe('points', () => {
  it('have one row a model, dtype, batch and tokens, and the bytes of every record', () => {
    const { points, counts } = compareMany([lengthRecord(), lengthRecord(), lengthRecord()]);
    expect(points.map(({ tokens, values }) => [tokens, ...values.map(({ bytes }) => bytes.tensor)])).toEqual([
      [128, [3145728], [3145728], [3145728]],
      [129, [3170304], [3170304], [3170304]],
      [512, [12582912], [12582912], [12582912]],
      [2048, [], [], []],
    ]);
    expect(points[3]?.values.map(({ skipped }) => skipped)).toEqual(Array(3).fill('over-max-position'));
    expect(counts.tensor).toEqual({ same: 3, different: 0, single: 1 });
  });

  it('differ by one byte in one of three records', () => {
    const other = withCells([sampleCell({ tensorBytes: 3145729 })]);
    const { points, counts } = compareMany([lengthRecord(), other, lengthRecord()]);
    expect(points[0]?.outcome).toEqual({ tensor: 'different', resident: 'same' });
    expect(counts.tensor).toEqual({ same: 2, different: 1, single: 1 });
  });

  it('of one record only are compared with nothing', () => {
    const { points } = compareMany([withCells([sampleCell()]), withCells([sampleCell({ batch: 2 })])]);
    expect(points.map(({ batch, outcome }) => [batch, outcome.tensor])).toEqual([
      [1, 'single'],
      [2, 'single'],
    ]);
  });

  it('keep the allocators together: tensor bytes are the same, resident bytes differ', () => {
    const at129 = sampleCell({ tokens: 129, tensorBytes: 3170304, residentBytes: 6291456 });
    const exact = { ...at129, allocator: 'simple' as const, residentBytes: 3170304 };
    expect(compareMany([withCells([at129]), withCells([exact])]).points[0]?.outcome).toEqual({
      tensor: 'same',
      resident: 'different',
    });
  });

  it('show every value of repeats that differ, and one of those that do not', () => {
    const repeats = [0, 1, 2].map((repeat) =>
      sampleCell({ repeat, residentBytes: repeat === 2 ? 6291456 : 3145728 }),
    );
    const [point] = compareMany([withCells(repeats), withCells([sampleCell()])]).points;
    expect(point?.values[0]?.bytes).toEqual({ tensor: [3145728], resident: [3145728, 6291456] });
    expect(point?.outcome).toEqual({ tensor: 'same', resident: 'different' });
  });

  it('forget a skipped repeat when another one was measured', () => {
    const lost = sampleCell({ repeat: 1, tensorBytes: null, residentBytes: null, skipped: 'lost' });
    expect(compareMany([withCells([lost, sampleCell()])]).points[0]?.values[0]).toEqual({
      bytes: { tensor: [3145728], resident: [3145728] },
      skipped: null,
    });
  });

  it('are grouped by model and ascend by tokens, whatever the order of the records', () => {
    const later = withCells([sampleCell({ tokens: 64, tensorBytes: 1572864 }), skippedCell()]);
    expect(compareMany([lengthRecord(), later]).points.map(({ model, tokens }) => [model, tokens])).toEqual([
      ['twin:Qwen/Qwen2.5-0.5B-Instruct', 64],
      ['twin:Qwen/Qwen2.5-0.5B-Instruct', 128],
      ['twin:Qwen/Qwen2.5-0.5B-Instruct', 129],
      ['twin:Qwen/Qwen2.5-0.5B-Instruct', 512],
      [GPT2, 2048],
    ]);
  });
});

describe('growths', () => {
  it('are compared at the prompt and at every step, also with cells of the same length', () => {
    const { points, counts } = compareMany([growthRecord(128, 2), lengthRecord()]);
    // 24,576 bytes a token.
    expect(
      points.map(({ tokens, values, outcome }) => [tokens, values[0]?.bytes.tensor, outcome.tensor]),
    ).toEqual([
      [128, [3145728], 'same'],
      [129, [3170304], 'same'],
      [130, [3194880], 'single'],
      [512, [], 'single'],
      [2048, [], 'single'],
    ]);
    expect(counts.resident).toEqual({ same: 2, different: 0, single: 3 });
  });

  it('that never started have their reason', () => {
    const record = growthRecord(128, 2);
    const dead = record.growth.map((growth) => ({
      ...growth,
      promptBytes: 0,
      promptResidentBytes: null,
      steps: [],
      interrupted: 'x',
      fault: { code: 'model-load-failed' as const, params: {} },
    }));
    const [point] = compareMany([{ ...record, growth: dead }, record]).points;
    expect(point?.values[0]).toEqual({
      bytes: { tensor: [], resident: [] },
      skipped: 'model-load-failed',
    });
    expect(point?.outcome.tensor).toBe('single');
  });
});
