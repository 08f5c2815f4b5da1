import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { effect } from '@preact/signals';
import type { Fault } from '../protocol/faults';
import { createStore } from './store';
import { bytes, finished, lost, running, settle, TWO_STOPS } from './store-testing';
import { fakeDeps, SWIFTSHADER, tinyCell } from './testing';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a run', () => {
  it('goes from the recipe to a closed record, and leaves no worker and no lock', async () => {
    const { store, record, workers, locks } = await finished();
    expect(workers.made[0]?.passes[0]?.work).toEqual({ kind: 'length', stops: [64, 128], steps: 0 });
    expect(record.status).toBe('done');
    expect(bytes(record)).toEqual([131072, 262144]);
    expect(record.cells.map((cell) => cell.ratio)).toEqual([1, 1]);
    expect(store.record.value).toBe(record);
    expect(store.run.value).toMatchObject({ status: 'done', progress: 1, fault: null, etaMs: null });
    expect(workers.alive).toBe(0);
    await settle();
    expect(locks.held).toBeNull();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('publishes the record at most once per frame', async () => {
    const { store, workers, page } = await running();
    page.next();
    let writes = 0;
    const stop = effect(() => {
      writes += store.record.value === null ? 0 : 1;
    });
    writes = 0;
    workers.last.report(tinyCell(0, 64));
    workers.last.report(tinyCell(0, 128));
    expect(writes).toBe(0);
    page.next();
    expect(writes).toBe(1);
    expect(bytes(store.record.value)).toEqual([131072, 262144]);
    stop();
  });

  it('B9: is the only one, however often Run is pressed', async () => {
    const { store, workers, promise } = await running();
    expect(store.start()).toBe(promise);
    await settle();
    expect(workers.made).toHaveLength(1);
  });

  it('waits for a run in another tab, and can be cancelled while it waits', async () => {
    const env = fakeDeps(TWO_STOPS);
    let releaseOther: () => void = () => undefined;
    void env.locks.request('kvlab-run', {}, () => new Promise<void>((resolve) => (releaseOther = resolve)));
    const { store, workers, page, promise } = await running(TWO_STOPS, env);
    page.next();
    expect(store.run.value.status).toBe('waiting');
    expect(workers.made).toHaveLength(0);
    store.cancel();
    expect((await promise).status).toBe('cancelled');
    expect(store.run.value.status).toBe('cancelled');
    expect(store.record.value).toBeNull();

    const second = store.start();
    await settle();
    expect(workers.made).toHaveLength(0);
    releaseOther();
    await settle();
    expect(workers.alive).toBe(1);
    store.cancel();
    await vi.advanceTimersByTimeAsync(1000);
    expect((await second).status).toBe('cancelled');
  });

  it('goes on where the browser has no locks', async () => {
    const env = fakeDeps(TWO_STOPS);
    const { workers } = await running(TWO_STOPS, { ...env, deps: { ...env.deps, locks: null } });
    expect(workers.alive).toBe(1);
  });

  it('keeps what was measured when cancelled, with a reason for the rest', async () => {
    const { store, workers, promise } = await running();
    workers.last.report(tinyCell(0, 64));
    store.cancel();
    await vi.advanceTimersByTimeAsync(1000);
    const record = await promise;
    expect(record.status).toBe('cancelled');
    expect(bytes(record)).toEqual([131072, null]);
    expect(record.cells[1]?.fault?.code).toBe('cancelled');
    expect(store.run.value).toMatchObject({ status: 'cancelled', fault: { code: 'cancelled' } });
    expect(workers.alive).toBe(0);
  });

  it('C19: leaves one worker at most in 20 starts and stops, and runs again afterwards', async () => {
    const env = fakeDeps(TWO_STOPS);
    const store = createStore(env.deps);
    await store.ready;
    for (let i = 0; i < 20; i += 1) {
      const promise = store.start();
      await settle();
      expect(env.workers.alive).toBe(1);
      store.cancel();
      await vi.advanceTimersByTimeAsync(1000);
      await promise;
    }
    expect(env.workers.made).toHaveLength(20);
    expect(env.workers.alive).toBe(0);
  });

  it('has failed when nothing at all could be measured', async () => {
    const { store, workers, promise } = await running();
    const fault: Fault = { code: 'runtime-load-failed', params: { detail: '404' } };
    workers.last.report({ type: 'pass-failed', passId: 0, fault });
    const record = await promise;
    expect(record.status).toBe('failed');
    expect(record.cells.map((cell) => cell.fault?.code)).toEqual([
      'runtime-load-failed',
      'runtime-load-failed',
    ]);
    expect(store.run.value).toMatchObject({ status: 'failed', fault });
  });

  it('is done when a part of it failed, and the fault is there to be shown', async () => {
    const { store, workers, promise } = await running();
    workers.last.report(tinyCell(0, 64));
    workers.last.report({ type: 'pass-failed', passId: 0, fault: lost });
    const record = await promise;
    expect(record.status).toBe('done');
    expect(record.faults).toEqual([lost]);
    expect(record.cells[1]?.fault).toEqual(lost);
    expect(store.run.value).toMatchObject({ status: 'done', fault: lost });
  });
});

describe('what stands in the way', () => {
  it('A1, A9: no GPU fails the run with its sentence; WASM is never taken by itself', async () => {
    const env = fakeDeps(TWO_STOPS);
    const fault: Fault = { code: 'webgpu-no-adapter', params: {} };
    env.deps.probe = () => Promise.resolve({ ...SWIFTSHADER, fault, adapter: null });
    const store = createStore(env.deps);
    const record = await store.start();
    expect(record).toMatchObject({ status: 'failed', faults: [fault] });
    expect(record.cells.map((cell) => [cell.device, cell.fault?.code])).toEqual([
      ['webgpu', 'webgpu-no-adapter'],
      ['webgpu', 'webgpu-no-adapter'],
    ]);
    expect(store.run.value).toMatchObject({ status: 'failed', fault });
    expect(store.recipe.value.device).toBe('webgpu');
    expect(env.workers.made).toHaveLength(0);

    store.setRecipe({ device: 'wasm' });
    void store.start();
    await settle();
    expect(env.workers.last.passes[0]?.device).toBe('wasm');
  });

  it('A5: float16 without shader-f16 skips every cell before anything is loaded', async () => {
    const env = fakeDeps(`${TWO_STOPS}&dtype=fp16`);
    const store = createStore(env.deps);
    await store.start();
    expect(store.record.value?.cells.map((cell) => cell.fault?.code)).toEqual([
      'fp16-unsupported',
      'fp16-unsupported',
    ]);
    expect(store.run.value.fault?.code).toBe('fp16-unsupported');
    expect(env.workers.made).toHaveLength(0);
  });

  it('A6: a cache tensor over the adapter’s buffer limits is refused before anything runs, but not on WASM', async () => {
    // Keys of one layer of tiny: 2 heads x 32 x 4 bytes = 256 bytes a token, so 64 tokens fit and 128 do not.
    const limits = { maxBufferSize: 1073741824, maxStorageBufferBindingSize: 16384 };
    const env = fakeDeps(TWO_STOPS);
    env.deps.probe = () => Promise.resolve({ ...SWIFTSHADER, limits });
    const { workers, page, store, promise } = await running(TWO_STOPS, env);
    expect(workers.last.passes[0]?.work).toEqual({ kind: 'length', stops: [64], steps: 0 });
    page.next();
    expect(store.record.value?.cells.map((cell) => [cell.tokens, cell.fault?.code])).toEqual([
      [128, 'buffer-too-large'],
    ]);
    store.cancel();
    await vi.advanceTimersByTimeAsync(1000);
    await promise;
    store.setRecipe({ device: 'wasm' });
    void store.start();
    await settle();
    expect(workers.last.passes[0]?.work).toEqual({ kind: 'length', stops: [64, 128], steps: 0 });
  });

  it('float16 runs on WASM, and on a GPU with shader-f16', async () => {
    const wasm = await running(`${TWO_STOPS}&dtype=fp16&device=wasm`);
    expect(wasm.workers.alive).toBe(1);
    const env = fakeDeps(`${TWO_STOPS}&dtype=fp16`);
    env.deps.probe = () => Promise.resolve({ ...SWIFTSHADER, features: ['shader-f16'] });
    expect((await running(`${TWO_STOPS}&dtype=fp16`, env)).workers.alive).toBe(1);
  });

  it('an unknown model runs nothing, and leaves the record on the page', async () => {
    const { store, record, workers } = await finished();
    store.setRecipe({ model: ['twin:nothing'] });
    const refused = await store.start();
    expect(refused).toMatchObject({ status: 'failed', faults: [{ code: 'recipe-unknown-model' }] });
    expect(store.record.value).toBe(record);
    expect(workers.made).toHaveLength(1);
  });
});

describe('a tab in the background', () => {
  it('marks what was measured while it was hidden, also in part', async () => {
    const { workers, page, store } = await running();
    page.setHidden(true);
    page.setHidden(false);
    workers.last.report(tinyCell(0, 64));
    workers.last.report(tinyCell(0, 128));
    page.next();
    expect(store.record.value?.cells.map((cell) => cell.background)).toEqual([true, false]);
  });

  it('A13: starts a fresh worker after a lost device only when the tab is visible', async () => {
    const { workers, page } = await running();
    page.setHidden(true);
    workers.last.report({ type: 'pass-failed', passId: 0, fault: lost });
    await settle();
    expect(workers.made).toHaveLength(1);
    page.setHidden(false);
    await settle();
    expect(workers.made).toHaveLength(2);
    expect(workers.last.passes[0]?.work).toEqual({ kind: 'length', stops: [128], steps: 0 });
  });

  it('can be cancelled while it waits to be visible', async () => {
    const { workers, page, store, promise } = await running();
    page.setHidden(true);
    workers.last.report({ type: 'pass-failed', passId: 0, fault: lost });
    await settle();
    store.cancel();
    expect((await promise).status).toBe('cancelled');
    expect(workers.made).toHaveLength(1);
  });
});
