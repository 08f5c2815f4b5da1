/** After a failure: what a fresh worker still does, what is given up, and that no number follows a GPU error. */
import { describe, expect, it } from 'vitest';
import { describeFault, type Fault } from '../protocol/faults';
import { defaultRecipe } from '../protocol/recipe';
import { remainingPasses, skipRemaining } from './retry';
import {
  apply,
  begin,
  cellReport,
  GPT2,
  growthRecipe,
  growthReports,
  lengthRecipe,
  MODELS,
  QWEN,
} from './testing.fixture';

const LOST: Fault = { code: 'device-lost', params: { detail: 'reset' } };
const OOM: Fault = { code: 'out-of-memory', params: { bytes: 1000, detail: 'x' }, detail: 'raw text' };
const GPU_ERROR: Fault = { code: 'gpu-error', params: { detail: 'validation' } };

const RECIPE = lengthRecipe({ model: [QWEN, GPT2], tokens: [64, 128, 256, 512] });

function failAfterFirst(fault: Fault) {
  const { plan, record, pass } = begin(RECIPE);
  const failed = apply(record, pass, [cellReport(64, 1572864), { type: 'pass-failed', passId: 0, fault }]);
  return { plan, pass, failed };
}

describe('a failed pass', () => {
  it.each([
    LOST,
    GPU_ERROR,
    { code: 'run-failed', params: { detail: '' } } as const,
    { code: 'worker-failed', params: { detail: '' } } as const,
  ])('$code: the stop that failed is skipped, the later ones are tried again', (fault) => {
    const { plan, pass, failed } = failAfterFirst(fault);
    expect(failed.cells.map((cell) => [cell.tokens, cell.fault?.code ?? null])).toEqual([
      [64, null],
      [128, fault.code],
    ]);
    expect(remainingPasses(plan, failed, pass, fault).map(({ id, work }) => ({ id, work }))).toEqual([
      { id: 0, work: { kind: 'length', stops: [256, 512], steps: 0 } },
      { id: 1, work: { kind: 'length', stops: [64, 128, 256, 512], steps: 0 } },
    ]);
  });

  it.each([
    OOM,
    { code: 'allocator-failed', params: { mode: 'disabled', detail: '' } } as const,
    { code: 'model-load-failed', params: { model: QWEN, detail: '' } } as const,
    { code: 'runtime-load-failed', params: { detail: '' } } as const,
  ])('$code: all later stops of the pass are skipped, the next pass goes on', (fault) => {
    const { plan, pass, failed } = failAfterFirst(fault);
    expect(failed.cells.map((cell) => cell.fault?.code ?? null)).toEqual([
      null,
      fault.code,
      fault.code,
      fault.code,
    ]);
    expect(failed.cells[0]?.tensorBytes).toBe(1572864);
    expect(remainingPasses(plan, failed, pass, fault).map(({ id }) => id)).toEqual([1]);
  });

  it('is not tried again when its last stop failed', () => {
    const { plan, record, pass } = begin(lengthRecipe({ tokens: [64] }));
    const failed = apply(record, pass, [{ type: 'pass-failed', passId: 0, fault: LOST }]);
    expect(remainingPasses(plan, failed, pass, LOST)).toEqual([]);
  });

  it('of a growth is not tried again; later passes are', () => {
    const { plan, record, pass } = begin(growthRecipe({ model: [QWEN, GPT2] }));
    const failed = apply(record, pass, [
      ...growthReports(2),
      { type: 'pass-failed', passId: 0, fault: LOST },
    ]);
    expect(remainingPasses(plan, failed, pass, LOST).map(({ model }) => model)).toEqual([GPT2]);
  });

  it('loses a stop at each failure, so that retries come to an end', () => {
    const { plan, record, pass } = begin(RECIPE);
    let current = record;
    const left = [1, 2, 3, 4].map(() => {
      current = apply(current, pass, [{ type: 'pass-failed', passId: 0, fault: LOST }]);
      return remainingPasses(plan, current, pass, LOST).length;
    });
    // Passes left: this one with fewer stops each time and the next; at last the next only.
    expect(left).toEqual([2, 2, 2, 1]);
  });

  it('ends the run when the page is outdated or the person cancelled', () => {
    const { plan, pass, failed } = failAfterFirst({ code: 'page-outdated', params: {} });
    expect(remainingPasses(plan, failed, pass, { code: 'page-outdated', params: {} })).toEqual([]);
    expect(remainingPasses(plan, failed, pass, { code: 'cancelled', params: {} })).toEqual([]);
  });
});

describe('GPU errors', () => {
  it.each([OOM, GPU_ERROR])('$code: a failing check is added, and rows after it are dropped', (fault) => {
    const { pass, failed } = failAfterFirst(fault);
    expect(failed.checks).toHaveLength(1);
    expect(failed.checks[0]).toMatchObject({
      name: 'no-gpu-errors',
      model: QWEN,
      pass: false,
      measured: describeFault(fault),
    });
    const late = apply(failed, pass, [cellReport(128, 3145728)]);
    expect(late.cells.find((cell) => cell.tokens === 128)?.tensorBytes).toBeNull();
  });

  it.each([OOM, GPU_ERROR])('$code of one stop: no later stop of the pass is believed', (fault) => {
    const { record, pass } = begin(RECIPE);
    const { cells, checks } = apply(record, pass, [
      cellReport(64, 1572864),
      { type: 'cell-skipped', passId: 0, tokens: 128, fault },
      cellReport(256, 6291456),
    ]);
    expect(cells.map((cell) => cell.fault?.code ?? null)).toEqual([null, fault.code, fault.code, fault.code]);
    expect(checks).toMatchObject([{ name: 'no-gpu-errors', pass: false }]);
  });

  it('a lost device is no such error', () => {
    expect(failAfterFirst(LOST).failed.checks).toEqual([]);
  });
});

describe('skipRemaining', () => {
  it('gives every point without a word the reason', () => {
    const { plan, pass, failed } = failAfterFirst(LOST);
    const done = apply(failed, pass, [cellReport(256, 6291456)]);
    const closed = skipRemaining(done, plan, { code: 'cancelled', params: {} }, MODELS);
    expect(closed.cells.map((cell) => [cell.model, cell.tokens, cell.fault?.code ?? null])).toEqual([
      [QWEN, 64, null],
      [QWEN, 128, 'device-lost'],
      [QWEN, 256, null],
      [QWEN, 512, 'cancelled'],
      [GPT2, 64, 'cancelled'],
      [GPT2, 128, 'cancelled'],
      [GPT2, 256, 'cancelled'],
      [GPT2, 512, 'cancelled'],
    ]);
  });

  it('leaves a complete growth alone and marks a short one', () => {
    const { plan, record, pass } = begin(growthRecipe());
    const reason: Fault = { code: 'cancelled', params: {} };
    const complete = apply(record, pass, growthReports(32));
    expect(skipRemaining(complete, plan, reason, MODELS)).toEqual(complete);
    const short = skipRemaining(apply(record, pass, growthReports(31)), plan, reason, MODELS);
    expect(short.growth[0]?.interrupted).toBe('Cancelled.');
    expect(short.cells).toEqual([]);
  });
});

describe('a batch that fails between its last cell and its decode step', () => {
  const recipe = { ...defaultRecipe('batch'), batch: [1], repeats: 1, tokens: [512] };

  it('has the missing step with its reason', () => {
    const { record, pass } = begin(recipe);
    const failed = apply(record, pass, [
      cellReport(512, 12582912),
      { type: 'pass-failed', passId: 0, fault: LOST },
    ]);
    expect(failed.growth).toMatchObject([
      { promptTokens: 512, promptBytes: 12582912, stepsPlanned: 1, steps: [], fault: LOST },
    ]);
  });

  it('has only its skipped cell when that failed already', () => {
    const { record, pass } = begin(recipe);
    const failed = apply(record, pass, [{ type: 'pass-failed', passId: 0, fault: LOST }]);
    expect(failed.cells.map((cell) => cell.fault?.code)).toEqual(['device-lost']);
    expect(failed.growth).toEqual([]);
  });
});
