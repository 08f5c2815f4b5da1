/** Recipes and links: they survive the way into a query and back, and what no link could carry cannot run. */
import { describe, expect, it } from 'vitest';
import { parseRecipe, recipeFault, recipeQuery } from './options';
import type { Recipe } from './recipe';
import { defaultRecipe, EXPERIMENTS } from './recipe';

const parse = (query: string) => parseRecipe(new URLSearchParams(query));

describe('recipeQuery', () => {
  it('writes nothing for the default recipe and only the experiment for the other one', () => {
    expect(recipeQuery(defaultRecipe()).toString()).toBe('');
    expect(recipeQuery(defaultRecipe('growth')).toString()).toBe('experiment=growth');
  });

  it('writes what differs from the experiment’s own defaults', () => {
    const recipe: Recipe = { ...defaultRecipe('growth'), prompt: '', tokens: [129] };
    expect(recipeQuery(recipe).toString()).toBe('experiment=growth&tokens=129&prompt=');
  });

  it('writes lists as one text each', () => {
    const recipe: Recipe = { ...defaultRecipe(), dtype: ['fp32', 'q4'], batch: [1, 8], shard: '2/4' };
    expect(recipeQuery(recipe).toString()).toBe('dtype=fp32%2Cq4&batch=1%2C8&shard=2%2F4');
  });

  it('writes a hub model and a local folder so that they can be read again', () => {
    const recipe: Recipe = { ...defaultRecipe('gqa'), model: ['local:내 모델', 'a/b@main'] };
    expect(parseRecipe(recipeQuery(recipe)).recipe).toEqual(recipe);
  });

  const recipes: Recipe[] = [
    ...EXPERIMENTS.map(defaultRecipe),
    { ...defaultRecipe('dtype'), dtype: ['fp32'] },
    { ...defaultRecipe('batch'), batch: [1], repeats: 1, steps: 32, shard: '1/3' },
    { ...defaultRecipe('growth'), prompt: '' },
    { ...defaultRecipe('growth'), prompt: 'a&b=c#d (한글) 100% + \n "\'<>', lang: 'ko', seed: 4294967295 },
    {
      ...defaultRecipe('length'),
      model: ['tiny', 'twin:openai-community/gpt2', 'a/b@0123abc'],
      tokens: [1, 1000000],
    },
    {
      experiment: 'growth',
      model: ['twin:HuggingFaceTB/SmolLM2-135M-Instruct'],
      dtype: ['fp16'],
      batch: [64],
      tokens: [1],
      steps: 4096,
      prompt: 'x'.repeat(500),
      policy: 'dynamic',
      room: 0,
      overflow: 'refuse',
      bits: '4',
      block: 1024,
      device: 'wasm',
      allocator: 'lazyRelease',
      chunk: 4096,
      seed: 1,
      repeats: 10,
      shard: '99/99',
      lang: 'en',
    },
  ];
  it.each(recipes.map((recipe, index) => [index, recipe] as const))(
    'survives the way back: recipe %i',
    (_, recipe) => {
      const { recipe: back, faults, notices } = parse(recipeQuery(recipe).toString());
      expect({ back, faults, notices }).toEqual({ back: recipe, faults: [], notices: [] });
    },
  );
});

describe('recipeFault', () => {
  it.each(EXPERIMENTS)('accepts the default recipe of %s', (experiment) => {
    expect(recipeFault(defaultRecipe(experiment))).toBeNull();
  });

  it.each<[Partial<Recipe>, keyof Recipe]>([
    [{ tokens: [] }, 'tokens'],
    [{ model: [] }, 'model'],
    [{ batch: [0.5] }, 'batch'],
    [{ batch: [] }, 'batch'],
    [{ dtype: [] }, 'dtype'],
    [{ shard: '5/4' }, 'shard'],
    [{ steps: Number.NaN }, 'steps'],
    [{ prompt: 'x'.repeat(501) }, 'prompt'],
    // 167 syllables of three UTF-8 bytes.
    [{ prompt: '가'.repeat(167) }, 'prompt'],
  ])('names the option that cannot run: %o', (patch, option) => {
    expect(recipeFault({ ...defaultRecipe(), ...patch })?.params['option']).toBe(option);
  });
});

describe('a growth whose link gives a length', () => {
  const recipeOf = (query: string) => parseRecipe(new URLSearchParams(query)).recipe;

  it('and no text starts from that many random tokens, not from the default prompt', () => {
    expect(recipeOf('experiment=growth&tokens=126')).toMatchObject({ prompt: '', tokens: [126] });
  });

  it('and a text keeps the text; with neither it is the default prompt', () => {
    expect(recipeOf('experiment=growth&tokens=126&prompt=abc').prompt).toBe('abc');
    expect(recipeOf('experiment=growth').prompt).toBe('KV 캐시는');
  });
});
