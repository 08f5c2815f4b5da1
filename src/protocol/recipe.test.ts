/** Recipes of the experiments: their defaults, and what stays when a person changes from one to another. */
import { describe, expect, it } from 'vitest';
import { ARTICLE_MODELS, defaultRecipe, recipeOf, type Recipe } from './recipe';

const QWEN = 'twin:Qwen/Qwen2.5-0.5B-Instruct';
const GPT2 = 'twin:openai-community/gpt2';

describe('defaultRecipe', () => {
  it('of dtype: 512 tokens of Qwen in the article’s types and the quantised variants', () => {
    expect(defaultRecipe('dtype')).toMatchObject({
      model: [QWEN],
      tokens: [512],
      dtype: ['fp32', 'fp16', 'bf16', 'q8', 'q4', 'q4f16'],
      batch: [1],
    });
  });

  it('of batch: 1, 2, 4 and 8 at 512 tokens, three times, with one step', () => {
    expect(defaultRecipe('batch')).toMatchObject({
      model: [QWEN],
      tokens: [512],
      dtype: ['fp32'],
      batch: [1, 2, 4, 8],
      steps: 1,
      repeats: 3,
    });
  });

  it('of weights: the article’s three models, in its order', () => {
    expect(defaultRecipe('weights').model).toEqual([QWEN, 'twin:HuggingFaceTB/SmolLM2-135M-Instruct', GPT2]);
  });
});

describe('recipeOf', () => {
  it('gives the same recipe back for the same experiment', () => {
    const recipe: Recipe = { ...defaultRecipe('batch'), tokens: [7] };
    expect(recipeOf('batch', recipe)).toBe(recipe);
  });

  it('keeps models that were chosen', () => {
    const chosen: Recipe = { ...defaultRecipe('length'), model: [GPT2, 'tiny'] };
    expect(recipeOf('dtype', chosen).model).toEqual([GPT2, 'tiny']);
    expect(recipeOf('weights', { ...defaultRecipe('batch'), model: ['tiny'] }).model).toEqual(['tiny']);
  });

  it('swaps models that are the old experiment’s own', () => {
    expect(recipeOf('batch', defaultRecipe('length')).model).toEqual([QWEN]);
    expect(recipeOf('weights', defaultRecipe('gqa')).model).toEqual(ARTICLE_MODELS);
    expect(recipeOf('length', defaultRecipe('weights')).model).toEqual(['tiny']);
  });

  it('brings the experiment’s own points and keeps the settings of the machine', () => {
    const from: Recipe = {
      ...defaultRecipe('length'),
      tokens: [7],
      dtype: ['q4'],
      batch: [3],
      repeats: 9,
      shard: '1/2',
      device: 'wasm',
      allocator: 'simple',
      chunk: 64,
      seed: 5,
      lang: 'ko',
    };
    expect(recipeOf('batch', from)).toEqual({
      ...defaultRecipe('batch'),
      device: 'wasm',
      allocator: 'simple',
      chunk: 64,
      seed: 5,
      lang: 'ko',
    });
  });
});
