/** The plan of a redundancy: one work, or the reason why there is none. */
import { describe, expect, it } from 'vitest';
import { readGeometry } from '../geometry/read-config';
import { toFault } from '../protocol/faults';
import { defaultRecipe, type Recipe } from '../protocol/recipe';
import { defaultRedundancy, type RedundancyState } from '../protocol/redundancy';
import { fullCaches } from './full-layers';
import { UNKNOWN_HOST } from './models';
import { planRun } from './plan';
import { gramBytes } from './plan-redundancy';
import { GPT2, hybrid, MODELS, QWEN } from './testing.fixture';
import { fedTokens, solvingUnits, unitsOf } from './units';

function recipe(patch: Partial<RedundancyState> = {}, model = QWEN, more: Partial<Recipe> = {}): Recipe {
  const redundancy = { ...defaultRedundancy(), ...patch };
  return { ...defaultRecipe('redundancy'), model: [model], redundancy, ...more };
}

const wide = (heads: number) =>
  readGeometry({
    model_type: 'llama',
    num_hidden_layers: 32,
    hidden_size: 4096,
    num_attention_heads: 32,
    num_key_value_heads: heads,
    head_dim: 128,
    max_position_embeddings: 8192,
  });

function faultOf(asked: Recipe, geometry?: ReturnType<typeof wide>) {
  const models = geometry === undefined ? MODELS : { ...MODELS, geometryOf: () => geometry };
  try {
    planRun(asked, models);
  } catch (error) {
    return toFault(error, 'run-failed');
  }
  return null;
}

describe('the plan of a redundancy', () => {
  it('is one pass that feeds the first tokens of every document', () => {
    const { passes, skipped } = planRun(recipe(), MODELS);
    expect(skipped).toEqual([]);
    expect(passes).toHaveLength(1);
    expect(passes[0]).toMatchObject({
      model: QWEN,
      batch: 1,
      work: { kind: 'redundancy', state: { skip: 200, keep: 1536, split: 'documents' } },
    });
  });

  it('refuses more tokens than the model has positions, and says how many may be kept or skipped', () => {
    // GPT-2 has 1,024.
    expect(faultOf(recipe({}, GPT2))).toMatchObject({
      code: 'redundancy-over-maximum',
      params: { tokens: 1736, maximum: 1024, keep: 824 },
    });
    expect(faultOf(recipe({ skip: 1008, keep: 17 }, GPT2))).toMatchObject({
      code: 'redundancy-over-maximum',
      params: { tokens: 1025, maximum: 1024, keep: 16 },
    });
    // At least 16 are kept.
    expect(faultOf(recipe({ skip: 1009, keep: 16 }, GPT2))).toMatchObject({
      code: 'redundancy-skip-over-maximum',
      params: { tokens: 1025, maximum: 1024, skip: 1008 },
    });
    expect(faultOf(recipe({ skip: 24, keep: 1000 }, GPT2))).toBeNull();
  });

  it('refuses bfloat16, of which no runtime here gives keys and values', () => {
    expect(faultOf(recipe({}, QWEN, { dtype: ['bf16'] }))).toMatchObject({
      code: 'redundancy-bf16',
      params: {},
    });
  });

  it('refuses a model with fewer than two layers that keep every token', () => {
    const one = readGeometry({
      model_type: 'gemma3_text',
      hidden_size: 640,
      num_hidden_layers: 6,
      num_attention_heads: 4,
      num_key_value_heads: 1,
      head_dim: 256,
      sliding_window: 512,
    });
    expect(faultOf(recipe({}, 'owner/gemma'), one)).toMatchObject({
      code: 'redundancy-few-layers',
      params: { model: 'owner/gemma', layers: 1 },
    });
  });

  it('refuses layers so wide that their Gram matrices do not fit in 1 GiB, before anything is loaded', () => {
    // 32 KV heads x 128 = 4,096 channels; 8 heads are 1,024.
    const fault = faultOf(recipe({}, 'owner/wide'), wide(32));
    expect(fault).toMatchObject({
      code: 'redundancy-too-large',
      params: { channels: 4096, limit: 1_073_741_824 },
    });
    expect(faultOf(recipe({}, 'owner/wide'), wide(8))).toBeNull();
  });

  it('refuses a tensor that no buffer of the GPU could hold', () => {
    const limits = { maxBufferSize: 500_000, maxStorageBufferBindingSize: 500_000 };
    // 1,736 tokens x 2 heads x 64 x 4 bytes.
    expect(() => planRun(recipe(), MODELS, { ...UNKNOWN_HOST, limits })).toThrow('888,832');
  });

  it('counts hybrids’ full layers alone, by their true numbers', () => {
    expect(fullCaches(hybrid(8)).map(({ layer }) => layer)).toEqual([3, 7]);
  });
});

describe('work of a redundancy', () => {
  const pass = planRun(recipe({ skip: 0, keep: 1024 }), MODELS).passes[0];
  // 1,024 tokens are 1,024 + 512 units; four documents, the first twice, are 7,680.
  it('counts every document from an empty cache, and the first twice', () => {
    expect(fedTokens(recipe({ skip: 0, keep: 1024 }).redundancy ?? defaultRedundancy())).toBe(5120);
    expect(pass && unitsOf(pass, 1024)).toBe(1536);
    expect(pass && unitsOf(pass, 2048)).toBe(3072);
    expect(pass && unitsOf(pass, 5120)).toBe(7680);
  });

  it('counts solving as much as feeding', () => {
    expect(pass && unitsOf(pass, Infinity)).toBe(15_360);
    const state = { ...defaultRedundancy(), skip: 0, keep: 1024 };
    expect(solvingUnits(state, 0.5)).toBe(11_520);
  });
});

it('counts 36 matrices for four documents, and fewer for halves', () => {
  // Sums 8, factors 4 + 6, blocks of inner trials 12, at work 6: 36 x 512 x 512 x 8 bytes.
  expect(gramBytes(512, defaultRedundancy())).toBe(75_497_472);
  expect(gramBytes(512, { ...defaultRedundancy(), split: 'halves' })).toBe(26 * 2_097_152);
});
