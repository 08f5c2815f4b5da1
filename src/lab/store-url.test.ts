import { describe, expect, it, vi } from 'vitest';
import type { LabRecord } from '../protocol/record';
import { recordJson } from '../record/export';
import { createStore, type Store } from './store';
import { fakeDeps, tinyCell } from './testing';

const BASE = 'https://lab.example/kv/';

const codes = (store: Store) => store.notices.value.map((notice) => notice.fault.code);

async function open(query: string) {
  const env = fakeDeps(BASE + query);
  const store = createStore(env.deps);
  await store.ready;
  return { ...env, store };
}

async function measured(query = '?tokens=64'): Promise<LabRecord> {
  const { store, workers } = await open(query);
  const promise = store.start();
  await vi.waitFor(() => workers.last);
  workers.last.report(tinyCell(0, 64));
  workers.last.report({ type: 'done', cancelled: false });
  return await promise;
}

function file(text: string): { size: number; text: () => Promise<string> } {
  return { size: text.length, text: () => Promise.resolve(text) };
}

describe('the URL', () => {
  it('is the recipe, and starts by itself with run=1', async () => {
    const { store, workers, page } = await open('?experiment=growth&steps=4&run=1');
    expect(store.recipe.value).toMatchObject({ experiment: 'growth', steps: 4 });
    await vi.waitFor(() => {
      expect(workers.alive).toBe(1);
    });
    expect(page.url()).toBe(`${BASE}?experiment=growth&steps=4`);
  });

  it('starts nothing without run=1', async () => {
    const { store, workers } = await open('?tokens=64');
    expect(store.run.value.status).toBe('idle');
    expect(workers.made).toHaveLength(0);
  });

  it.each([
    ['?tokens=abc&run=1', 'recipe-bad-value'],
    ['?tokens=0,-5,1e99&run=1', 'recipe-bad-value'],
    ['?model=../../etc&run=1', 'recipe-bad-value'],
    ['?model=%3Cscript%3E&run=1', 'recipe-bad-value'],
    ['?batch=0&run=1', 'recipe-bad-value'],
    ['?experiment=nope&run=1', 'recipe-bad-value'],
    ['?dtype=fp32,fp33&run=1', 'recipe-bad-value'],
    ['?batch=1,0&run=1', 'recipe-bad-value'],
    ['?shard=5/4&run=1', 'recipe-bad-value'],
    ['?model=nothing&run=1', 'recipe-unknown-model'],
    ['?model=twin:nothing&run=1', 'recipe-unknown-model'],
    ['?model=mha:openai-community/gpt2&run=1', 'recipe-unknown-model'],
  ])('%s is named, and nothing runs', async (query, code) => {
    const { store, workers } = await open(query);
    expect(store.run.value).toMatchObject({ status: 'failed', fault: { code } });
    expect(store.recipe.value.model).toEqual(['tiny']);
    expect(workers.made).toHaveLength(0);
    store.setRecipe({ lang: 'ko' });
    expect(store.run.value.status).toBe('failed');
    store.setRecipe({ batch: [1] });
    expect(store.run.value.status).toBe('idle');
  });

  it('names every further fault, and ignored options, in notices that can be dismissed', async () => {
    const { store } = await open('?batch=0&steps=x&colour=red');
    expect(store.run.value.fault?.params['option']).toBe('batch');
    expect(store.notices.value.map(({ kind, fault }) => [kind, fault.code, fault.params['option']])).toEqual([
      ['error', 'recipe-bad-value', 'steps'],
      ['info', 'recipe-unknown-option', 'colour'],
    ]);
    const [notice] = store.notices.value;
    if (notice) store.dismiss(notice);
    expect(codes(store)).toEqual(['recipe-unknown-option']);
  });

  it.each(['#%', '#s=%E0%A4%A', '#r=', '#s=AAAA'])('E1: the hash %s is a notice', async (hash) => {
    expect(codes((await open(hash)).store)).toEqual(['link-damaged']);
  });

  it('follows the recipe; only what differs from the defaults is written', async () => {
    const { store, page } = await open('#main');
    store.setRecipe({ model: ['twin:openai-community/gpt2'], device: 'wasm' });
    expect(page.url()).toBe(`${BASE}?model=twin:openai-community/gpt2&device=wasm#main`);
    expect(store.recipeUrl()).toBe(`${BASE}?model=twin:openai-community/gpt2&device=wasm`);
  });

  it('another experiment brings its own lengths, steps, prompt and variants; model and device stay', async () => {
    const { store } = await open('?model=twin:openai-community/gpt2&device=wasm&dtype=fp16&tokens=7');
    store.setRecipe({ experiment: 'growth' });
    expect(store.recipe.value).toMatchObject({
      experiment: 'growth',
      tokens: [128],
      steps: 32,
      prompt: 'KV 캐시는',
      model: ['twin:openai-community/gpt2'],
      device: 'wasm',
      dtype: ['fp32'],
    });
  });

  it('is read again on Back', async () => {
    const { store, page } = await open('?tokens=64');
    page.go('?tokens=256&batch=0');
    expect(store.recipe.value.tokens).toEqual([256]);
    expect(store.run.value.fault?.params['option']).toBe('batch');
    page.go('?tokens=64');
    expect(store.run.value.status).toBe('idle');
  });

  it('gives the results link of the record, and the recipe link without one', async () => {
    const { store } = await open('?tokens=64');
    expect(await store.resultsUrl()).toEqual({ url: `${BASE}?tokens=64`, complete: false });
    store.record.value = await measured();
    const { url, complete } = await store.resultsUrl();
    expect(url).toMatch(/^https:\/\/lab\.example\/kv\/\?tokens=64#r=1\.[\w-]+$/);
    expect(complete).toBe(true);
  });
});

describe('an imported file', () => {
  it('is shown, sets the recipe, and is what the next run is compared with', async () => {
    const text = recordJson(await measured());
    const { store, page, workers } = await open('?lang=ko');
    await store.importFile(file(text));
    expect(store.record.value?.cells.map((cell) => cell.tensorBytes)).toEqual([131072]);
    expect(store.imported.value).toBe(true);
    expect(store.comparison.value).toBeNull();
    expect(page.url()).toBe(`${BASE}?tokens=64&lang=ko`);
    const promise = store.start();
    await vi.waitFor(() => workers.last);
    workers.last.report(tinyCell(0, 64));
    workers.last.report({ type: 'done', cancelled: false });
    await promise;
    expect(store.imported.value).toBe(false);
    expect(store.comparison.value?.verdict).toBe('same');
  });

  it.each([
    ['not JSON', file('<html>'), 'record-not-json'],
    ['of another schema', file('{"schema":"other/1"}'), 'record-foreign'],
    ['of a newer version', file('{"schema":"kvlab.record/2"}'), 'record-newer'],
    ['huge', { size: 5e9, text: () => Promise.reject(new Error('read')) }, 'record-too-large'],
    ['unreadable', { size: 1, text: () => Promise.reject(new Error('gone')) }, 'record-not-json'],
  ])('that is %s is a notice and harms nothing', async (_what, bad, code) => {
    const { store, page } = await open('?tokens=64');
    const kept = await measured();
    store.record.value = kept;
    await store.importFile(bad);
    expect(codes(store)).toEqual([code]);
    expect(store.record.value).toBe(kept);
    expect(store.expected.value).toBeNull();
    expect(page.url()).toBe(`${BASE}?tokens=64`);
  });

  it('during a run leaves the run its place', async () => {
    const text = recordJson(await measured());
    const { store, workers } = await open('?tokens=64,128');
    const promise = store.start();
    await vi.waitFor(() => workers.last);
    await store.importFile(file(text));
    expect(store.imported.value).toBe(false);
    expect(store.expected.value?.source).toBe('file');
    workers.last.report(tinyCell(0, 64));
    workers.last.report(tinyCell(0, 128));
    workers.last.report({ type: 'done', cancelled: false });
    expect((await promise).cells).toHaveLength(2);
    expect(store.comparison.value?.verdict).toBe('same');
  });
});
