/** Records of the first article's other experiments: element types from the graph, batches, two backends, MHA, parts. */
import { describe, expect, it } from 'vitest';
import type { Report } from '../protocol/messages';
import { defaultRecipe, type Device, type Recipe } from '../protocol/recipe';
import type { Environment, LabRecord } from '../protocol/record';
import { finishRecord, startRecord } from './assemble';
import { planRun } from './plan';
import {
  apply,
  begin,
  cellReport,
  GPT2,
  lengthRecipe,
  modelReport,
  MODELS,
  QWEN,
  QWEN_MHA,
  stepReport,
} from './testing.fixture';

const environmentReport = (backend: Device, reason: string | null): Report => ({
  type: 'environment',
  environment: { backend, browser: 'Chromium 156' } as Environment,
  notMeasured: { resident: reason, device: reason, process: null },
});

/** Applies to each pass of a recipe what `reports` gives for it. */
function run(
  recipe: Recipe,
  reports: (pass: { model: string; dtype: string; batch: number }) => Report[],
): LabRecord {
  const { plan, record } = begin(recipe);
  return plan.passes.reduce((done, pass) => apply(done, pass, reports(pass)), record);
}

describe('formula bytes', () => {
  const q4 = lengthRecipe({ dtype: ['q4'], tokens: [512] });

  it('follow the cache type of the graph that was loaded', () => {
    const { record, pass } = begin(q4);
    // paper-tables.json, 000_dtype: 6,291,456 bytes in float16.
    const [cell] = apply(record, pass, [
      modelReport(QWEN, 12288, [], { dtype: 'q4', cacheType: 'float16' }),
      cellReport(512, 6291456),
    ]).cells;
    expect(cell).toMatchObject({ dtype: 'q4', formulaBytes: 6291456, ratio: 1 });
  });

  it('are those of the name while no graph was loaded: float32 for q4', () => {
    const { record, pass } = begin(q4);
    expect(apply(record, pass, [cellReport(512, 6291456)]).cells[0]).toMatchObject({
      formulaBytes: 12582912,
      ratio: 0.5,
    });
  });

  it('of one variant are not those of another of the same model', () => {
    const { cells } = run(lengthRecipe({ dtype: ['fp32', 'fp16'], tokens: [512] }), ({ dtype }) => [
      dtype === 'fp16'
        ? modelReport(QWEN, 12288, [], { dtype: 'fp16', cacheType: 'float16' })
        : modelReport(QWEN, 24576),
      cellReport(512, dtype === 'fp16' ? 6291456 : 12582912),
    ]);
    expect(cells.map(({ dtype, formulaBytes, ratio }) => [dtype, formulaBytes, ratio])).toEqual([
      ['fp32', 12582912, 1],
      ['fp16', 6291456, 1],
    ]);
  });

  it('carry into the steps and the checks', () => {
    const { record, pass } = begin({ ...defaultRecipe('batch'), batch: [1], repeats: 1, dtype: ['q4'] });
    const finished = finishRecord(
      apply(record, pass, [
        modelReport(QWEN, 12288, [], { dtype: 'q4', cacheType: 'float16' }),
        cellReport(512, 6291456),
        {
          type: 'prompt',
          passId: 0,
          tokens: 512,
          tensorBytes: 6291456,
          residentBytes: null,
          processBytes: null,
        },
        stepReport(513, 6303744),
      ]),
      'done',
    );
    expect(finished.growth[0]?.steps).toMatchObject([{ formulaBytes: 6303744, deltaTensor: 12288 }]);
    expect(finished.checks.map(({ name, pass: passed }) => [name, passed])).toEqual([
      ['ratio', true],
      ['wrong-geometry', true],
      ['growth-delta', true],
    ]);
  });
});

describe('the batch experiment', () => {
  // paper-tables.json, 000_batch_Qwen2.5-0.5B_512.
  const BYTES: Record<number, number> = { 1: 12582912, 2: 25165824, 4: 50331648, 8: 100663296 };

  it('has one cell a batch, each equal to the article’s', () => {
    const record = run({ ...defaultRecipe('batch'), repeats: 1 }, ({ batch }) => [
      cellReport(512, BYTES[batch] ?? 0),
    ]);
    expect(record.cells.map(({ batch, formulaBytes, ratio }) => [batch, formulaBytes, ratio])).toEqual([
      [1, 12582912, 1],
      [2, 25165824, 1],
      [4, 50331648, 1],
      [8, 100663296, 1],
    ]);
  });

  it('keeps a growth a batch, in which a step adds a token of every sequence', () => {
    const record = run({ ...defaultRecipe('batch'), batch: [1, 2], repeats: 1 }, ({ batch }) => [
      modelReport(QWEN, 24576),
      {
        type: 'prompt',
        passId: 0,
        tokens: 512,
        tensorBytes: 12582912 * batch,
        residentBytes: null,
        processBytes: 7,
      },
      stepReport(513, 12582912 * batch + 24576 * batch),
    ]);
    expect(
      record.growth.map(({ batch, promptProcessBytes, steps }) => [
        batch,
        promptProcessBytes,
        steps[0]?.deltaTensor,
        steps[0]?.formulaBytes,
      ]),
    ).toEqual([
      [1, 7, 24576, 12607488],
      [2, 7, 49152, 25214976],
    ]);
    const deltas = finishRecord(record, 'done').checks.filter(({ name }) => name === 'growth-delta');
    expect(deltas.map(({ pass, expected }) => [pass, expected])).toEqual([
      [true, '24,576 bytes at every step'],
      [true, '49,152 bytes at every step'],
    ]);
  });

  it('keeps what the browser reported for the whole page', () => {
    const { record, pass } = begin(defaultRecipe('batch'));
    const report = cellReport(512, 12582912);
    if (report.type !== 'cell') throw new Error('no cell');
    const taken = { processBytesBefore: 80_000_000, processBytes: 155_400_000, logitsBytes: 607_744 };
    const [cell] = apply(record, pass, [{ ...report, cell: { ...report.cell, ...taken } }]).cells;
    expect(cell).toMatchObject(taken);
    const step = stepReport(513, 12607488);
    if (step.type !== 'step') throw new Error('no step');
    const grown = apply(record, pass, [
      {
        type: 'prompt',
        passId: 0,
        tokens: 512,
        tensorBytes: 12582912,
        residentBytes: null,
        processBytes: 155_400_000,
      },
      { ...step, step: { ...step.step, processBytes: 107_300_000 } },
    ]);
    expect(grown.growth[0]?.steps[0]?.processBytes).toBe(107_300_000);
  });

  it('a question for process bytes is no news for the record', () => {
    const { record, pass } = begin(defaultRecipe('batch'));
    expect(apply(record, pass, [{ type: 'process-wanted' }])).toBe(record);
  });
});

describe('passes on two backends', () => {
  const { record, pass } = begin(lengthRecipe());
  const WASM = 'the WASM backend keeps the cache in WASM memory, not in GPU buffers';

  it('keep the environment of the GPU, whichever comes first', () => {
    const gpuFirst = apply(record, pass, [
      environmentReport('webgpu', null),
      environmentReport('wasm', WASM),
    ]);
    expect(gpuFirst.environment?.backend).toBe('webgpu');
    const wasmFirst = apply(record, pass, [
      environmentReport('wasm', WASM),
      environmentReport('webgpu', null),
    ]);
    expect(wasmFirst.environment?.backend).toBe('webgpu');
  });

  it('keep why the one could not measure what the other did', () => {
    for (const order of [
      [environmentReport('webgpu', null), environmentReport('wasm', WASM)],
      [environmentReport('wasm', WASM), environmentReport('webgpu', null)],
    ]) {
      expect(apply(record, pass, order).notMeasured).toEqual({
        resident: WASM,
        device: WASM,
        process: 'not asked for',
      });
    }
  });

  it('alone, WASM is the environment', () => {
    expect(apply(record, pass, [environmentReport('wasm', WASM)]).environment?.backend).toBe('wasm');
  });
});

describe('why process bytes are null', () => {
  it.each(['no meter', null])('is said from the start: %s', (processReason) => {
    const recipe = defaultRecipe('batch');
    const plan = planRun(recipe, MODELS);
    const record = startRecord({ recipe, url: '', plan, createdAt: '', processReason });
    expect(record.notMeasured).toEqual({ resident: null, device: null, process: processReason });
  });
});

describe('the gqa experiment', () => {
  const measured = (mhaBytes: number) =>
    finishRecord(
      run(defaultRecipe('gqa'), ({ model }) =>
        model === QWEN
          ? [modelReport(QWEN, 24576), cellReport(128, 3145728)]
          : [modelReport(QWEN_MHA, 172032), cellReport(128, mhaBytes)],
      ),
      'done',
    );
  const checksOf = (record: LabRecord) =>
    record.checks.map(({ name, model, pass: passed }) => [name, model, passed]);

  it('has the counterfactual behind its model, and 7.0 times its bytes', () => {
    // 128 x 172,032 bytes a token (paper-tables.json, 000_gqa_Qwen2.5-0.5B).
    const record = measured(22020096);
    expect(record.cells.map(({ model, formulaBytes, ratio }) => [model, formulaBytes, ratio])).toEqual([
      [QWEN, 3145728, 1],
      [QWEN_MHA, 22020096, 1],
    ]);
    expect(checksOf(record)).toEqual([
      ['ratio', QWEN, true],
      ['wrong-geometry', QWEN, true],
      ['ratio', QWEN_MHA, true],
      ['wrong-geometry', QWEN_MHA, true],
    ]);
  });

  it('blames the counterfactual alone when only it differs', () => {
    expect(checksOf(measured(3145728))).toEqual([
      ['ratio', QWEN, true],
      ['wrong-geometry', QWEN, true],
      ['ratio', QWEN_MHA, false],
      ['wrong-geometry', QWEN_MHA, true],
    ]);
  });

  it('keeps the counterfactual beside its model also when other models follow', () => {
    const record = run({ ...defaultRecipe('gqa'), model: [QWEN, GPT2] }, () => [cellReport(128, 1)]);
    expect(record.cells.map(({ model }) => model)).toEqual([QWEN, QWEN_MHA, GPT2]);
  });
});

describe('the record of a part', () => {
  const finish = (shard: string) => {
    const { plan, record } = begin(lengthRecipe({ model: [QWEN, GPT2], tokens: [128], shard }));
    const models = plan.passes.map(({ model }) => model);
    const done = plan.passes.reduce(
      (so, pass) =>
        apply(so, pass, [
          modelReport(pass.model, pass.model === QWEN ? 24576 : 73728),
          cellReport(128, pass.model === QWEN ? 3145728 : 9437184),
        ]),
      record,
    );
    return { models, checks: finishRecord(done, 'done').checks };
  };

  it('does not blame the models that other parts measure', () => {
    for (const [shard, model] of [
      ['1/2', QWEN],
      ['2/2', GPT2],
    ] as const) {
      const { models, checks } = finish(shard);
      expect(models).toEqual([model]);
      expect(checks.map(({ name, model: of, pass }) => [name, of, pass])).toEqual([
        ['ratio', model, true],
        ['wrong-geometry', model, true],
      ]);
    }
  });

  it('still blames a model of its own that gave nothing', () => {
    const { record, plan, pass } = begin(lengthRecipe({ model: [QWEN, GPT2], tokens: [128], shard: '1/2' }));
    expect(plan.passes).toHaveLength(1);
    const fault = { code: 'model-load-failed', params: { model: QWEN, detail: 'x' } } as const;
    const { checks } = finishRecord(apply(record, pass, [{ type: 'pass-failed', passId: 0, fault }]), 'done');
    expect(checks).toMatchObject([{ name: 'ratio', model: QWEN, pass: false }]);
  });
});
