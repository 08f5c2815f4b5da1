/** The options table: what a query may say, what is refused by name, and that recipes survive the way into a link and back. */
import { describe, expect, it } from 'vitest';
import { cut, OPTION_KEYS, OPTIONS, parseRecipe, recipeFault, recipeQuery } from './options';
import type { Recipe } from './recipe';
import { defaultRecipe } from './recipe';

const parse = (query: string) => parseRecipe(new URLSearchParams(query));

describe('parseRecipe', () => {
  it('reads an empty query as the default recipe', () => {
    expect(parse('')).toEqual({ recipe: defaultRecipe(), faults: [], notices: [] });
  });

  it('reads every option', () => {
    const query =
      'experiment=growth&model=tiny&model=twin:Qwen/Qwen2.5-0.5B-Instruct&dtype=fp16&batch=2&tokens=7&steps=5&prompt=a+%EC%BA%90' +
      '&policy=dynamic&device=wasm&allocator=simple&chunk=64&seed=4294967295&repeats=3&lang=ko';
    expect(parse(query)).toEqual({
      recipe: {
        experiment: 'growth',
        model: ['tiny', 'twin:Qwen/Qwen2.5-0.5B-Instruct'],
        dtype: 'fp16',
        batch: 2,
        tokens: [7],
        steps: 5,
        prompt: 'a 캐',
        policy: 'dynamic',
        device: 'wasm',
        allocator: 'simple',
        chunk: 64,
        seed: 4294967295,
        repeats: 3,
        lang: 'ko',
      },
      faults: [],
      notices: [],
    });
  });

  it('lets the experiment decide the defaults, wherever it stands in the query', () => {
    expect(parse('steps=4&experiment=growth').recipe).toMatchObject({
      tokens: [128],
      prompt: 'KV 캐시는',
      steps: 4,
    });
  });

  it('sorts token counts and drops repeated ones', () => {
    expect(parse('tokens=512, 64,64,129').recipe.tokens).toEqual([64, 129, 512]);
  });

  it('keeps an empty prompt apart from an absent one', () => {
    expect(parse('experiment=growth&prompt=').recipe.prompt).toBe('');
  });

  const refused: [query: string, option: keyof Recipe, value: string][] = [
    ['tokens=abc', 'tokens', 'abc'],
    ['tokens=0,-5,1e99', 'tokens', '0,-5,1e99'],
    ['tokens=', 'tokens', ''],
    ['tokens=1.5', 'tokens', '1.5'],
    ['tokens=1000001', 'tokens', '1000001'],
    ['tokens=64,', 'tokens', '64,'],
    ['tokens=1&tokens=2', 'tokens', '1, 2'],
    ['model=../../etc', 'model', '../../etc'],
    ['model=..', 'model', '..'],
    ['model=<script>', 'model', '<script>'],
    ['model=<img src=x onerror=alert(1)>', 'model', '<img src=x onerror=alert(1)>'],
    ['model=javascript:1', 'model', 'javascript:1'],
    ['model=a/b/c', 'model', 'a/b/c'],
    ['model=tiny&model=', 'model', ''],
    ['batch=0', 'batch', '0'],
    ['batch=65', 'batch', '65'],
    ['batch=1&batch=2', 'batch', '1, 2'],
    ['batch=NaN', 'batch', 'NaN'],
    ['batch=0x10', 'batch', '0x10'],
    ['steps=0', 'steps', '0'],
    ['chunk=4097', 'chunk', '4097'],
    ['seed=4294967296', 'seed', '4294967296'],
    ['repeats=11', 'repeats', '11'],
    ['experiment=unknown', 'experiment', 'unknown'],
    ['experiment=__proto__', 'experiment', '__proto__'],
    ['dtype=FP32', 'dtype', 'FP32'],
    ['lang=', 'lang', ''],
    ['prompt=%E0%A4%A', 'prompt', '\uFFFD%A'],
  ];
  it.each(refused)('refuses ?%s by name', (query, option, value) => {
    const { recipe, faults } = parse(query);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatchObject({ code: 'recipe-bad-value', params: { option, value } });
    expect(recipe[option]).toEqual(defaultRecipe()[option]);
  });

  it('says what is expected, in words and as data', () => {
    expect(parse('batch=0').faults[0]?.params).toEqual({
      option: 'batch',
      value: '0',
      expected: 'use a whole number from 1 to 64',
      kind: 'integer',
      min: 1,
      max: 64,
    });
    expect(parse('device=gpu').faults[0]?.params['expected']).toBe('use one of webgpu, wasm');
  });

  it('names every bad value, not only the first', () => {
    expect(parse('batch=0&tokens=abc&dtype=q4').faults.map((fault) => fault.params['option'])).toEqual([
      'dtype',
      'batch',
      'tokens',
    ]);
  });

  it.each(OPTION_KEYS)('refuses a huge %s and shows 80 characters of it', (key) => {
    const { faults } = parseRecipe(new URLSearchParams([[key, '7'.repeat(5_000_000)]]));
    expect(faults.map((fault) => fault.params['option'])).toEqual([key]);
    expect(String(faults[0]?.params['value'])).toHaveLength(80);
  });

  it('refuses more than 32 token counts and more than 16 models', () => {
    const numbers = Array.from({ length: 33 }, (_, index) => index + 1);
    expect(parse(`tokens=${numbers.join(',')}`).faults).toHaveLength(1);
    expect(parse(`tokens=${numbers.slice(1).join(',')}`).faults).toHaveLength(0);
    expect(
      parse(
        numbers
          .slice(0, 17)
          .map((n) => `model=m${n}`)
          .join('&'),
      ).faults,
    ).toHaveLength(1);
  });

  it('ignores unknown options with a notice, knows run, and is not fooled by names of Object.prototype', () => {
    const { recipe, faults, notices } = parse('run=1&colour=red&__proto__=1&constructor=2&colour=blue');
    expect(recipe).toEqual(defaultRecipe());
    expect(faults).toEqual([]);
    expect(notices.map((notice) => [notice.code, notice.params['option']])).toEqual([
      ['recipe-unknown-option', 'colour'],
      ['recipe-unknown-option', '__proto__'],
      ['recipe-unknown-option', 'constructor'],
    ]);
  });

  it('gives at most 8 notices', () => {
    expect(parse(Array.from({ length: 100 }, (_, index) => `x${index}=1`).join('&')).notices).toHaveLength(8);
  });
});

describe('recipeQuery', () => {
  it('writes nothing for the default recipe and only the experiment for the other one', () => {
    expect(recipeQuery(defaultRecipe()).toString()).toBe('');
    expect(recipeQuery(defaultRecipe('growth')).toString()).toBe('experiment=growth');
  });

  it('writes what differs from the experiment’s own defaults', () => {
    const recipe: Recipe = { ...defaultRecipe('growth'), prompt: '', tokens: [129] };
    expect(recipeQuery(recipe).toString()).toBe('experiment=growth&tokens=129&prompt=');
  });

  const recipes: Recipe[] = [
    defaultRecipe('length'),
    defaultRecipe('growth'),
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
      dtype: 'fp16',
      batch: 64,
      tokens: [1],
      steps: 4096,
      prompt: 'x'.repeat(500),
      policy: 'dynamic',
      device: 'wasm',
      allocator: 'lazyRelease',
      chunk: 4096,
      seed: 1,
      repeats: 10,
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
  it('accepts the default recipes', () => {
    expect(recipeFault(defaultRecipe('length'))).toBeNull();
    expect(recipeFault(defaultRecipe('growth'))).toBeNull();
  });

  it.each<[Partial<Recipe>, keyof Recipe]>([
    [{ tokens: [] }, 'tokens'],
    [{ model: [] }, 'model'],
    [{ batch: 0.5 }, 'batch'],
    [{ steps: Number.NaN }, 'steps'],
    [{ prompt: 'x'.repeat(501) }, 'prompt'],
    // 167 syllables of three UTF-8 bytes.
    [{ prompt: '가'.repeat(167) }, 'prompt'],
  ])('names the option that cannot run: %o', (patch, option) => {
    expect(recipeFault({ ...defaultRecipe(), ...patch })?.params['option']).toBe(option);
  });
});

it('gives every option a form control', () => {
  expect(OPTION_KEYS.map((key) => `${key}: ${OPTIONS[key].form.control}`)).toEqual([
    'experiment: select',
    'model: models',
    'dtype: select',
    'batch: number',
    'tokens: list',
    'steps: number',
    'prompt: text',
    'policy: select',
    'device: select',
    'allocator: select',
    'chunk: number',
    'seed: number',
    'repeats: number',
    'lang: select',
  ]);
});

it('cuts long texts to 80 characters', () => {
  expect(cut('a'.repeat(80))).toBe('a'.repeat(80));
  expect(cut('a'.repeat(81))).toBe(`${'a'.repeat(79)}…`);
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
