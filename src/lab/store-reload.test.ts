import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { encodeResults } from '../record/link';
import { createStore } from './store';
import { BASE, bytes, finished, running, settle, TWO_STOPS } from './store-testing';
import { fakeDeps, tinyCell } from './testing';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a reload', () => {
  it('in mid-run brings the numbers back as interrupted', async () => {
    const before = await running();
    before.workers.last.report(tinyCell(0, 64));
    before.page.leave();
    const after = fakeDeps(TWO_STOPS);
    const store = createStore({ ...after.deps, storage: before.storage });
    await store.ready;
    expect(store.run.value).toMatchObject({ status: 'interrupted', fault: { code: 'interrupted' } });
    expect(store.record.value?.status).toBe('interrupted');
    expect(bytes(store.record.value)).toEqual([131072, null]);
    expect(after.workers.made).toHaveLength(0);
  });

  it('keeps a finished record for its own recipe only', async () => {
    const { storage, record } = await finished();
    const same = createStore({ ...fakeDeps(`${TWO_STOPS}&lang=ko`).deps, storage });
    await same.ready;
    expect(same.record.value).toEqual(record);
    expect(same.run.value.status).toBe('done');
    const other = createStore({ ...fakeDeps(`${BASE}?tokens=64`).deps, storage });
    await other.ready;
    expect(other.record.value).toBeNull();
    expect(other.run.value.status).toBe('idle');
  });

  it('is not disturbed by a storage with something else in it', async () => {
    const env = fakeDeps(TWO_STOPS);
    env.storage.setItem('kvlab.record', '{"schema":"kvlab.record/9"}');
    const store = createStore(env.deps);
    await store.ready;
    expect(store.run.value.status).toBe('idle');
    expect(store.notices.value).toEqual([]);
  });

  it('E7: happens by itself once when the worker is gone, with the URL kept, then the message comes', async () => {
    const env = fakeDeps(TWO_STOPS);
    const first = await running(TWO_STOPS, env);
    first.workers.last.emit('error', {});
    await settle();
    expect(env.page.reloads).toBe(1);
    expect(env.page.url()).toBe(TWO_STOPS);
    expect(first.store.run.value.status).toBe('running');

    const again = fakeDeps(TWO_STOPS);
    const store = createStore({ ...again.deps, storage: env.storage });
    await store.ready;
    await settle();
    again.workers.last.emit('error', {});
    await settle();
    expect(again.page.reloads).toBe(0);
    expect(store.run.value).toMatchObject({ status: 'failed', fault: { code: 'page-outdated' } });
  });

  it('E7: does not happen when the server is gone, or when there are numbers to lose', async () => {
    const offline = fakeDeps(TWO_STOPS);
    offline.page.reachable = false;
    const run = await running(TWO_STOPS, offline);
    run.workers.last.emit('error', {});
    expect((await run.promise).status).toBe('failed');
    expect(offline.page.reloads).toBe(0);

    const measured = await running();
    measured.workers.last.report(tinyCell(0, 64));
    measured.workers.last.report({
      type: 'pass-failed',
      passId: 0,
      fault: { code: 'page-outdated', params: {} },
    });
    const record = await measured.promise;
    expect(bytes(record)).toEqual([131072, null]);
    expect(record.faults).toHaveLength(1);
    expect(measured.page.reloads).toBe(0);
  });
});

describe('results to compare with', () => {
  it('come from the link, whose run then says the same', async () => {
    const { record } = await finished();
    const { store } = await finished(TWO_STOPS + (await encodeResults(record)));
    expect(store.expected.value?.source).toBe('link');
    expect(store.comparison.value?.verdict).toBe('same');
  });

  it('are ignored with a notice when damaged; the settings still work', async () => {
    const env = fakeDeps(`${TWO_STOPS}&run=1#r=1.AAAA`);
    const store = createStore(env.deps);
    await store.ready;
    expect(store.notices.value.map((notice) => notice.fault.code)).toEqual(['link-damaged']);
    await settle();
    expect(env.workers.alive).toBe(1);
  });

  it('stay when a skip link changes the hash, and go when they are cleared', async () => {
    const { record } = await finished();
    const hash = await encodeResults(record);
    const env = fakeDeps(TWO_STOPS + hash);
    const store = createStore(env.deps);
    await store.ready;
    env.page.go('#main');
    await settle();
    expect(store.expected.value).not.toBeNull();
    store.setRecipe({ batch: [2] });
    expect(env.page.url()).toBe(`${BASE}?batch=2&tokens=64,128#main`);
    store.clearExpected();
    expect(store.expected.value).toBeNull();
    expect(env.page.url()).toBe(`${BASE}?batch=2&tokens=64,128`);
  });
});
