/** Exit codes of `npm run verify`, from small records. */
import { expect, it } from 'vitest';
import { defaultRecipe } from '../../src/protocol/recipe';
import type { Cell, Check, LabRecord } from '../../src/protocol/record';
import { judge } from './judge';

const CELL: Cell = {
  model: 'tiny',
  dtype: 'fp32',
  batch: 1,
  tokens: 8,
  policy: 'dynamic',
  allocator: 'bucket',
  device: 'webgpu',
  repeat: 0,
  formulaBytes: 4096,
  tensorBytes: 4096,
  residentBytes: 4096,
  deviceBytes: { before: 0, after: 8192, peak: 8192 },
  processBytesBefore: null,
  processBytes: null,
  logitsBytes: 1024,
  ratio: 1,
  prefillMs: 1,
  skipped: null,
  fault: null,
  background: false,
};
const SKIPPED: Cell = { ...CELL, tokens: 2048, tensorBytes: null, ratio: null };
const PASSED: Check = { name: 'ratio', model: 'tiny', pass: true, expected: '1', measured: '1', detail: '' };

function record(patch: Partial<LabRecord>): LabRecord {
  return {
    schema: 'kvlab.record/1',
    createdAt: '2026-01-01T00:00:00Z',
    recipe: defaultRecipe(),
    url: 'http://localhost/',
    status: 'done',
    environment: null,
    models: [],
    cells: [CELL],
    growth: [],
    checks: [PASSED],
    faults: [],
    notMeasured: { resident: null, device: null, process: null },
    redundancy: null,
    capacity: null,
    ...patch,
  };
}

it('0 when every check passes, also with a cell over the maximum position', () => {
  const over: Cell = {
    ...SKIPPED,
    skipped: 'too long',
    fault: { code: 'over-max-position', params: { tokens: 2048, maximum: 1024 } },
  };
  expect(judge(record({ cells: [CELL, over] }), null).code).toBe(0);
});

it('1 when a check failed, naming it', () => {
  const failed = { ...PASSED, pass: false, measured: '1.5' };
  const { code, sentences } = judge(record({ checks: [PASSED, failed] }), null);
  expect(code).toBe(1);
  expect(sentences).toEqual(['The check ratio of tiny failed: expected 1, measured 1.5.']);
});

it('1 when a cell was left out for any other reason', () => {
  const lost: Cell = { ...SKIPPED, skipped: 'lost', fault: { code: 'device-lost', params: { detail: 'x' } } };
  expect(judge(record({ cells: [CELL, lost] }), null).code).toBe(1);
});

it.each(['different', 'incomplete'] as const)('1 when the results of the link are %s here', (verdict) => {
  const comparison = {
    verdict,
    counts: { same: 0, different: 0, 'not-run': 0 },
    residentCounts: { same: 0, different: 0, 'not-compared': 0 },
    cells: [],
    growth: [],
    redundancy: null,
    environment: [],
  };
  expect(judge(record({}), comparison).code).toBe(1);
});

it('2 when nothing was measured, or the run did not finish', () => {
  const fault = { code: 'webgpu-no-adapter', params: {} } as const;
  const nothing = judge(record({ cells: [SKIPPED], checks: [], status: 'failed', faults: [fault] }), null);
  expect(nothing.code).toBe(2);
  expect(nothing.sentences).toEqual([
    'Nothing was measured: The browser has WebGPU, but no GPU adapter is available.',
  ]);
  expect(judge(record({ status: 'cancelled' }), null).code).toBe(2);
  expect(judge(record({ checks: [] }), null).code).toBe(2);
});
