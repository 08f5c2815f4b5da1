/** Reports become a record: joined with the formula, in order, without touching what was there. */
import { describe, expect, it } from 'vitest';
import type { Environment } from '../protocol/record';
import { applyReport, finishRecord } from './assemble';
import {
  apply,
  begin,
  cellReport,
  CTX,
  GPT2,
  growthRecipe,
  growthReports,
  lengthRecipe,
  modelReport,
  QWEN,
} from './testing.fixture';

const OVER = '2,048 tokens are over the model’s maximum position 1,024.';

describe('startRecord', () => {
  it('is empty but for the cells that cannot be measured', () => {
    const { record } = begin(lengthRecipe({ model: [GPT2], tokens: [128, 2048] }));
    expect(record).toMatchObject({
      schema: 'kvlab.record/1',
      status: 'running',
      environment: null,
      models: [],
      growth: [],
    });
    expect(record.cells).toHaveLength(1);
    expect(record.cells[0]).toMatchObject({
      model: GPT2,
      tokens: 2048,
      formulaBytes: 150994944,
      tensorBytes: null,
      residentBytes: null,
      ratio: null,
      skipped: OVER,
      fault: { code: 'over-max-position', params: { tokens: 2048, maximum: 1024 } },
    });
  });
});

describe('cells', () => {
  it('join the formula: Qwen at 128 tokens', () => {
    const { record, pass } = begin(lengthRecipe());
    const [cell] = apply(record, pass, [cellReport(128, 3145728, 4000000)]).cells;
    expect(cell).toEqual({
      model: QWEN,
      dtype: 'fp32',
      batch: 1,
      tokens: 128,
      policy: 'dynamic',
      allocator: 'bucket',
      device: 'webgpu',
      repeat: 0,
      formulaBytes: 3145728,
      tensorBytes: 3145728,
      residentBytes: 4000000,
      deviceBytes: { before: 1, after: 2, peak: 3 },
      processBytesBefore: null,
      processBytes: null,
      logitsBytes: 1024,
      ratio: 1,
      prefillMs: 4,
      skipped: null,
      fault: null,
      background: false,
    });
  });

  it('use the element size and the batch', () => {
    const { record, pass } = begin(lengthRecipe({ dtype: ['fp16'], batch: [4] }));
    // paper-tables.json: 512 tokens take 6,291,456 in float16; four sequences take four times that.
    expect(apply(record, pass, [cellReport(512, 1)]).cells[0]?.formulaBytes).toBe(25165824);
  });

  it('have a ratio of 1 only when the integers are equal', () => {
    const { record, pass } = begin(lengthRecipe());
    expect(apply(record, pass, [cellReport(128, 3145729)]).cells[0]?.ratio).toBeGreaterThan(1);
    expect(apply(record, pass, [cellReport(128, 3145727)]).cells[0]?.ratio).toBeLessThan(1);
    expect(apply(record, pass, [cellReport(128, 6291456)]).cells[0]?.ratio).toBe(2);
  });

  it('stand in the order of the table: model as in the recipe, repeat, tokens', () => {
    const { plan, record } = begin(
      lengthRecipe({ model: [GPT2, QWEN], tokens: [128, 512, 2048], repeats: 2 }),
    );
    // Passes in reverse, as a retry might bring them.
    const filled = plan.passes
      .toReversed()
      .reduce((done, pass) => apply(done, pass, [cellReport(512, 1), cellReport(128, 1)]), record);
    expect(filled.cells.map((cell) => [cell.model, cell.repeat, cell.tokens])).toEqual([
      [GPT2, 0, 128],
      [GPT2, 0, 512],
      [GPT2, 0, 2048],
      [GPT2, 1, 128],
      [GPT2, 1, 512],
      [GPT2, 1, 2048],
      [QWEN, 0, 128],
      [QWEN, 0, 512],
      [QWEN, 1, 128],
      [QWEN, 1, 512],
    ]);
  });

  it('keep the first word on a point', () => {
    const { record, pass } = begin(lengthRecipe());
    const once = apply(record, pass, [cellReport(128, 3145728)]);
    expect(apply(once, pass, [cellReport(128, 1)])).toBe(once);
  });

  it('that the worker skips carry its reason', () => {
    const { record, pass } = begin(lengthRecipe());
    const fault = {
      code: 'buffer-too-large',
      params: { bytes: 5, limit: 'maxBufferSize', allowed: 4, tensor: 'present.0.key' },
    } as const;
    const [cell] = apply(record, pass, [{ type: 'cell-skipped', passId: 0, tokens: 128, fault }]).cells;
    expect(cell).toMatchObject({ tensorBytes: null, formulaBytes: 3145728, fault });
    expect(cell?.skipped).toBe(
      'One cache tensor would need 5 bytes, more than this device’s maxBufferSize of 4 bytes (present.0.key).',
    );
  });

  it('know that they were measured in a background tab', () => {
    const { record, pass } = begin(lengthRecipe());
    expect(
      applyReport(record, pass, cellReport(128, 1), { ...CTX, background: true }).cells[0]?.background,
    ).toBe(true);
  });
});

describe('other reports', () => {
  it('phases and the end change nothing, and no report changes the old record', () => {
    const { record, pass } = begin(lengthRecipe());
    const before = structuredClone(record);
    expect(
      applyReport(record, pass, { type: 'phase', passId: 0, phase: 'prefill', done: 1, total: 2 }, CTX),
    ).toBe(record);
    expect(applyReport(record, pass, { type: 'done', cancelled: false }, CTX)).toBe(record);
    apply(record, pass, [cellReport(128, 1), modelReport(QWEN, 24576)]);
    expect(record).toEqual(before);
  });

  it('environment, with why a level was not measured', () => {
    const { record, pass } = begin(lengthRecipe());
    const environment = { browser: 'Chromium 156' } as Environment;
    const notMeasured = { resident: 'wasm', device: 'wasm', process: null };
    // Only the page knows whether process bytes are taken, and says so when the run begins.
    expect(apply(record, pass, [{ type: 'environment', environment, notMeasured }])).toMatchObject({
      environment,
      notMeasured: { resident: 'wasm', device: 'wasm', process: 'not asked for' },
    });
  });

  it('a model that is loaded again replaces its entry and keeps the notes', () => {
    const { record, pass } = begin(lengthRecipe());
    const { models } = apply(record, pass, [
      modelReport(QWEN, 1, ['a']),
      { type: 'note', passId: 0, note: 'b' },
      { type: 'note', passId: 0, note: 'b' },
      modelReport(QWEN, 24576, ['a', 'c']),
    ]);
    expect(models).toHaveLength(1);
    expect(models[0]).toMatchObject({ bytesPerToken: 24576, notes: ['a', 'b', 'c'] });
  });

  it('checks are added', () => {
    const { record, pass } = begin(lengthRecipe());
    const check = {
      name: 'released',
      model: QWEN,
      pass: true,
      expected: '0',
      measured: '0',
      detail: '',
    } as const;
    expect(apply(record, pass, [{ type: 'check', passId: 0, check }]).checks).toEqual([check]);
  });
});

describe('finishRecord', () => {
  it('adds the checks of the whole record once, after those of the worker', () => {
    const { record, pass } = begin(lengthRecipe());
    const check = {
      name: 'graph-cache',
      model: QWEN,
      pass: true,
      expected: '',
      measured: '',
      detail: '',
    } as const;
    const measured = apply(record, pass, [
      modelReport(QWEN, 24576),
      cellReport(128, 3145728),
      cellReport(512, 12582912),
      { type: 'check', passId: 0, check },
    ]);
    const finished = finishRecord(finishRecord(measured, 'failed'), 'done');
    expect(finished.status).toBe('done');
    expect(finished.checks.map(({ name, pass: passed }) => [name, passed])).toEqual([
      ['graph-cache', true],
      ['ratio', true],
      ['wrong-geometry', true],
    ]);
  });

  it('keeps what was measured before Cancel, and says why the growth is short', () => {
    const { record, pass } = begin(growthRecipe({ model: [QWEN, GPT2] }));
    const finished = finishRecord(
      apply(record, pass, [modelReport(QWEN, 24576), ...growthReports(5)]),
      'cancelled',
    );
    expect(finished.growth[0]?.steps).toHaveLength(5);
    expect(finished.growth[0]).toMatchObject({ interrupted: 'Cancelled.', fault: { code: 'cancelled' } });
    // GPT-2 was never reached, so nothing is said about it.
    expect(finished.checks.map(({ name, model, pass: passed }) => [name, model, passed])).toEqual([
      ['ratio', QWEN, true],
      ['wrong-geometry', QWEN, true],
      ['growth-delta', QWEN, true],
    ]);
  });

  it('gives a failed run’s last fault to a growth without a reason', () => {
    const { record, pass } = begin(growthRecipe());
    const fault = { code: 'worker-failed', params: { detail: 'x' } } as const;
    const measured = { ...apply(record, pass, growthReports(1)), faults: [fault] };
    expect(finishRecord(measured, 'failed').growth[0]).toMatchObject({ fault });
  });
});
