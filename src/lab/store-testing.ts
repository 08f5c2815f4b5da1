/** Runs of a store in fake surroundings, for its tests. The test has to use fake timers. Not part of the page. */
import { vi } from 'vitest';
import type { Fault } from '../protocol/faults';
import type { LabRecord } from '../protocol/record';
import { createStore } from './store';
import { fakeDeps, tinyCell } from './testing';

export const BASE = 'https://lab.example/kv/';
/** Two stops of the default model in one pass. */
export const TWO_STOPS = `${BASE}?tokens=64,128`;
export const lost: Fault = { code: 'device-lost', params: { detail: 'x' } };

/** Lets everything run that is due now; the clock is fake. */
export const settle = () => vi.advanceTimersByTimeAsync(0);

/** A store whose run of {@link TWO_STOPS} is going on. */
export async function running(url = TWO_STOPS, env = fakeDeps(url)) {
  const store = createStore(env.deps);
  await store.ready;
  const promise = store.start();
  await settle();
  return { ...env, store, promise };
}

/** The same run, ended as it should be. */
export async function finished(url = TWO_STOPS, env = fakeDeps(url)) {
  const run = await running(url, env);
  run.workers.last.report(tinyCell(0, 64));
  run.workers.last.report(tinyCell(0, 128));
  run.workers.last.report({ type: 'pass-done', passId: 0 });
  run.workers.last.report({ type: 'done', cancelled: false });
  return { ...run, record: await run.promise };
}

/** Tensor bytes of the cells, in order. */
export const bytes = (record: LabRecord | null) => record?.cells.map((cell) => cell.tensorBytes);
