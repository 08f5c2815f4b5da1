import { describe, expect, it, vi } from 'vitest';
import type { LabError } from '../protocol/faults';
import { installAutomation, type Automation } from './automation';
import { createStore } from './store';
import { fakeDeps, tinyCell, type FakeWorker } from './testing';

async function install(query = '') {
  const env = fakeDeps(`https://lab.example/${query}`);
  const store = createStore(env.deps);
  const element: { dataset: DOMStringMap } = { dataset: {} };
  const scope: { kvlab?: Automation } = {};
  installAutomation(store, element, scope);
  await store.ready;
  if (scope.kvlab === undefined) throw new Error('there is no kvlab');
  return { ...env, store, kvlab: scope.kvlab, lab: () => element.dataset['lab'] };
}

function answer(worker: FakeWorker): void {
  worker.report(tinyCell(0, 64));
  worker.report({ type: 'done', cancelled: false });
}

describe('window.kvlab', () => {
  it.each([
    ['an object', { tokens: [64], repeats: 1 }],
    ['a query', '?tokens=64&unknown=1'],
  ])('runs %s and resolves to the finished record', async (_what, recipe) => {
    const { kvlab, workers, lab, page } = await install();
    expect(lab()).toBe('idle');
    expect(kvlab.record()).toBeNull();
    const promise = kvlab.run(recipe);
    await vi.waitFor(() => workers.last);
    expect(lab()).toBe('running');
    expect(page.url()).toBe('https://lab.example/?tokens=64');
    answer(workers.last);
    const record = await promise;
    expect(record.cells.map((cell) => cell.tensorBytes)).toEqual([131072]);
    expect(lab()).toBe('done');
    expect(kvlab.record()).toBe(record);
  });

  it('takes several models as an object', async () => {
    const { kvlab, workers } = await install();
    void kvlab.run({ model: ['tiny', 'twin:openai-community/gpt2'], tokens: [64] });
    await vi.waitFor(() => workers.last);
    expect(workers.last.passes.map((pass) => pass.model)).toEqual(['tiny', 'twin:openai-community/gpt2']);
  });

  it.each<[unknown, RegExp]>([
    [[], /is not a valid value for recipe: use a query string or an object/],
    [42, /“42” is not a valid value for recipe/],
    [{ batch: 0 }, /“0” is not a valid value for batch/],
    ['tokens=abc', /“abc” is not a valid value for tokens/],
    [{ model: ['twin:nothing'] }, /There is no model “twin:nothing” here/],
    [{ dtype: ['fp32', 'fp33'] }, /“fp32,fp33” is not a valid value for dtype/],
    [{ tokns: [64] }, /“tokns” is not a valid value for recipe: use the options experiment, model/],
  ])('rejects %j with its sentence, and runs nothing', async (recipe, sentence) => {
    const { kvlab, workers, lab } = await install();
    const error = await kvlab.run(recipe as string).then(
      () => null,
      (reason: unknown) => reason as LabError,
    );
    expect(error?.message).toMatch(sentence);
    expect(workers.made).toHaveLength(0);
    expect(lab()).toBe('idle');
  });

  it('B9: queues a run behind the one that is going on; both finish', async () => {
    const { kvlab, workers } = await install();
    const first = kvlab.run({ tokens: [64] });
    const second = kvlab.run({ tokens: [64, 128] });
    await vi.waitFor(() => workers.last);
    answer(workers.last);
    expect((await first).cells).toHaveLength(1);
    await vi.waitFor(() => {
      expect(workers.made).toHaveLength(2);
    });
    workers.last.report(tinyCell(0, 64));
    workers.last.report(tinyCell(0, 128));
    workers.last.report({ type: 'done', cancelled: false });
    expect((await second).cells).toHaveLength(2);
  });

  it('keeps the page’s language', async () => {
    const { kvlab, store, workers } = await install('?lang=ko');
    void kvlab.run({ tokens: [64] });
    await vi.waitFor(() => workers.last);
    expect(store.recipe.value.lang).toBe('ko');
  });
});

describe('data-lab', () => {
  it('is failed when the link cannot run', async () => {
    expect((await install('?tokens=abc&run=1')).lab()).toBe('failed');
  });

  it('is done after a cancelled run, whose record says so', async () => {
    const { kvlab, workers, lab } = await install();
    const promise = kvlab.run({ tokens: [64] });
    await vi.waitFor(() => workers.last);
    kvlab.cancel();
    workers.last.report({ type: 'done', cancelled: true });
    expect((await promise).status).toBe('cancelled');
    expect(lab()).toBe('done');
  });

  it('is failed when nothing could be measured', async () => {
    const { kvlab, workers, lab } = await install();
    const promise = kvlab.run({ tokens: [64] });
    await vi.waitFor(() => workers.last);
    workers.last.emit('error', { message: 'boom' });
    expect((await promise).status).toBe('failed');
    expect(lab()).toBe('failed');
  });

  it('is idle when a reload interrupted the run', async () => {
    const before = fakeDeps('https://lab.example/?tokens=64,128');
    const first = createStore(before.deps);
    await first.ready;
    void first.start();
    await vi.waitFor(() => before.workers.last);
    before.workers.last.report(tinyCell(0, 64));
    before.page.leave();
    const after = fakeDeps('https://lab.example/?tokens=64,128');
    const store = createStore({ ...after.deps, storage: before.storage });
    const element: { dataset: DOMStringMap } = { dataset: {} };
    installAutomation(store, element, {});
    await store.ready;
    expect(store.run.value.status).toBe('interrupted');
    expect(element.dataset['lab']).toBe('idle');
    first.cancel();
    before.workers.last.report({ type: 'done', cancelled: true });
  });
});
