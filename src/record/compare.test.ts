/** Comparison: tensor bytes decide, resident bytes are told apart, what was not run is not called the same. */
import { describe, expect, it } from 'vitest';
import type { LabRecord } from '../protocol/record';
import { growthRecord, lengthRecord, sampleCell, skippedCell } from '../protocol/sample-record.fixture';
import { compareResults, expectedFromRecord } from './compare';

const expected = expectedFromRecord(lengthRecord());
const withCells = (cells: LabRecord['cells']): LabRecord => ({ ...lengthRecord(), cells });

describe('cells', () => {
  it('are the same when tensor bytes and skip reasons are', () => {
    const comparison = compareResults(expected, lengthRecord());
    expect(comparison.verdict).toBe('same');
    expect(comparison.counts).toEqual({ same: 4, different: 0, 'not-run': 0 });
    expect(comparison.residentCounts).toEqual({ same: 3, different: 0, 'not-compared': 1 });
    expect(comparison.environment).toEqual([]);
  });

  it('are different by one byte of tensor bytes', () => {
    const cells = lengthRecord().cells.map((cell) =>
      cell.tokens === 129 ? { ...cell, tensorBytes: 3170305 } : cell,
    );
    const comparison = compareResults(expected, withCells(cells));
    expect(comparison.verdict).toBe('different');
    expect(comparison.counts).toEqual({ same: 3, different: 1, 'not-run': 0 });
    expect(comparison.cells[1]).toMatchObject({
      tokens: 129,
      outcome: 'different',
      expected: { tensorBytes: 3170304 },
      here: { tensorBytes: 3170305 },
    });
  });

  it('stay the same when only resident bytes differ, and the allocator is named', () => {
    const cells = lengthRecord().cells.map((cell) => ({
      ...cell,
      allocator: 'simple' as const,
      residentBytes: cell.tensorBytes,
    }));
    const comparison = compareResults(expected, withCells(cells));
    expect(comparison.verdict).toBe('same');
    expect(comparison.residentCounts).toEqual({ same: 2, different: 1, 'not-compared': 1 });
    expect(comparison.environment).toEqual([
      { field: 'allocator', name: null, expected: 'bucket', here: 'simple' },
    ]);
  });

  it('are compared across backends, whose resident bytes are not compared', () => {
    const record = lengthRecord();
    const cells = record.cells.map((cell) => ({ ...cell, device: 'wasm' as const, residentBytes: null }));
    const environment = record.environment && {
      ...record.environment,
      backend: 'wasm' as const,
      adapter: null,
    };
    const comparison = compareResults(expected, { ...record, cells, environment });
    expect(comparison.verdict).toBe('same');
    expect(comparison.residentCounts['not-compared']).toBe(4);
    expect(comparison.environment).toEqual([
      { field: 'backend', name: null, expected: 'webgpu', here: 'wasm' },
    ]);
  });

  it('are incomplete while they are not run', () => {
    const comparison = compareResults(expected, withCells([sampleCell()]));
    expect(comparison.verdict).toBe('incomplete');
    expect(comparison.counts).toEqual({ same: 1, different: 0, 'not-run': 3 });
    expect(comparison.cells[1]?.here).toBeNull();
  });

  it('count as not run when skipped here but measured there, or the other way round, or for another reason', () => {
    const skippedHere = { ...skippedCell(), model: sampleCell().model, tokens: 128 };
    const lost = { ...skippedCell(), fault: { code: 'device-lost', params: { detail: 'x' } } as const };
    const outcome = (there: LabRecord, here: LabRecord) =>
      compareResults(expectedFromRecord(there), here).cells.map((cell) => cell.outcome);
    expect(outcome(withCells([sampleCell()]), withCells([skippedHere]))).toEqual(['not-run']);
    expect(outcome(withCells([skippedHere]), withCells([sampleCell()]))).toEqual(['not-run']);
    expect(outcome(withCells([skippedCell()]), withCells([lost]))).toEqual(['not-run']);
    expect(outcome(withCells([skippedCell()]), withCells([skippedCell()]))).toEqual(['same']);
  });

  it('of another batch, dtype or repeat are other cells', () => {
    for (const patch of [{ batch: 2 }, { dtype: 'fp16' as const }, { repeat: 1 }]) {
      expect(compareResults(expected, withCells([sampleCell(patch)])).counts['not-run']).toBe(4);
    }
  });

  it('give no verdict “same” when nothing was expected', () => {
    expect(compareResults(expectedFromRecord(withCells([])), lengthRecord()).verdict).toBe('incomplete');
  });
});

describe('environments', () => {
  const elsewhere = lengthRecord();
  const changed = elsewhere.environment && {
    ...elsewhere.environment,
    browser: 'Chromium 157',
    os: 'Windows',
    adapter: { vendor: 'nvidia', architecture: 'ampere', device: '', description: '', fallback: false },
    limits: { maxBufferSize: 2147483648 },
  };
  const here = { ...elsewhere, environment: changed };

  it('of a file are compared in every field', () => {
    expect(compareResults(expected, here).environment.map(({ field, name }) => name ?? field)).toEqual([
      'browser',
      'os',
      'adapter.vendor',
      'adapter.architecture',
      'adapter.fallback',
      'maxBufferSize',
    ]);
  });

  it('of a link are compared by the facts that it carries', () => {
    const link = { ...expected, source: 'link' as const, environment: undefined };
    expect(compareResults(link, here).environment).toEqual([
      { field: 'adapter', name: null, expected: 'google swiftshader', here: 'nvidia ampere' },
      { field: 'browser', name: null, expected: 'Chromium 156', here: 'Chromium 157' },
    ]);
  });
});

describe('growth', () => {
  const grown = expectedFromRecord(growthRecord());
  const patched = (
    patch: (growth: LabRecord['growth'][number]) => LabRecord['growth'][number],
  ): LabRecord => ({
    ...growthRecord(),
    growth: growthRecord().growth.map(patch),
  });

  it('is the same when the prompt and all 32 steps are', () => {
    const comparison = compareResults(grown, growthRecord());
    expect(comparison.verdict).toBe('same');
    expect(comparison.growth[0]).toMatchObject({
      outcome: 'same',
      resident: 'same',
      pointsExpected: 33,
      pointsCompared: 33,
      firstDifference: null,
    });
  });

  it('names the first step that differs', () => {
    const record = patched((growth) => ({
      ...growth,
      steps: growth.steps.map((step, index) =>
        index >= 4 ? { ...step, tensorBytes: step.tensorBytes + 512 } : step,
      ),
    }));
    const comparison = compareResults(grown, record);
    expect(comparison.verdict).toBe('different');
    // 133 tokens x 24,576 bytes.
    expect(comparison.growth[0]?.firstDifference).toEqual({ tokens: 133, expected: 3268608, here: 3269120 });
  });

  it('is incomplete while steps are missing', () => {
    const record = patched((growth) => ({ ...growth, steps: growth.steps.slice(0, 10) }));
    expect(compareResults(grown, record).growth[0]).toMatchObject({
      outcome: 'not-run',
      resident: 'not-compared',
      pointsExpected: 33,
      pointsCompared: 11,
    });
  });

  it('compares the prompt and the last step when the link had room for no more', () => {
    const short = {
      ...grown,
      growth: grown.growth.map((growth) => ({ ...growth, steps: growth.steps.slice(-1) })),
    };
    expect(compareResults(short, growthRecord()).growth[0]).toMatchObject({
      outcome: 'same',
      pointsExpected: 2,
    });
  });

  it('that never started is the same only for the same reason', () => {
    const failed = (code: 'model-load-failed' | 'device-lost') =>
      patched((growth) => ({
        ...growth,
        promptTokens: 0,
        promptBytes: 0,
        steps: [],
        interrupted: 'x',
        fault: { code, params: {} },
      }));
    const lost = expectedFromRecord(failed('device-lost'));
    expect(compareResults(lost, failed('device-lost')).verdict).toBe('same');
    expect(compareResults(lost, failed('model-load-failed')).verdict).toBe('incomplete');
    expect(compareResults(lost, growthRecord()).verdict).toBe('incomplete');
    expect(compareResults(grown, failed('device-lost')).verdict).toBe('incomplete');
  });
});
