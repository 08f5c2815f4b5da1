/** Process bytes in a run: taken where the browser has a meter, and null in words where it has none. */
import { describe, expect, it, vi } from 'vitest';
import { createStore } from './store';
import { fakeDeps } from './testing';

const BATCH = 'https://lab.example/kv/?experiment=batch&model=tiny&batch=1&repeats=1';

async function start(measureProcess: (() => Promise<number>) | null, url = BATCH) {
  const env = fakeDeps(url);
  env.deps.measureProcess = measureProcess;
  const store = createStore(env.deps);
  await store.ready;
  void store.start();
  const worker = await vi.waitFor(() => env.workers.last);
  env.page.next();
  return { store, worker };
}

describe('the batch experiment', () => {
  it('takes them where the browser has a meter, and answers the worker with its bytes', async () => {
    const { store, worker } = await start(() => Promise.resolve(155_400_000));
    expect(worker.passes.map(({ processBytes }) => processBytes)).toEqual([true]);
    expect(store.record.value?.notMeasured.process).toBeNull();
    worker.report({ type: 'process-wanted' });
    await vi.waitFor(() => {
      expect(worker.commands.at(-1)).toEqual({
        type: 'process-bytes',
        runId: worker.runId,
        bytes: 155_400_000,
      });
    });
  });

  it('answers with null when the meter refuses', async () => {
    const { worker } = await start(() => Promise.reject(new DOMException('not now', 'SecurityError')));
    worker.report({ type: 'process-wanted' });
    await vi.waitFor(() => {
      expect(worker.commands.at(-1)).toMatchObject({ type: 'process-bytes', bytes: null });
    });
  });

  it('says why they are missing where there is no meter, and answers with null should it be asked', async () => {
    const { store, worker } = await start(null);
    expect(worker.passes.map(({ processBytes }) => processBytes)).toEqual([false]);
    expect(store.record.value?.notMeasured.process).toBe(
      'this browser has no performance.measureUserAgentSpecificMemory, or the page is not cross-origin isolated',
    );
    worker.report({ type: 'process-wanted' });
    await vi.waitFor(() => {
      expect(worker.commands.at(-1)).toMatchObject({ type: 'process-bytes', bytes: null });
    });
  });
});

it('no other experiment takes them', async () => {
  const { store, worker } = await start(() => Promise.resolve(1), 'https://lab.example/kv/?tokens=64');
  expect(worker.passes.map(({ processBytes }) => processBytes)).toEqual([false]);
  expect(store.record.value?.notMeasured.process).toBe(
    'the browser’s figure for the whole page is not taken in this experiment',
  );
});
