/** Plans: which passes and stops a recipe becomes, and how their work is weighed. */
import { describe, expect, it } from 'vitest';
import { UNKNOWN_HOST } from './models';
import { planRun } from './plan';
import { GPT2, growthRecipe, lengthRecipe, MODELS, QWEN } from './testing.fixture';
import { unitsOf } from './units';

describe('planRun, length', () => {
  it('makes one pass per model and repeat, stops ascending and unique', () => {
    const plan = planRun(
      lengthRecipe({ model: [QWEN, GPT2, QWEN], tokens: [512, 128, 512], repeats: 2 }),
      MODELS,
    );
    expect(plan.passes.map(({ id, model, repeat, work }) => ({ id, model, repeat, work }))).toEqual([
      { id: 0, model: QWEN, repeat: 0, work: { kind: 'length', stops: [128, 512], steps: 0 } },
      { id: 1, model: QWEN, repeat: 1, work: { kind: 'length', stops: [128, 512], steps: 0 } },
      { id: 2, model: GPT2, repeat: 0, work: { kind: 'length', stops: [128, 512], steps: 0 } },
      { id: 3, model: GPT2, repeat: 1, work: { kind: 'length', stops: [128, 512], steps: 0 } },
    ]);
    expect(plan.skipped).toEqual([]);
  });

  it('carries the settings of the recipe', () => {
    const shared = { device: 'wasm', allocator: 'simple', chunk: 64, seed: 7 } as const;
    const [pass] = planRun(lengthRecipe({ ...shared, dtype: ['fp16'], batch: [4] }), MODELS).passes;
    expect(pass).toMatchObject({ ...shared, dtype: 'fp16', batch: 4, processBytes: false });
  });

  it('skips GPT-2 above its 1,024 positions, with the formula bytes it would take', () => {
    const plan = planRun(lengthRecipe({ model: [GPT2], tokens: [128, 1024, 2048] }), MODELS);
    expect(plan.passes[0]?.work).toEqual({ kind: 'length', stops: [128, 1024], steps: 0 });
    expect(plan.skipped).toHaveLength(1);
    expect(plan.skipped[0]).toMatchObject({
      pass: { model: GPT2, repeat: 0 },
      tokens: 2048,
      // 2 x 75,497,472 (paper-tables.json, GPT-2 at 1,024).
      formulaBytes: 150994944,
      fault: { code: 'over-max-position', params: { tokens: 2048, maximum: 1024 } },
    });
  });

  it('skips before the run what no buffer of the device could hold, naming the tensor (field report A6)', () => {
    const limits = { maxBufferSize: 1_073_741_824, maxStorageBufferBindingSize: 4_194_304 };
    // Qwen2.5-0.5B in fp32: 2 KV heads x 64 x 4 bytes = 512 bytes a token in each tensor; 4 MiB hold 8,192.
    const plan = planRun(lengthRecipe({ model: [QWEN], tokens: [8192, 8193] }), MODELS, {
      ...UNKNOWN_HOST,
      limits,
    });
    expect(plan.passes[0]?.work).toEqual({ kind: 'length', stops: [8192], steps: 0 });
    expect(plan.skipped[0]?.fault).toEqual({
      code: 'buffer-too-large',
      params: {
        bytes: 4_194_816,
        limit: 'maxStorageBufferBindingSize',
        allowed: 4_194_304,
        tensor: 'past_key_values.0.key',
      },
    });
  });

  it('plans no pass where nothing fits', () => {
    const plan = planRun(lengthRecipe({ model: [GPT2], tokens: [2048, 4096] }), MODELS);
    expect(plan).toMatchObject({ passes: [], totalUnits: 0 });
    expect(plan.skipped.map((stop) => stop.tokens)).toEqual([2048, 4096]);
  });
});

describe('planRun, growth', () => {
  it('takes the tokens of a prompt from the model’s tokenizer', () => {
    const models = { ...MODELS, promptTokensOf: () => 12 };
    const plan = planRun(growthRecipe({ prompt: 'KV 캐시는' }), models);
    expect(plan.passes[0]?.work).toEqual({
      kind: 'growth',
      prompt: 'KV 캐시는',
      promptTokens: 12,
      steps: 32,
    });
  });

  it('takes the first of `tokens` for an empty prompt', () => {
    const plan = planRun(growthRecipe({ prompt: '', tokens: [128, 256] }), MODELS);
    expect(plan.passes[0]?.work).toMatchObject({ promptTokens: 128 });
  });

  it('cuts the steps to what fits, and skips a prompt that does not fit', () => {
    const cut = planRun(growthRecipe({ model: [GPT2], prompt: 'x'.repeat(1000), steps: 32 }), MODELS);
    expect(cut.passes[0]?.work).toMatchObject({ promptTokens: 1000, steps: 24 });
    const over = planRun(growthRecipe({ model: [GPT2], prompt: 'x'.repeat(1025) }), MODELS);
    expect(over.passes).toEqual([]);
    expect(over.skipped[0]).toMatchObject({ tokens: 1025, fault: { code: 'over-max-position' } });
  });
});

describe('units of work', () => {
  const [length] = planRun(lengthRecipe({ tokens: [512, 1024] }), MODELS).passes;
  const [growth] = planRun(growthRecipe({ prompt: '', tokens: [1024], steps: 1024 }), MODELS).passes;

  it('prefill: the integral of 1 + context / 1024', () => {
    if (length === undefined) throw new Error('no pass');
    expect([0, 512, 1024, 9999].map((tokens) => unitsOf(length, tokens))).toEqual([0, 640, 1536, 1536]);
  });

  it('decode: eight times that', () => {
    if (growth === undefined) throw new Error('no pass');
    // Prefill 1,536; then 1,024 steps at contexts 1,024 to 2,048: 8 x (4,096 - 1,536).
    expect([512, 1024, 2048, 9999].map((tokens) => unitsOf(growth, tokens))).toEqual([
      640, 1536, 22016, 22016,
    ]);
  });

  it('every sequence of a batch counts', () => {
    if (length === undefined) throw new Error('no pass');
    expect(unitsOf({ ...length, batch: 4 }, 512)).toBe(2560);
  });

  it('decode steps after the last stop of a length pass', () => {
    // The same 1,024 steps after 1,024 tokens as above.
    const work = { kind: 'length', stops: [512, 1024], steps: 1024 } as const;
    const pass = { batch: 1, work: { ...work, stops: [...work.stops] } };
    expect([512, 1024, 9999].map((tokens) => unitsOf(pass, tokens))).toEqual([640, 1536, 22016]);
  });

  it('decode steps after every context', () => {
    // Prefill of 512: 640; steps to 1,024: 8 x (1,536 - 640); the next context is reached by then, and its steps go to 1,536 (2,688).
    const work = { kind: 'contexts' as const, stops: [512, 1024], steps: 512, probes: false };
    const done = [512, 1024, 1536, 9999].map((tokens) => unitsOf({ batch: 1, work }, tokens));
    expect(done).toEqual([640, 7808, 17_024, 17_024]);
  });

  it('total: all passes', () => {
    expect(planRun(lengthRecipe({ tokens: [1024], repeats: 3 }), MODELS).totalUnits).toBe(4608);
  });
});
