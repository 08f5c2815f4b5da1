/** Repeats: bytes are the same n times of n or the check fails; times and process bytes as median and spread. */
import { describe, expect, it } from 'vitest';
import type { Report } from '../protocol/messages';
import { defaultRecipe, type Recipe } from '../protocol/recipe';
import type { LabRecord } from '../protocol/record';
import { finishRecord } from './assemble';
import { UNKNOWN_HOST } from './models';
import { identityOf, repeatRows, repeatsCheck, spreadOf } from './repeats';
import { apply, begin, cellReport, lengthRecipe, modelReport, QWEN, stepReport } from './testing.fixture';

/** A record of the batch experiment of one batch, each pass with its own reports. */
function record(recipe: Recipe, reports: (repeat: number) => Report[]): LabRecord {
  const { plan, record } = begin(recipe, { ...UNKNOWN_HOST, processBytes: true });
  return plan.passes.reduce((done, pass) => apply(done, pass, reports(pass.repeat)), record);
}

const cellAt = (tokens: number, tensorBytes: number, process: [number, number] | null, ms = 4): Report => {
  const report = cellReport(tokens, tensorBytes);
  if (report.type !== 'cell') throw new Error('no cell');
  const [processBytesBefore, processBytes] = process ?? [null, null];
  return { ...report, cell: { ...report.cell, processBytesBefore, processBytes, prefillMs: ms } };
};

/** Qwen at 512 tokens, batch 1, and one step (paper-tables.json: 12,582,912 bytes; a step adds 24,576). */
const BATCH_1: Recipe = { ...defaultRecipe('batch'), batch: [1] };

describe('spreadOf', () => {
  it('has the middle of an odd count, and of an even count the mean of the two middle ones', () => {
    expect(spreadOf([30, 10, 20])).toEqual({ count: 3, median: 20, smallest: 10, largest: 30 });
    expect(spreadOf([40, 10, 30, 20])).toEqual({ count: 4, median: 25, smallest: 10, largest: 40 });
    expect(spreadOf([7])).toEqual({ count: 1, median: 7, smallest: 7, largest: 7 });
  });

  it('sorts numbers as numbers, negative ones too', () => {
    expect(spreadOf([100, -48, 9])).toEqual({ count: 3, median: 9, smallest: -48, largest: 100 });
  });

  it('is null without values', () => {
    expect(spreadOf([])).toBeNull();
  });
});

describe('identityOf', () => {
  it('counts the value that occurs most', () => {
    expect(identityOf([5, 5, 5])).toEqual({ count: 3, identical: 3, bytes: 5 });
    expect(identityOf([4, 5, 5])).toEqual({ count: 3, identical: 2, bytes: 5 });
    expect(identityOf([])).toBeNull();
  });
});

describe('repeatRows', () => {
  it('joins the repeats of a cell and of the step after it', () => {
    const rows = repeatRows(
      record(BATCH_1, (repeat) => [
        cellAt(
          512,
          12582912,
          [50_000_000, 50_000_000 + ([75, 45, 123][repeat] ?? 0) * 1_000_000],
          10 + repeat,
        ),
        {
          type: 'prompt',
          passId: 0,
          tokens: 512,
          tensorBytes: 12582912,
          residentBytes: 12582912,
          processBytes: 100_000_000,
        },
        withProcess(stepReport(513, 12607488, 25165824), 100_000_000 - 48_000_000 * (repeat + 1)),
      ]),
    );
    expect(rows).toEqual([
      {
        model: QWEN,
        dtype: 'fp32',
        batch: 1,
        policy: 'dynamic',
        allocator: 'bucket',
        tokens: 512,
        kind: 'cell',
        repeats: 3,
        tensor: { count: 3, identical: 3, bytes: 12582912 },
        resident: { count: 3, identical: 3, bytes: 12582912 },
        device: { count: 3, identical: 3, bytes: 2 },
        process: { count: 3, median: 75_000_000, smallest: 45_000_000, largest: 123_000_000 },
        ms: { count: 3, median: 11, smallest: 10, largest: 12 },
      },
      {
        model: QWEN,
        dtype: 'fp32',
        batch: 1,
        policy: 'dynamic',
        allocator: 'bucket',
        tokens: 513,
        kind: 'step',
        repeats: 3,
        // What the step added.
        tensor: { count: 3, identical: 3, bytes: 24576 },
        resident: { count: 3, identical: 3, bytes: 12582912 },
        device: null,
        process: { count: 3, median: -96_000_000, smallest: -144_000_000, largest: -48_000_000 },
        ms: { count: 3, median: 5, smallest: 5, largest: 5 },
      },
    ]);
  });

  describe('times', () => {
    const timesOf = (compiled: number[]) =>
      repeatRows(
        record(BATCH_1, (repeat) => {
          const report = cellAt(512, 12582912, null, 10 * (repeat + 1));
          if (report.type !== 'cell') throw new Error('no cell');
          return [{ ...report, cell: { ...report.cell, compiled: compiled[repeat] } }];
        }),
      ).map(({ ms, warmUp }) => ({ median: ms?.median, count: ms?.count, warmUp }));

    it('leave those out in which pipelines were built', () => {
      expect(timesOf([7, 0, 0])).toEqual([{ median: 25, count: 2, warmUp: undefined }]);
    });

    it('say so where there are no others', () => {
      expect(timesOf([7, 7, 1])).toEqual([{ median: 20, count: 3, warmUp: true }]);
    });
  });

  it('takes the process bytes of a second step from the first', () => {
    const rows = repeatRows(
      record({ ...BATCH_1, steps: 2, repeats: 1 }, () => [
        {
          type: 'prompt',
          passId: 0,
          tokens: 512,
          tensorBytes: 12582912,
          residentBytes: null,
          processBytes: 100,
        },
        withProcess(stepReport(513, 12607488), 130),
        withProcess(stepReport(514, 12632064), 90),
      ]),
    );
    expect(rows.map(({ process }) => process?.median)).toEqual([30, -40]);
  });

  it('says nothing of a figure that was not taken, and leaves points out that were always skipped', () => {
    const rows = repeatRows(record(lengthRecipe({ repeats: 2 }), () => [cellAt(128, 3145728, null)]));
    expect(rows.map(({ tokens, process }) => [tokens, process])).toEqual([[128, null]]);
  });

  it('keeps batches and dtypes apart', () => {
    const both = record({ ...defaultRecipe('batch'), batch: [1, 2], repeats: 2 }, () => [
      cellAt(512, 1, null),
    ]);
    expect(repeatRows(both).map(({ batch, repeats }) => [batch, repeats])).toEqual([
      [1, 2],
      [2, 2],
    ]);
  });
});

describe('the check repeats-identical', () => {
  const measured = (strayAt: number | null) =>
    record(lengthRecipe({ repeats: 3 }), (repeat) => [
      modelReport(QWEN, 24576),
      cellAt(128, 3145728, null),
      cellAt(512, repeat === strayAt ? 12582916 : 12582912, null),
    ]);

  it('passes when every point has the same tensor bytes in all repeats', () => {
    expect(repeatsCheck(measured(null))).toMatchObject({
      name: 'repeats-identical',
      model: null,
      pass: true,
      measured: 'identical in every repeat of 2 points',
    });
  });

  it('fails on one stray, naming its tokens and how many agree', () => {
    expect(repeatsCheck(measured(1))).toMatchObject({
      pass: false,
      measured: '1 of 2 points stray; at 512 tokens identical in 2 of 3 repeats',
    });
  });

  it('is not made without repeats, nor of points that were measured once', () => {
    expect(repeatsCheck(record(lengthRecipe(), () => [cellAt(128, 1, null)]))).toBeNull();
    const once = record(lengthRecipe({ repeats: 2 }), (repeat) =>
      repeat === 0 ? [cellAt(128, 1, null)] : [],
    );
    expect(repeatsCheck(once)).toBeNull();
  });

  it('is in a finished record once, however often it is finished', () => {
    const twice = finishRecord(finishRecord(measured(null), 'done'), 'done');
    expect(twice.checks.filter(({ name }) => name === 'repeats-identical')).toHaveLength(1);
    const one = finishRecord(
      record(lengthRecipe(), () => [cellAt(128, 1, null)]),
      'done',
    );
    expect(one.checks.some(({ name }) => name === 'repeats-identical')).toBe(false);
  });
});

function withProcess(report: Report, processBytes: number): Report {
  if (report.type !== 'step') throw new Error('no step');
  return { ...report, step: { ...report.step, processBytes } };
}
