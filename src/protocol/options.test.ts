/** The options table: what a query may say, and what is refused by name. */
import { describe, expect, it } from 'vitest';
import { cut, OPTION_KEYS, OPTIONS, parseRecipe } from './options';
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
      '&policy=static&room=40&overflow=move&bits=4&block=32&device=wasm&allocator=simple&chunk=64&seed=4294967295&repeats=3&shard=2/4&lang=ko';
    expect(parse(query)).toEqual({
      recipe: {
        experiment: 'growth',
        model: ['tiny', 'twin:Qwen/Qwen2.5-0.5B-Instruct'],
        dtype: ['fp16'],
        batch: [2],
        tokens: [7],
        steps: 5,
        prompt: 'a 캐',
        policy: 'static',
        room: 40,
        overflow: 'move',
        bits: '4',
        block: 32,
        device: 'wasm',
        allocator: 'simple',
        chunk: 64,
        seed: 4294967295,
        repeats: 3,
        shard: '2/4',
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

  it('reads a list of dtypes in the order of its table, each once', () => {
    expect(parse('dtype=q4, fp32,fp16,q4').recipe.dtype).toEqual(['fp32', 'fp16', 'q4']);
  });

  it('reads a list of batches ascending, each once', () => {
    expect(parse('batch=8,1, 2,8').recipe.batch).toEqual([1, 2, 8]);
  });

  it('reads links of the first version, with one dtype and one batch', () => {
    const { recipe, faults } = parse('dtype=fp16&batch=2');
    expect(faults).toEqual([]);
    expect(recipe).toMatchObject({ dtype: ['fp16'], batch: [2] });
  });

  it.each(['1/1', '2/4', '99/99', ''])('reads the shard %j', (shard) => {
    expect(parse(`shard=${shard}`)).toMatchObject({ recipe: { shard }, faults: [] });
  });

  it.each([
    'onnx-community/Qwen3-0.6B-ONNX',
    'HuggingFaceTB/SmolLM2-135M-Instruct@12fd25f77366',
    'mha:Qwen/Qwen2.5-0.5B-Instruct',
    'mha:tiny',
    'local:my model 1.0',
    'local:내 모델',
  ])('reads the model %s', (id) => {
    expect(parseRecipe(new URLSearchParams([['model', id]]))).toMatchObject({
      recipe: { model: [id] },
      faults: [],
    });
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
    ['dtype=', 'dtype', ''],
    ['dtype=fp32,', 'dtype', 'fp32,'],
    ['dtype=fp32,q3', 'dtype', 'fp32,q3'],
    ['dtype=fp32&dtype=fp16', 'dtype', 'fp32, fp16'],
    // 13 dtypes there are: whatever comes behind them is read too.
    [`dtype=${'q4,'.repeat(14)}q3`, 'dtype', `${'q4,'.repeat(14)}q3`],
    ['batch=1,,2', 'batch', '1,,2'],
    ['batch=1,65', 'batch', '1,65'],
    ['batch=1,2,3,4,5,6,7,8,9', 'batch', '1,2,3,4,5,6,7,8,9'],
    ['shard=0/4', 'shard', '0/4'],
    ['shard=5/4', 'shard', '5/4'],
    ['shard=2', 'shard', '2'],
    ['shard=1/0', 'shard', '1/0'],
    ['shard=1/100', 'shard', '1/100'],
    ['shard=-1/4', 'shard', '-1/4'],
    ['shard=x', 'shard', 'x'],
    ['shard=1/2&shard=2/2', 'shard', '1/2, 2/2'],
    ['model=local:', 'model', 'local:'],
    ['model=local:../secret', 'model', 'local:../secret'],
    ['model=local:a/b', 'model', 'local:a/b'],
    ['model=mha:a/b/c', 'model', 'mha:a/b/c'],
    ['model=http:a/b', 'model', 'http:a/b'],
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
    expect(parse('steps=0').faults[0]?.params).toEqual({
      option: 'steps',
      value: '0',
      expected: 'use a whole number from 1 to 4,096',
      kind: 'integer',
      min: 1,
      max: 4096,
    });
    expect(parse('batch=0').faults[0]?.params).toEqual({
      option: 'batch',
      value: '0',
      expected: 'use at most 8 whole numbers from 1 to 64, separated by commas',
      kind: 'integers',
      min: 1,
      max: 64,
      items: 8,
    });
    const dtypes = 'fp32, fp16, bf16, q8, q4, q4f16, int8, uint8, bnb4, q2, q2f16, q1, q1f16';
    expect(parse('dtype=q3').faults[0]?.params).toEqual({
      option: 'dtype',
      value: 'q3',
      expected: `use one or more of ${dtypes}, separated by commas`,
      kind: 'choices',
      values: dtypes,
    });
    expect(parse('shard=5/4').faults[0]?.params).toEqual({
      option: 'shard',
      value: '5/4',
      expected: 'use a part such as 2/4, of at most 99, or nothing for all',
      kind: 'shard',
      max: 99,
    });
    expect(parse('device=gpu').faults[0]?.params['expected']).toBe('use one of webgpu, wasm');
  });

  it('names every bad value, not only the first', () => {
    expect(parse('batch=0&tokens=abc&dtype=q3').faults.map((fault) => fault.params['option'])).toEqual([
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

it('gives every option a form control', () => {
  expect(OPTION_KEYS.map((key) => `${key}: ${OPTIONS[key].form.control}`)).toEqual([
    'experiment: select',
    'model: models',
    'dtype: choices',
    'batch: list',
    'tokens: list',
    'steps: number',
    'prompt: text',
    'policy: select',
    'room: number',
    'overflow: select',
    'bits: select',
    'block: number',
    'device: select',
    'allocator: select',
    'chunk: number',
    'seed: number',
    'repeats: number',
    'shard: text',
    'lang: select',
  ]);
});

it('cuts long texts to 80 characters', () => {
  expect(cut('a'.repeat(80))).toBe('a'.repeat(80));
  expect(cut('a'.repeat(81))).toBe(`${'a'.repeat(79)}…`);
});
