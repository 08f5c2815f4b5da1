/** Runs with models from outside: asked for, downloaded, refused one by one; and process bytes on the way. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findModel } from '../model/catalog';
import { LabError, type Fault } from '../protocol/faults';
import type { ModelSource } from '../protocol/source';
import { installAutomation, type Automation } from './automation';
import type { DownloadNeed, OpenModels, OpenRequest } from './opening';
import { createStore } from './store';
import { bytes, settle } from './store-testing';
import { fakeDeps, tinyCell } from './testing';

const BASE = 'https://lab.example/kv/';
const ONE = `${BASE}?model=owner/name&tokens=64`;
const BOTH = `${BASE}?model=owner/name&model=tiny&tokens=64`;
const NEED: DownloadNeed = {
  models: [
    {
      id: 'owner/name',
      dtype: 'fp32',
      revision: '0123abc',
      files: [{ path: 'onnx/model.onnx', bytes: 5000, stored: false }],
    },
  ],
  bytes: 5000,
};
const NOT_FOUND: Fault = {
  code: 'hub-not-found',
  params: { repo: 'owner/name', revision: 'main', host: 'x' },
};

/** With the cache of `tiny`: 2,048 bytes a token. */
const SOURCE = {
  id: 'owner/name',
  dtype: 'fp32',
  cacheType: 'float32',
  geometry: findModel('tiny')?.geometry,
} as ModelSource;

/** Asks for {@link NEED}, then has the source. As the contract wants, it rejects with `cancelled` when the signal aborts. */
const asks: OpenModels = async ({ recipe, agree, signal, onProgress }) => {
  const yes = await agree(NEED);
  if (signal.aborted) throw new LabError('cancelled');
  if (!yes) throw new LabError('download-declined');
  onProgress({ files: [{ path: 'onnx/model.onnx', done: 1250, total: 5000 }], done: 1250, total: 5000 });
  await new Promise((resolve) => setTimeout(resolve, 1000));
  return { sources: [SOURCE], refused: [], model: recipe.model };
};

async function open(url: string, openModels: OpenModels) {
  const env = fakeDeps(url);
  env.deps.openModels = openModels;
  const store = createStore(env.deps);
  const element: { dataset: DOMStringMap } = { dataset: {} };
  const scope: { kvlab?: Automation } = {};
  installAutomation(store, element, scope);
  await store.ready;
  if (scope.kvlab === undefined) throw new Error('there is no kvlab');
  return { ...env, store, kvlab: scope.kvlab, lab: () => element.dataset['lab'] };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a download', () => {
  it('is asked for with its size, goes on after yes, and then the run', async () => {
    const { store, page, workers, lab } = await open(ONE, asks);
    const promise = store.start();
    await settle();
    page.next();
    expect(store.run.value).toMatchObject({ status: 'asking', need: NEED });
    expect(lab()).toBe('idle');
    expect(workers.made).toHaveLength(0);

    store.answerDownload(true);
    await settle();
    page.next();
    expect(store.run.value).toMatchObject({
      status: 'downloading',
      need: null,
      progress: 0.25,
      download: { done: 1250, total: 5000 },
    });
    expect(lab()).toBe('running');

    await vi.advanceTimersByTimeAsync(1000);
    expect(workers.last.commands[0]).toMatchObject({ type: 'run', sources: [SOURCE] });
    expect(workers.last.passes.map(({ model, dtype }) => [model, dtype])).toEqual([['owner/name', 'fp32']]);
    workers.last.report(tinyCell(0, 64));
    workers.last.report({ type: 'done', cancelled: false });
    const record = await promise;
    expect(record.status).toBe('done');
    expect(record.cells).toMatchObject([{ formulaBytes: 131072, tensorBytes: 131072, ratio: 1 }]);
  });

  it('does not happen after no, and nothing runs', async () => {
    const { store, page, workers } = await open(ONE, asks);
    const promise = store.start();
    await settle();
    store.answerDownload(false);
    expect(await promise).toMatchObject({ status: 'cancelled', faults: [{ code: 'download-declined' }] });
    page.next();
    expect(store.run.value).toMatchObject({ status: 'cancelled', fault: { code: 'download-declined' } });
    expect(store.record.value).toBeNull();
    expect(workers.made).toHaveLength(0);
  });

  it('can be cancelled while it is asked for, and the next run asks again', async () => {
    const { store, page, workers } = await open(ONE, asks);
    const promise = store.start();
    await settle();
    store.cancel();
    expect(await promise).toMatchObject({ status: 'cancelled', faults: [{ code: 'cancelled' }] });
    expect(store.run.value.status).toBe('cancelled');
    // An answer that comes too late answers nothing.
    store.answerDownload(true);
    void store.start();
    await settle();
    page.next();
    expect(store.run.value.status).toBe('asking');
    expect(workers.made).toHaveLength(0);
  });

  it('that is only asked for after Cancel settles too', async () => {
    const late: OpenModels = async (request) => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      return await asks(request);
    };
    const { store } = await open(ONE, late);
    const promise = store.start();
    await settle();
    store.cancel();
    await vi.advanceTimersByTimeAsync(500);
    expect((await promise).status).toBe('cancelled');
  });

  it('needs no question when everything is stored', async () => {
    const { store, workers } = await open(ONE, ({ recipe }) =>
      Promise.resolve({ sources: [SOURCE], refused: [], model: recipe.model }),
    );
    void store.start();
    await settle();
    expect(store.run.value.status).toBe('running');
    expect(workers.alive).toBe(1);
  });
});

describe('kvlab.run', () => {
  it('with download: true downloads without a question', async () => {
    const { kvlab, workers } = await open(BASE, asks);
    const promise = kvlab.run({ model: ['owner/name'], tokens: [64] }, { download: true });
    await vi.advanceTimersByTimeAsync(1000);
    workers.last.report(tinyCell(0, 64));
    workers.last.report({ type: 'done', cancelled: false });
    expect(bytes(await promise)).toEqual([131072]);
  });

  it.each([undefined, {}, { download: false }])(
    'with %j fails, and says how many bytes it needs',
    async (how) => {
      const { kvlab, workers, lab } = await open(BASE, asks);
      expect(await kvlab.run({ model: ['owner/name'], tokens: [64] }, how)).toMatchObject({
        status: 'failed',
        faults: [{ code: 'download-needed', params: { bytes: 5000 } }],
      });
      expect(lab()).toBe('failed');
      expect(workers.made).toHaveLength(0);
    },
  );
});

describe('a model that cannot be opened', () => {
  const refusing =
    (...faults: [dtype: 'fp32' | 'q4', fault: Fault][]): OpenModels =>
    ({ recipe }) =>
      Promise.resolve({
        sources: [],
        refused: faults.map(([dtype, fault]) => ({ id: 'owner/name', dtype, fault })),
        model: recipe.model,
      });

  it('leaves the others running; its fault is in the record, whose status is done', async () => {
    const { store, workers } = await open(BOTH, refusing(['fp32', NOT_FOUND]));
    const promise = store.start();
    await settle();
    expect(workers.last.passes.map(({ model }) => model)).toEqual(['tiny']);
    workers.last.report(tinyCell(0, 64));
    workers.last.report({ type: 'done', cancelled: false });
    const record = await promise;
    expect(record.status).toBe('done');
    expect(record.faults).toEqual([NOT_FOUND]);
    expect(record.cells.map(({ model, tensorBytes }) => [model, tensorBytes])).toEqual([['tiny', 131072]]);
    expect(store.run.value).toMatchObject({ status: 'done', fault: NOT_FOUND });
  });

  it('fails the run when it is the only one', async () => {
    const { store, workers, lab } = await open(ONE, refusing(['fp32', NOT_FOUND]));
    expect(await store.start()).toMatchObject({ status: 'failed', faults: [NOT_FOUND] });
    expect(store.run.value).toMatchObject({ status: 'failed', fault: NOT_FOUND });
    expect(lab()).toBe('failed');
    expect(workers.made).toHaveLength(0);
  });

  it('is said once, though it is missing in every dtype', async () => {
    const { store, workers } = await open(
      `${BOTH}&dtype=fp32,q4`,
      refusing(['fp32', NOT_FOUND], ['q4', NOT_FOUND]),
    );
    const promise = store.start();
    await settle();
    workers.last.report(tinyCell(0, 64));
    workers.last.report({ type: 'done', cancelled: false });
    expect((await promise).faults).toEqual([NOT_FOUND]);
  });

  it('for it was asked for in bfloat16 alone says so', async () => {
    const { store } = await open(`${ONE}&dtype=bf16`, refusing());
    expect(await store.start()).toMatchObject({ status: 'failed', faults: [{ code: 'bf16-unsupported' }] });
  });

  it('in one variant has a skipped row for it, and is measured in the other', async () => {
    const missing: Fault = {
      code: 'hub-dtype-missing',
      params: { where: 'owner/name', dtype: 'q4', known: 'fp32' },
    };
    const { store, workers, page } = await open(`${ONE}&dtype=fp32,q4`, ({ recipe }) =>
      Promise.resolve({
        sources: [SOURCE],
        refused: [{ id: 'owner/name', dtype: 'q4', fault: missing }],
        model: recipe.model,
      }),
    );
    void store.start();
    await settle();
    page.next();
    expect(workers.last.passes.map(({ dtype }) => dtype)).toEqual(['fp32']);
    expect(store.record.value?.cells).toMatchObject([{ dtype: 'q4', tensorBytes: null, fault: missing }]);
    expect(store.record.value?.faults).toEqual([]);
  });

  it('is not even looked for when the device cannot run the recipe', async () => {
    const opened = vi.fn(asks);
    const { store } = await open(`${ONE}&dtype=fp16`, opened);
    expect((await store.start()).faults).toMatchObject([{ code: 'fp16-unsupported' }]);
    expect(opened).not.toHaveBeenCalled();
  });

  it('throws in a way that no one thought of: the run fails with its words', async () => {
    const { store } = await open(ONE, () => Promise.reject(new TypeError('x is not a function')));
    expect((await store.start()).faults).toMatchObject([
      { code: 'run-failed', params: { detail: 'x is not a function' } },
    ]);
  });
});

describe('a branch', () => {
  it('is the commit that it was, in the record, in its link and on the page', async () => {
    const pinned = 'owner/name@0123abc';
    const { store, workers, page } = await open(ONE, () =>
      Promise.resolve({ sources: [{ ...SOURCE, id: pinned }], refused: [], model: [pinned] }),
    );
    const promise = store.start();
    await settle();
    expect(workers.last.passes[0]?.model).toBe(pinned);
    workers.last.report(tinyCell(0, 64));
    workers.last.report({ type: 'done', cancelled: false });
    const record = await promise;
    expect(record.recipe.model).toEqual([pinned]);
    expect(record.url).toBe(`${BASE}?model=owner/name@0123abc&tokens=64`);
    expect(page.url()).toBe(record.url);
    expect(record.cells[0]?.model).toBe(pinned);
  });
});

describe('notices of opening', () => {
  it('are shown, and stop nothing', async () => {
    const full: Fault = { code: 'storage-full', params: { needed: 2, free: 1 } };
    const { store } = await open(ONE, ({ recipe, onNotice }: OpenRequest) => {
      onNotice(full);
      return Promise.resolve({ sources: [SOURCE], refused: [], model: recipe.model });
    });
    void store.start();
    await settle();
    expect(store.notices.value.map(({ kind, fault }) => [kind, fault])).toEqual([['info', full]]);
    expect(store.run.value.status).toBe('running');
  });
});
