/** A run of the redundancy experiment on the page's side: texts go to the worker, what is found comes into the record. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { MeasuredRedundancy } from '../protocol/redundancy';
import { SAMPLE_PAIRS } from '../protocol/redundancy-record.fixture';
import { installAutomation, type Automation } from './automation';
import { addDocument, ownDocuments } from './documents';
import { createStore } from './store';
import { settle } from './store-testing';
import { fakeDeps, tinyCell } from './testing';

const LINK = 'https://lab.example/kv/?experiment=redundancy&documents=own:a,own:b,own:c&skip=8&keep=64';

const FOUND: MeasuredRedundancy = {
  documents: ['a', 'b', 'c', 'd'].map((name) => ({ name: `own:${name}`, tokens: 100, sha256: null })),
  layers: [0, 1, 2, 3],
  channels: Array.from({ length: 4 }, () => ({ K: 64, V: 64 })),
  lambdas: [0.1],
  pairs: [...SAMPLE_PAIRS],
  noiseFloor: 0,
};

async function open(url = LINK) {
  const env = fakeDeps(url);
  const store = createStore(env.deps);
  const scope: { kvlab?: Automation } = {};
  installAutomation(store, { dataset: {} }, scope);
  await store.ready;
  if (scope.kvlab === undefined) throw new Error('there is no kvlab');
  return { ...env, store, kvlab: scope.kvlab };
}

beforeEach(() => {
  vi.useFakeTimers();
  for (const name of ['a', 'b', 'c']) addDocument(name, `text of ${name}`);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  ownDocuments.value = new Map();
});

/** The run's worker. The hashes are computed outside the fake clock. */
async function begun(workers: ReturnType<typeof fakeDeps>['workers']) {
  await vi.waitFor(() => workers.last);
  return workers.last;
}

describe('a run', () => {
  it('hands the texts to the worker and keeps what it finds', async () => {
    const { store, workers } = await open();
    const promise = store.start();
    const worker = await begun(workers);
    const [command] = worker.commands;
    // sha256 of the texts: printf 'text of a' | sha256sum
    expect(command?.type === 'run' ? command.documents : []).toEqual([
      {
        name: 'own:a',
        text: 'text of a',
        sha256: '5897a7e98cecbe09612c68e7ad1004a7e6013cc406d5c68b2d04f3cf8398a1d4',
      },
      {
        name: 'own:b',
        text: 'text of b',
        sha256: 'bd5020b214d3e73e5cb05c3d1bde36da57e1ee18313782d4a20064e9c701b177',
      },
      {
        name: 'own:c',
        text: 'text of c',
        sha256: '8c5fec33a009659372f5350617d3a938fb327a6f5b65c2fe74add391449e8180',
      },
    ]);
    expect(worker.passes).toMatchObject([
      {
        model: 'tiny',
        batch: 1,
        work: { kind: 'redundancy', state: { documents: ['own:a', 'own:b', 'own:c'], skip: 8, keep: 64 } },
      },
    ]);
    worker.report(tinyCell(0, 72));
    worker.report({ type: 'redundancy', passId: 0, found: FOUND });
    worker.report({ type: 'pass-done', passId: 0 });
    worker.report({ type: 'done', cancelled: false });
    const record = await promise;
    expect(record.status).toBe('done');
    expect(record.redundancy).toMatchObject({ model: 'tiny', skip: 8, keep: 64, leak: false });
    expect(record.redundancy?.pairs).toEqual(SAMPLE_PAIRS);
  });

  it('goes on while it solves, and estimates what is left', async () => {
    const { store, workers, page } = await open();
    void store.start();
    const worker = await begun(workers);
    const progressAfter = async (phase: 'prefill' | 'solve', done: number, total: number) => {
      worker.report({ type: 'phase', passId: 0, phase, done, total });
      await settle();
      page.next();
      return store.run.value.progress;
    };
    // Three documents of 72 tokens and the first again; solving counts as much as feeding.
    expect(await progressAfter('prefill', 288, 288)).toBe(0.5);
    expect(await progressAfter('solve', 1, 4)).toBe(0.625);
    expect(await progressAfter('solve', 4, 4)).toBe(1);
    expect(store.run.value).toMatchObject({ phase: 'solve', phaseDone: 4, phaseTotal: 4 });
    store.cancel();
    worker.report({ type: 'done', cancelled: true });
    await settle();
  });

  it('keeps the pairs that were found before Cancel', async () => {
    const { store, workers } = await open();
    const promise = store.start();
    const worker = await begun(workers);
    worker.report(tinyCell(0, 72));
    worker.report({ type: 'redundancy', passId: 0, found: { ...FOUND, pairs: SAMPLE_PAIRS.slice(0, 2) } });
    store.cancel();
    worker.report({ type: 'done', cancelled: true });
    const record = await promise;
    expect(record.status).toBe('cancelled');
    expect(record.redundancy?.pairs).toHaveLength(2);
  });

  it('has failed when nothing but a size was measured', async () => {
    const { store, workers } = await open();
    const promise = store.start();
    const worker = await begun(workers);
    worker.report(tinyCell(0, 72));
    const fault = { code: 'solver-failed', params: { detail: 'x' } } as const;
    worker.report({ type: 'pass-failed', passId: 0, fault });
    const record = await promise;
    expect(record.status).toBe('failed');
    expect(record.faults).toEqual([fault]);
    expect(workers.made).toHaveLength(1);
  });

  it('is refused without its texts, before any worker', async () => {
    ownDocuments.value = new Map();
    const { store, workers } = await open();
    const record = await store.start();
    expect(record.faults).toEqual([{ code: 'document-missing', params: { name: 'a' } }]);
    expect(record.status).toBe('failed');
    expect(workers.made).toHaveLength(0);
  });

  it('of a page that is offline says so', async () => {
    vi.stubGlobal('document', { baseURI: 'https://lab.example/kv/' });
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    const { store, page } = await open('https://lab.example/kv/?experiment=redundancy&keep=64');
    page.reachable = false;
    const record = await store.start();
    expect(record.faults).toEqual([{ code: 'page-offline', params: {} }]);
    expect(page.reloads).toBe(0);
  });

  it('with too few documents is refused in the link', async () => {
    const { store } = await open('https://lab.example/kv/?experiment=redundancy&documents=model-card&run=1');
    expect(store.run.value).toMatchObject({
      status: 'failed',
      fault: { code: 'documents-too-few', params: { count: 1, needed: 3 } },
    });
  });
});

describe('window.kvlab', () => {
  it.each([
    ['flat', { experiment: 'redundancy', documents: ['own:a', 'own:b', 'own:c'], keep: 64, pairs: 'all' }],
    [
      'as in a record, with settings that it does not use',
      {
        experiment: 'redundancy',
        tokens: [64],
        batch: [1],
        steps: 3,
        lang: null,
        redundancy: { documents: ['own:a', 'own:b', 'own:c'], keep: 64, pairs: 'all' },
      },
    ],
  ])('takes its recipe %s', async (_, recipe) => {
    const { kvlab, store, workers } = await open('https://lab.example/kv/');
    void kvlab.run(recipe as never);
    const worker = await begun(workers);
    expect(store.recipe.value.redundancy).toMatchObject({
      documents: ['own:a', 'own:b', 'own:c'],
      skip: 200,
      keep: 64,
      pairs: 'all',
    });
    kvlab.cancel();
    worker.report({ type: 'done', cancelled: true });
    await settle();
  });

  it('names the options when one is not known', async () => {
    const { kvlab } = await open('https://lab.example/kv/');
    await expect(kvlab.run({ experiment: 'redundancy', tokens: [64] })).rejects.toThrow(
      /“tokens” is not a valid value for recipe: use the options .*documents, skip, keep, split, pairs, context/,
    );
  });
});
