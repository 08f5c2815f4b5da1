/** The redundancy experiment's options: read from links and written back; bad values are named; other experiments do not know them. */
import { describe, expect, it } from 'vitest';
import { describeFault } from './faults';
import { knownOptions, parseRecipe, recipeFault, recipeQuery, valueFault } from './options';
import { defaultRecipe, recipeOf } from './recipe';
import { isDocumentName, ownDocumentName } from './redundancy-options';

const read = (query: string) => parseRecipe(new URLSearchParams(query));
const readOf = (query: string) => read(`experiment=redundancy&${query}`);

describe('a redundancy in a link', () => {
  it('is the third article’s where nothing is said', () => {
    const { recipe, faults, notices } = read('experiment=redundancy');
    expect({ faults, notices }).toEqual({ faults: [], notices: [] });
    expect(recipe.redundancy).toEqual({
      documents: ['korean-report', 'model-card', 'python-code', 'korean-changelog'],
      skip: 200,
      keep: 1536,
      split: 'documents',
      pairs: 'adjacent',
      context: 32768,
      weights: 0,
    });
    expect(recipeFault(recipe)).toBeNull();
    expect(recipeQuery(recipe).toString()).toBe('experiment=redundancy');
  });

  it('has only what differs from the default, and comes back as it was', () => {
    const query =
      'experiment=redundancy&documents=model-card,own:내 글,python-code&skip=8&keep=192&split=halves&pairs=all&context=1000&weights=4500000000' +
      '&model=twin:Qwen/Qwen3.5-2B&dtype=fp16&device=wasm&allocator=simple&chunk=64&seed=7&lang=ko';
    const { recipe, faults, notices } = read(query);
    expect({ faults, notices }).toEqual({ faults: [], notices: [] });
    expect(recipe).toMatchObject({
      model: ['twin:Qwen/Qwen3.5-2B'],
      dtype: ['fp16'],
      batch: [1],
      device: 'wasm',
      allocator: 'simple',
      chunk: 64,
      seed: 7,
      redundancy: {
        documents: ['model-card', 'own:내 글', 'python-code'],
        skip: 8,
        keep: 192,
        split: 'halves',
        pairs: 'all',
        context: 1000,
        weights: 4500000000,
      },
    });
    expect(recipeQuery(recipe).toString()).toBe(new URLSearchParams(query).toString());
  });

  it('reads the bytes of the weights with their unit; 0 is what the lab knows', () => {
    expect(readOf('weights=4.5GB').recipe.redundancy?.weights).toBe(4_500_000_000);
    expect(readOf('weights=0').recipe.redundancy?.weights).toBe(0);
    expect(recipeQuery(readOf('weights=4GiB').recipe).get('weights')).toBe('4GiB');
    expect(describeFault(readOf('weights=heavy').faults[0] ?? { code: 'cancelled', params: {} })).toBe(
      '“heavy” is not a valid value for weights: use bytes, such as 2GiB, 512MiB or 2147483648.',
    );
  });

  it('names each document once, composed', () => {
    const decomposed = 'own:메모'.normalize('NFD');
    expect(
      readOf(`documents=model-card, model-card,${decomposed},python-code`).recipe.redundancy?.documents,
    ).toEqual(['model-card', 'own:메모', 'python-code']);
  });

  it.each([
    [
      'documents=poem',
      '“poem” is not a valid value for documents: use at most 8 of korean-report, model-card',
    ],
    ['documents=model-card,poem,python-code, Poem 2', '“poem, Poem 2” is not a valid value for documents'],
    ['documents=own:../secret', '“own:../secret” is not a valid value for documents'],
    ['documents=own:', '“own:” is not a valid value for documents'],
    [
      `documents=${Array.from({ length: 9 }, (_, n) => `own:${n}`).join(',')}`,
      'is not a valid value for documents',
    ],
    ['keep=15', '“15” is not a valid value for keep: use a whole number from 16 to 16,384.'],
    ['keep=16385', '“16385” is not a valid value for keep'],
    ['skip=100001', '“100001” is not a valid value for skip: use a whole number from 0 to 100,000.'],
    ['context=0', '“0” is not a valid value for context: use a whole number from 1 to 10,000,000.'],
    ['split=random', '“random” is not a valid value for split: use one of documents, halves.'],
    ['pairs=some', '“some” is not a valid value for pairs: use one of adjacent, all.'],
  ])('refuses %s', (query, sentence) => {
    const { faults, recipe } = readOf(query);
    expect(describeFault(faults[0] ?? { code: 'cancelled', params: {} })).toContain(sentence);
    // What is bad has its default.
    expect(recipe.redundancy).toEqual(defaultRecipe('redundancy').redundancy);
  });

  it('has one model and one variant, the first of those given', () => {
    const two = readOf('model=tiny&model=twin:Qwen/Qwen3.5-2B');
    expect(two.faults).toEqual([{ code: 'redundancy-one-model', params: { count: 2 } }]);
    expect(two.recipe.model).toEqual(['tiny']);
    const variants = readOf('dtype=fp32,fp16');
    expect(variants.faults.map(describeFault)).toEqual([
      '“fp32,fp16” is not a valid value for dtype: give one.',
    ]);
    expect(variants.recipe.dtype).toEqual(['fp32']);
  });

  it('has documents enough to leave two out, unless each is halved', () => {
    const two = readOf('documents=model-card,python-code');
    expect(two.faults).toEqual([{ code: 'documents-too-few', params: { count: 2, needed: 3 } }]);
    // The form shows what was chosen, and a run says the same.
    expect(two.recipe.redundancy?.documents).toEqual(['model-card', 'python-code']);
    expect(recipeFault(two.recipe)).toEqual(two.faults[0]);
    expect(valueFault(two.recipe)).toBeNull();
    expect(readOf('documents=model-card&split=halves').faults).toEqual([]);
    expect(readOf('documents=&split=halves').faults.map(describeFault)).toEqual([
      'No document is chosen: choose at least one.',
    ]);
  });

  it('has no keys and values in bfloat16', () => {
    expect(readOf('dtype=bf16').faults.map(describeFault)).toEqual([
      'The page cannot measure bfloat16, so there are no keys and values to predict: choose fp32 or fp16.',
    ]);
  });

  it('knows no settings that it does not use, and others do not know its own', () => {
    const { notices } = readOf('tokens=64&steps=2&batch=2&repeats=3&shard=1/2&prompt=x&policy=dynamic&run=1');
    expect(notices.map(({ params }) => params['option'])).toEqual([
      'tokens',
      'steps',
      'batch',
      'repeats',
      'shard',
      'prompt',
      'policy',
    ]);
    expect(read('keep=64').notices.map(({ params }) => params['option'])).toEqual(['keep']);
    expect(knownOptions('redundancy').join(' ')).toBe(
      'experiment model dtype device allocator chunk seed lang documents skip keep split pairs context weights',
    );
  });
});

describe('recipeOf', () => {
  it('keeps the first of the models and the machine’s settings', () => {
    const length = { ...defaultRecipe(), model: ['twin:openai-community/gpt2', 'tiny'], seed: 5, chunk: 32 };
    expect(recipeOf('redundancy', length)).toEqual({
      ...defaultRecipe('redundancy'),
      model: ['twin:openai-community/gpt2'],
      seed: 5,
      chunk: 32,
    });
  });

  it('leaves the state behind for another experiment', () => {
    expect(recipeOf('length', defaultRecipe('redundancy'))).toEqual(defaultRecipe());
  });
});

describe('names of documents', () => {
  it.each([
    ['notes.md', 'own:notes'],
    ['보고서 (최종).TXT', 'own:보고서 (최종)'],
    ['../../etc/passwd', 'own:etc passwd'],
    ['a,b:c<d>&e', 'own:a b c d e'],
    ['.txt', 'own:text'],
    ['', 'own:text'],
    ['x'.repeat(100), `own:${'x'.repeat(60)}`],
    ['보고'.normalize('NFD'), 'own:보고'],
  ])('makes of “%s” %s', (title, name) => {
    expect(ownDocumentName(title)).toBe(name);
    expect(isDocumentName(name)).toBe(true);
  });

  it.each([
    'notes',
    'own:',
    'own: x',
    'own:x ',
    'own:a,b',
    'own:a/b',
    'own:a\nb',
    `own:${'x'.repeat(61)}`,
    'Model-Card',
  ])('refuses “%s”', (name) => {
    expect(isDocumentName(name)).toBe(false);
  });
});
