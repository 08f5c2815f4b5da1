/** Which records go into the history, and how often. */
import { signal } from '@preact/signals';
import { describe, expect, it, vi } from 'vitest';
import { LabError } from '../protocol/faults';
import type { LabRecord } from '../protocol/record';
import { redundancyRecord } from '../protocol/redundancy-record.fixture';
import { lengthRecord, skippedCell } from '../protocol/sample-record.fixture';
import { keepHistory, lastKept, type Keep } from './history-keeper';
import { IDLE, type RunState } from './run-state';
import { FakeStorage } from './testing';

function setUp(add = vi.fn<Keep['add']>(() => Promise.resolve({ dropped: 0 })), storage = new FakeStorage()) {
  const store = {
    record: signal<LabRecord | null>(null),
    run: signal<RunState>(IDLE),
    imported: signal(false),
  };
  const stop = keepHistory(store, storage, () => Promise.resolve({ add }));
  return { store, add, storage, stop };
}
const settle = () => new Promise((resolve) => setTimeout(resolve));
const cellsOnly = (status: LabRecord['status']): LabRecord => ({ ...lengthRecord(), status });

describe('keepHistory', () => {
  it('keeps a record once its run has ended, and once only', async () => {
    const { store, add } = setUp();
    store.run.value = { ...IDLE, status: 'running' };
    store.record.value = cellsOnly('running');
    expect(add).not.toHaveBeenCalled();
    store.record.value = cellsOnly('done');
    store.run.value = { ...IDLE, status: 'done' };
    await vi.waitFor(() => {
      expect(add).toHaveBeenCalledTimes(1);
    });
    store.run.value = IDLE;
    await settle();
    expect(add).toHaveBeenCalledTimes(1);
    expect(add.mock.calls[0]?.[0].status).toBe('done');
  });

  it.each(['cancelled', 'failed', 'interrupted'] as const)(
    'keeps what a %s run has measured',
    async (status) => {
      const { store, add } = setUp();
      store.record.value = cellsOnly(status);
      await vi.waitFor(() => {
        expect(add).toHaveBeenCalledTimes(1);
      });
    },
  );

  it('keeps pairs of layers, also where no size was measured', async () => {
    const { store, add } = setUp();
    store.record.value = { ...redundancyRecord(), cells: [] };
    await vi.waitFor(() => {
      expect(add).toHaveBeenCalledTimes(1);
    });
  });

  it('keeps no record in which nothing was measured, and no imported one', async () => {
    const { store, add } = setUp();
    store.record.value = { ...cellsOnly('failed'), cells: [skippedCell()] };
    store.imported.value = true;
    store.record.value = cellsOnly('done');
    await settle();
    expect(add).not.toHaveBeenCalled();
  });

  it('does not bring back after a reload what was kept before it', async () => {
    const storage = new FakeStorage();
    const first = setUp(undefined, storage);
    first.store.record.value = cellsOnly('done');
    await vi.waitFor(() => {
      expect(storage.items.size).toBe(1);
    });
    first.stop();
    const second = setUp(undefined, storage);
    second.store.record.value = cellsOnly('done');
    await settle();
    expect(second.add).not.toHaveBeenCalled();
  });

  it('says why a record could not be kept, and works on', async () => {
    const add = vi.fn<Keep['add']>(() => Promise.reject(new LabError('history-full')));
    const { store } = setUp(add);
    store.record.value = cellsOnly('done');
    await vi.waitFor(() => {
      expect(lastKept.value).toEqual({ fault: { code: 'history-full', params: {} } });
    });
    store.record.value = { ...cellsOnly('done'), createdAt: '2026-05-10T12:00:00.000Z' };
    await vi.waitFor(() => {
      expect(add).toHaveBeenCalledTimes(2);
    });
  });
});
