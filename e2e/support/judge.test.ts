/** Exit codes of `npm run verify`, from small records. */
import { expect, it } from 'vitest';
import { defaultRecipe } from '../../src/protocol/recipe';
import type { Cell, Check, LabRecord } from '../../src/protocol/record';
import { redundancyRecord, SAMPLE_PAIRS } from '../../src/protocol/redundancy-record.fixture';
import { compareResults, expectedFromRecord } from '../../src/record/compare';
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
    serving: null,
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

const SHUFFLED: Check = { ...PASSED, name: 'shuffled-control' };

it('judges a redundancy by its checks', () => {
  expect(judge(redundancyRecord(), null)).toEqual({ code: 0, sentences: ['All 1 checks pass.'] });
});

it('says how many R² are those of the link', () => {
  const comparison = compareResults(expectedFromRecord(redundancyRecord()), redundancyRecord());
  expect(judge(redundancyRecord(), comparison)).toEqual({
    code: 0,
    sentences: ['All 1 checks pass. R² of 6 of 6 pairs are those of the link.'],
  });
});

it('1 for a leak, also of a run that was cut short, in one sentence', () => {
  const pairs = structuredClone([...SAMPLE_PAIRS]);
  const [first] = pairs;
  if (first === undefined) throw new Error('the fixture has no pairs');
  first.shuffled.perDocument = [0.25, -0.1, -0.1, -0.1];
  const leak = { ...redundancyRecord({ pairs, leak: true }), checks: [{ ...SHUFFLED, pass: false }] };
  for (const status of ['done', 'cancelled'] as const)
    expect(judge({ ...leak, status }, null)).toEqual({
      code: 1,
      sentences: [
        'LEAK: a control with shuffled tokens has an R² above 0 (0.250, K of 3 → 7, korean-report). Training and test are not apart: this result must not be believed.',
      ],
    });
});

it('1 when a redundancy’s other check failed, or its R² are not those in the link', () => {
  const failed: Check = { ...PASSED, name: 'noise-floor', pass: false };
  expect(judge({ ...redundancyRecord(), checks: [failed] }, null).code).toBe(1);
  const pairs = structuredClone([...SAMPLE_PAIRS]);
  const [first] = pairs;
  if (first?.r2.mean == null) throw new Error('the fixture has no pairs');
  first.r2.mean = 0.36;
  const comparison = compareResults(expectedFromRecord(redundancyRecord()), redundancyRecord({ pairs }));
  expect(judge(redundancyRecord({ pairs }), comparison)).toEqual({
    code: 1,
    sentences: [
      'The results are not those in the link: different. R² differ by at most 0.0200; 0.005 is allowed.',
    ],
  });
});

it('2 when a redundancy was not worked out, in one sentence', () => {
  const refused = {
    ...redundancyRecord(),
    status: 'failed' as const,
    cells: [],
    checks: [],
    redundancy: null,
    faults: [{ code: 'documents-too-short' as const, params: { list: '“a” (5)', needed: 80 } }],
  };
  expect(judge(refused, null)).toEqual({
    code: 2,
    sentences: [
      'Nothing was measured: Too short (tokens in brackets): “a” (5); 80 are needed. Choose longer texts, or keep or skip fewer tokens.',
    ],
  });
  const solver = { code: 'solver-failed' as const, params: { detail: 'x' } };
  expect(judge({ ...redundancyRecord({ pairs: [] }), faults: [solver] }, null)).toEqual({
    code: 2,
    sentences: ['The redundancy was not worked out: The regression could not be solved: x.'],
  });
});
