/** Plans of the first article: its table, dtypes, batches and MHA counterfactual, on machines that can more or less. */
import { describe, expect, it } from 'vitest';
import type { Fault } from '../protocol/faults';
import { ARTICLE_MODELS, defaultRecipe, type Recipe } from '../protocol/recipe';
import { UNKNOWN_HOST, type Host, type Models } from './models';
import { modelsOf, planRun, type Plan } from './plan';
import { GPT2, MODELS, QWEN, QWEN_MHA, SMOLLM } from './testing.fixture';

const host = (patch: Partial<Host>): Host => ({ ...UNKNOWN_HOST, ...patch });
const skippedOf = (plan: Plan) =>
  plan.skipped.map(({ pass, tokens, formulaBytes, fault }) => [
    pass.model,
    pass.dtype,
    tokens,
    formulaBytes,
    fault.code,
  ]);
const devicesOf = (plan: Plan) => plan.passes.map(({ dtype, device }) => `${dtype} ${device}`);

describe('the article’s table', () => {
  const recipe: Recipe = {
    ...defaultRecipe('length'),
    model: ARTICLE_MODELS,
    tokens: [128, 512, 1024, 2048, 4096],
  };

  it('is three passes, one a model, with 13 cells', () => {
    const { passes } = planRun(recipe, MODELS);
    expect(passes.map(({ model, work }) => [model, work])).toEqual([
      [QWEN, { kind: 'length', stops: [128, 512, 1024, 2048, 4096], steps: 0 }],
      [SMOLLM, { kind: 'length', stops: [128, 512, 1024, 2048, 4096], steps: 0 }],
      [GPT2, { kind: 'length', stops: [128, 512, 1024], steps: 0 }],
    ]);
  });

  it('skips two rows of GPT-2, over its 1,024 positions', () => {
    // 2,048 and 4,096 x 73,728 bytes a token (paper-tables.json, 000_lengthSweep).
    expect(skippedOf(planRun(recipe, MODELS))).toEqual([
      [GPT2, 'fp32', 2048, 150994944, 'over-max-position'],
      [GPT2, 'fp32', 4096, 301989888, 'over-max-position'],
    ]);
  });
});

describe('the dtype experiment', () => {
  const recipe = defaultRecipe('dtype');
  /** bfloat16 at 512 tokens (paper-tables.json, 000_dtype_Qwen2.5-0.5B_512). */
  const bfloat16 = [[QWEN, 'bf16', 512, 6291456, 'bf16-unsupported']];

  it('runs float16 on WASM where the GPU has no shader-f16, and the rest on the GPU', () => {
    const plan = planRun(recipe, MODELS, host({ shaderF16: false }));
    expect(devicesOf(plan)).toEqual(['fp32 webgpu', 'fp16 wasm', 'q8 webgpu', 'q4 webgpu', 'q4f16 wasm']);
    expect(skippedOf(plan)).toEqual(bfloat16);
  });

  it.each([true, null])('runs all on the GPU when shader-f16 is %s', (shaderF16) => {
    const plan = planRun(recipe, MODELS, host({ shaderF16 }));
    expect(devicesOf(plan)).toEqual(['fp32 webgpu', 'fp16 webgpu', 'q8 webgpu', 'q4 webgpu', 'q4f16 webgpu']);
    expect(skippedOf(plan)).toEqual(bfloat16);
  });

  it('looks at buffer limits of the GPU only for what runs on it', () => {
    // Qwen’s keys at 512 tokens: 512 bytes a token in fp32, 256 in fp16; 1,000 bytes hold neither.
    const limits = { maxBufferSize: 1000, maxStorageBufferBindingSize: 1000 };
    const plan = planRun(recipe, MODELS, host({ shaderF16: false, limits }));
    expect(devicesOf(plan)).toEqual(['fp16 wasm', 'q4f16 wasm']);
    expect(plan.skipped.map(({ pass, fault }) => [pass.dtype, fault.code])).toEqual([
      ['fp32', 'buffer-too-large'],
      ['bf16', 'bf16-unsupported'],
      ['q8', 'buffer-too-large'],
      ['q4', 'buffer-too-large'],
    ]);
  });
});

describe('the batch experiment', () => {
  const recipe = defaultRecipe('batch');

  it('is four batches in three repeats each, with one decode step at the end', () => {
    const { passes, skipped } = planRun(recipe, MODELS);
    expect(passes.map(({ batch, repeat }) => [batch, repeat])).toEqual([
      [1, 0],
      [1, 1],
      [1, 2],
      [2, 0],
      [2, 1],
      [2, 2],
      [4, 0],
      [4, 1],
      [4, 2],
      [8, 0],
      [8, 1],
      [8, 2],
    ]);
    for (const { work } of passes) expect(work).toEqual({ kind: 'length', stops: [512], steps: 1 });
    expect(skipped).toEqual([]);
  });

  it.each([true, false])('takes process bytes when the browser has a figure: %s', (processBytes) => {
    const { passes } = planRun(recipe, MODELS, host({ processBytes }));
    expect([...new Set(passes.map((pass) => pass.processBytes))]).toEqual([processBytes]);
  });

  it('is the only one that takes process bytes', () => {
    const { passes } = planRun(defaultRecipe('dtype'), MODELS, host({ processBytes: true }));
    expect([...new Set(passes.map((pass) => pass.processBytes))]).toEqual([false]);
  });

  it('takes no step that the model has no position for', () => {
    const full = { ...recipe, model: [GPT2], tokens: [1022], steps: 5, batch: [1], repeats: 1 };
    expect(planRun(full, MODELS).passes[0]?.work).toEqual({ kind: 'length', stops: [1022], steps: 2 });
  });
});

describe('the gqa experiment', () => {
  it('measures the MHA counterfactual beside the model', () => {
    const { passes } = planRun(defaultRecipe('gqa'), MODELS);
    expect(passes.map(({ model }) => model)).toEqual([QWEN, QWEN_MHA]);
  });

  it('adds none for a model with as many KV heads as attention heads, and none twice', () => {
    const named = (model: string[]) => modelsOf({ ...defaultRecipe('gqa'), model }, MODELS);
    expect(named([GPT2])).toEqual([GPT2]);
    expect(named([QWEN, QWEN_MHA, GPT2])).toEqual([QWEN, QWEN_MHA, GPT2]);
  });

  it('no other experiment adds one', () => {
    expect(planRun(defaultRecipe('batch'), MODELS).passes.every(({ model }) => model === QWEN)).toBe(true);
  });
});

describe('variants that cannot run', () => {
  it('that a twin is not built in are skipped with their reason', () => {
    const fault: Fault = { code: 'dtype-not-built', params: { dtype: 'int8', available: 'fp32' } };
    const models: Models = {
      ...MODELS,
      variantFault: (_, dtype) => (dtype === 'int8' ? fault : null),
    };
    const recipe = { ...defaultRecipe('length'), model: [QWEN], tokens: [512] };
    const plan = planRun({ ...recipe, dtype: ['fp32', 'int8'] }, models);
    expect(devicesOf(plan)).toEqual(['fp32 webgpu']);
    // By its name an int8 model still has a float32 cache.
    expect(skippedOf(plan)).toEqual([[QWEN, 'int8', 512, 12582912, 'dtype-not-built']]);
    expect(plan.skipped[0]?.fault).toBe(fault);
  });

  it('float16 on a GPU without shader-f16 is skipped in every other experiment, but not on WASM', () => {
    const recipe: Recipe = {
      ...defaultRecipe('length'),
      model: [QWEN],
      tokens: [512],
      dtype: ['fp32', 'fp16'],
    };
    const plan = planRun(recipe, MODELS, host({ shaderF16: false }));
    expect(devicesOf(plan)).toEqual(['fp32 webgpu']);
    expect(skippedOf(plan)).toEqual([[QWEN, 'fp16', 512, 6291456, 'fp16-unsupported']]);
    const wasm = planRun({ ...recipe, device: 'wasm' }, MODELS, host({ shaderF16: false }));
    expect(devicesOf(wasm)).toEqual(['fp32 wasm', 'fp16 wasm']);
  });

  it('the element size is the one that was read from the graph, where it was', () => {
    const models: Models = { ...MODELS, itemSizeOf: () => 2 };
    const plan = planRun(
      { ...defaultRecipe('length'), model: [GPT2], tokens: [2048], dtype: ['q4'] },
      models,
    );
    // Half of the 150,994,944 bytes in float32.
    expect(skippedOf(plan)).toEqual([[GPT2, 'q4', 2048, 75497472, 'over-max-position']]);
  });
});

describe('a part of a plan', () => {
  const parts = ['1/2', '2/2'].map((shard) =>
    planRun({ ...defaultRecipe('dtype'), shard }, MODELS, host({ shaderF16: true })),
  );

  it('has its own passes and their work, and both parts together have all', () => {
    expect(parts.map((part) => part.passes.length).sort()).toEqual([2, 3]);
    expect(parts.flatMap((part) => part.passes.map(({ dtype }) => dtype)).sort()).toEqual([
      'fp16',
      'fp32',
      'q4',
      'q4f16',
      'q8',
    ]);
    // 640 units for 512 tokens.
    expect(parts.map((part) => part.totalUnits).sort()).toEqual([1280, 1920]);
  });

  it('says what cannot be measured in the first part only', () => {
    expect(parts.map((part) => part.skipped.length)).toEqual([1, 0]);
  });
});
