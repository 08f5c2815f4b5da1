/** The article's tables as links: what each asks for, and that a link brings the same recipe back. */
import { expect, it } from 'vitest';
import { parseRecipe, recipeQuery } from './options';
import { PRESET_KEYS, PRESETS } from './presets';

const queryOf = (key: (typeof PRESET_KEYS)[number]): string => {
  const preset = PRESETS.find((one) => one.key === key);
  if (preset === undefined) throw new Error(`no preset ${key}`);
  return decodeURIComponent(recipeQuery(preset.recipe).toString().replace(/\+/g, ' '));
};

it('has every key once, in order', () => {
  expect(PRESETS.map(({ key }) => key)).toEqual([...PRESET_KEYS]);
});

it('writes the article’s numbers into the links', () => {
  // shared/seeds/000: MODELS, SEQS, the prompt and the loops of its three scripts.
  expect(queryOf('table')).toBe(
    'model=twin:Qwen/Qwen2.5-0.5B-Instruct&model=twin:HuggingFaceTB/SmolLM2-135M-Instruct' +
      '&model=twin:openai-community/gpt2&tokens=128,512,1024,2048,4096',
  );
  expect(queryOf('growth')).toBe('experiment=growth&model=twin:Qwen/Qwen2.5-0.5B-Instruct');
  expect(queryOf('dtype')).toBe('experiment=dtype');
  expect(queryOf('gqa')).toBe('experiment=gqa');
  expect(queryOf('batch')).toBe('experiment=batch');
  expect(queryOf('step')).toBe('experiment=batch&batch=1&tokens=4096');
  expect(queryOf('weights')).toBe('experiment=weights');
});

it.each(PRESETS)('comes back from its own link: $key', ({ recipe }) => {
  expect(parseRecipe(recipeQuery(recipe))).toEqual({ recipe, faults: [], notices: [] });
});

it('asks for what the article measured where the experiment’s defaults say it', () => {
  const byKey = Object.fromEntries(PRESETS.map(({ key, recipe }) => [key, recipe]));
  expect(byKey['growth']).toMatchObject({ prompt: 'KV 캐시는', steps: 32 });
  expect(byKey['dtype']).toMatchObject({ tokens: [512] });
  expect(byKey['dtype']?.dtype.slice(0, 3)).toEqual(['fp32', 'fp16', 'bf16']);
  expect(byKey['batch']).toMatchObject({ tokens: [512], batch: [1, 2, 4, 8], steps: 1, repeats: 3 });
});
