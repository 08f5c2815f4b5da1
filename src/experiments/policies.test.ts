/** The recommendation from measured peaks, the passes side by side, and what goes on after a failure. */
import { describe, expect, it } from 'vitest';
import type { Fault } from '../protocol/faults';
import { defaultRecipe } from '../protocol/recipe';
import type { Cell, Growth, LabRecord } from '../protocol/record';
import { finishRecord } from './assemble';
import { withCheckOf } from './once';
import { planRun } from './plan';
import { recommend, unionOfProbes, withProbe } from './policies';
import { isOfSetting, remainingPasses } from './retry';
import { apply, begin, cellReport, MODELS, modelReport, QWEN, stepReport } from './testing.fixture';
import { makeCheck, say } from '../protocol/checks';

const RECIPE = { ...defaultRecipe('policies'), model: [QWEN], tokens: [64, 128], steps: 2 };

/** A cell with nothing but what the recommendation reads. */
function cell(
  policy: Cell['policy'],
  allocator: Cell['allocator'],
  tokens: number,
  peak: number | null,
): Cell {
  const subject = { model: QWEN, dtype: 'fp32', batch: 1, device: 'webgpu', repeat: 0 } as const;
  return { ...subject, policy, allocator, tokens, deviceBytes: { before: 0, after: 0, peak } } as Cell;
}

function growth(of: Cell, peaks: number[]): Growth {
  const steps = peaks.map((peakDeviceBytes, at) => ({ tokens: of.tokens + at + 1, peakDeviceBytes }));
  return { ...of, promptTokens: of.tokens, steps } as unknown as Growth;
}

describe('recommend', () => {
  it('counts what each held within the smallest peak at the longest context, most first', () => {
    const cells = [
      cell('dynamic', 'bucket', 64, 400),
      cell('dynamic', 'bucket', 128, 1000),
      cell('static', 'bucket', 64, 300),
      cell('static', 'bucket', 128, 600),
      cell('static', 'simple', 64, 700),
      cell('static', 'simple', 128, 700),
    ];
    const growths = [growth(cells[0] as Cell, [500, 601]), growth(cells[3] as Cell, [600, 600])];
    expect(recommend({ cells, growth: growths })).toEqual({
      budgetBytes: 600,
      holds: [
        { policy: 'static', allocator: 'bucket', tokens: 130, peakBytes: 600 },
        { policy: 'dynamic', allocator: 'bucket', tokens: 65, peakBytes: 500 },
        { policy: 'static', allocator: 'simple', tokens: 0, peakBytes: null },
      ],
    });
  });

  it('takes no step for reached whose prompt took more', () => {
    const cells = [cell('dynamic', 'bucket', 128, 1000), cell('static', 'bucket', 128, 600)];
    const found = recommend({ cells, growth: [growth(cells[0] as Cell, [100])] });
    expect(found?.holds.at(-1)).toEqual({
      policy: 'dynamic',
      allocator: 'bucket',
      tokens: 0,
      peakBytes: null,
    });
  });

  it('puts the one that took fewer bytes first where the tokens are the same', () => {
    const cells = [
      cell('dynamic', 'bucket', 64, 500),
      cell('static', 'bucket', 64, 400),
      cell('static', 'bucket', 128, 900),
      cell('dynamic', 'bucket', 128, 800),
    ];
    expect(recommend({ cells, growth: [] })?.holds.map(({ policy }) => policy)).toEqual([
      'dynamic',
      'static',
    ]);
  });

  it('claims nothing without device bytes, or of one alone', () => {
    const wasm = [cell('dynamic', 'bucket', 64, null), cell('static', 'bucket', 64, null)];
    expect(recommend({ cells: wasm, growth: [] })).toBeNull();
    expect(recommend({ cells: [cell('dynamic', 'bucket', 64, 1)], growth: [] })).toBeNull();
  });
});

describe('the plan', () => {
  it('has the default pair first, disabled last, and what is tried behind all', () => {
    const { passes } = planRun(
      {
        ...RECIPE,
        policies: { policies: ['static', 'dynamic'], allocators: ['disabled', 'bucket'] },
      },
      MODELS,
    );
    expect(
      passes.map(({ id, policy, allocator, room, work }) => [id, policy, allocator, room, work]),
    ).toEqual([
      [0, 'dynamic', 'bucket', 0, { kind: 'contexts', stops: [64, 128], steps: 2, probes: false }],
      [1, 'static', 'bucket', 0, { kind: 'contexts', stops: [64, 128], steps: 2, probes: false }],
      [2, 'dynamic', 'disabled', 0, { kind: 'contexts', stops: [64, 128], steps: 2, probes: false }],
      [3, 'static', 'disabled', 0, { kind: 'contexts', stops: [64, 128], steps: 2, probes: false }],
      [4, 'dynamic', 'bucket', 0, { kind: 'contexts', stops: [], steps: 0, probes: true }],
    ]);
  });

  it('has one mode on WASM', () => {
    const { passes } = planRun({ ...RECIPE, device: 'wasm' }, MODELS);
    expect(new Set(passes.map(({ allocator }) => allocator))).toEqual(new Set(['bucket']));
    expect(passes).toHaveLength(5);
  });
});

describe('a pass over contexts that fails', () => {
  const prompt = (tokens: number, tensorBytes: number) =>
    ({ type: 'prompt', passId: 0, tokens, tensorBytes, residentBytes: null, processBytes: null }) as const;
  const LOST: Fault = { code: 'run-failed', params: { model: QWEN, detail: 'x' } };
  const OTHER: Fault = { code: 'allocator-failed', params: { mode: 'disabled', detail: 'x' } };
  const measured = [
    modelReport(QWEN, 24576),
    cellReport(64, 1572864),
    prompt(64, 1572864),
    stepReport(65, 1597440),
  ];

  it('in a step: the growth is cut, and the next context is tried in a fresh worker', () => {
    const { plan, record, pass } = begin(RECIPE);
    const failed = apply(record, pass, [...measured, { type: 'pass-failed', passId: 0, fault: LOST }]);
    expect(failed.growth).toMatchObject([{ promptTokens: 64, steps: { length: 1 }, fault: LOST }]);
    expect(failed.cells).toHaveLength(1);
    expect(remainingPasses(plan, failed, pass, LOST)[0]?.work).toEqual({
      ...{ kind: 'contexts', stops: [128], steps: 2, probes: false },
    });
  });

  it('for good: what is left has the reason, and later passes go on', () => {
    const { plan, record, pass } = begin(RECIPE);
    const failed = apply(record, pass, [...measured, { type: 'pass-failed', passId: 0, fault: OTHER }]);
    expect(failed.cells.map(({ tokens, fault }) => [tokens, fault?.code ?? null])).toEqual([
      [64, null],
      [128, 'allocator-failed'],
    ]);
    expect(remainingPasses(plan, failed, pass, OTHER)[0]?.id).toBe(1);
    expect([isOfSetting(OTHER), isOfSetting(LOST)]).toEqual([true, false]);
  });

  it('has a growth of its own for each context', () => {
    const { record, pass } = begin(RECIPE);
    const next = [
      stepReport(66, 1622016),
      cellReport(128, 3145728),
      prompt(128, 3145728),
      stepReport(129, 3170304),
    ];
    const { growth } = apply(record, pass, [...measured, ...next]);
    expect(
      growth.map(({ promptTokens, steps }) => [promptTokens, ...steps.map(({ tokens }) => tokens)]),
    ).toEqual([
      [64, 65, 66],
      [128, 129],
    ]);
  });
});

it('keeps a check that passes once a policy, and each that fails with its mode', () => {
  const check = (pass: boolean) =>
    makeCheck('released', QWEN, pass, {
      expected: say('bytes', { bytes: 0 }),
      measured: say('bytes', { bytes: 0 }),
    });
  const bucket = { policy: 'dynamic', allocator: 'bucket' } as const;
  const simple = { policy: 'dynamic', allocator: 'simple' } as const;
  const all = [
    [bucket, true],
    [simple, true],
    [simple, false],
    [{ ...simple, policy: 'static' }, true],
  ] as const;
  const kept = all.reduce<LabRecord['checks']>((done, [of, pass]) => withCheckOf(done, of, check(pass)), []);
  expect(kept.map(({ policy, allocator, pass }) => [policy, allocator, pass])).toEqual([
    ['dynamic', undefined, true],
    ['dynamic', 'simple', false],
    ['static', undefined, true],
  ]);
});

it('keeps each probe once, also of several records, and the finished record has its own part', () => {
  const { record } = begin(RECIPE);
  const probe = { name: 'graph-capture', backend: 'webgpu', outcome: 'works', detail: '' } as const;
  const twice = withProbe(withProbe(record, { ...probe, outcome: 'refused' }), probe);
  expect(twice.policies).toEqual({ probes: [probe], recommendation: null });
  expect(unionOfProbes([twice, twice])?.probes).toEqual([probe]);
  expect(unionOfProbes([record])).toBeNull();
  expect(finishRecord(record, 'cancelled').policies).toEqual({ probes: [], recommendation: null });
});
