/** The history: what is kept, listed, named, dropped; IndexedDB is fake-indexeddb's. */
import { IDBFactory } from 'fake-indexeddb';
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { growthRecord, lengthRecord, QWEN, GPT2 } from '../protocol/sample-record.fixture';
import type { LabRecord } from '../protocol/record';
import { openHistory, type History } from './history';
import { HistoryDatabase } from './history-db';

const open: History[] = [];
async function history(limits?: Parameters<typeof openHistory>[0]): Promise<History> {
  const opened = await openHistory(limits);
  open.push(opened);
  return opened;
}
/** A record of the given day of May 2026. */
const on = (day: number, patch: Partial<LabRecord> = {}): LabRecord => ({
  ...lengthRecord(),
  createdAt: `2026-05-${String(day).padStart(2, '0')}T12:00:00.000Z`,
  ...patch,
});
const days = async (kept: History): Promise<(string | null)[]> =>
  (await kept.list()).map((entry) => (entry.damaged ? null : entry.createdAt.slice(8, 10)));
const fault = (promise: Promise<unknown>) =>
  promise.then(
    () => 'none',
    (error: unknown) => (error as { fault?: { code?: string } }).fault?.code,
  );

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory());
});
afterEach(() => {
  for (const each of open.splice(0)) each.close();
  vi.unstubAllGlobals();
});

describe('a record that is kept', () => {
  it('comes back as it was', async () => {
    const kept = await history();
    const { key, dropped } = await kept.add(growthRecord());
    expect(dropped).toBe(0);
    expect((await kept.read(key)).growth).toEqual(growthRecord().growth);
  });

  it('is listed by its summary, without a name', async () => {
    const kept = await history();
    await kept.add(lengthRecord());
    expect(await kept.list()).toMatchObject([
      {
        damaged: false,
        name: null,
        createdAt: '2026-05-09T12:00:00.000Z',
        status: 'done',
        experiment: 'length',
        models: [QWEN, GPT2],
        measured: 3,
        equal: 3,
        backend: 'webgpu',
        adapter: 'google swiftshader',
        badges: { twin: true, software: true, wasm: false, background: false },
      },
    ]);
  });

  it('counts decode steps as measured points', async () => {
    const kept = await history();
    await kept.add(growthRecord(128, 32));
    expect(await kept.list()).toMatchObject([{ experiment: 'growth', measured: 32, equal: 32 }]);
  });

  it('is one entry however often it is saved, and keeps its name', async () => {
    const kept = await history();
    const { key } = await kept.add(on(1));
    await kept.rename(key, 'laptop');
    await kept.add(on(1, { status: 'interrupted' }));
    expect(await kept.list()).toMatchObject([{ key, name: 'laptop', status: 'interrupted' }]);
  });
});

describe('the list', () => {
  it('is newest first, whatever the order of saving', async () => {
    const kept = await history();
    for (const day of [2, 9, 4]) await kept.add(on(day));
    expect(await days(kept)).toEqual(['09', '04', '02']);
  });

  it('outlives the page', async () => {
    const { key } = await (await history()).add(on(1));
    expect(await (await history()).list()).toMatchObject([{ key }]);
  });

  it('tells other tabs of a change', async () => {
    const [here, there] = [await history(), await history()];
    const told = new Promise<void>((resolve) => there.onChange(resolve));
    await here.add(on(1));
    await told;
    expect(await days(there)).toEqual(['01']);
  });
});

describe('names', () => {
  it('are cut to 100 characters, and an empty one is none', async () => {
    const kept = await history();
    const { key } = await kept.add(on(1));
    await kept.rename(key, ` ${'n'.repeat(120)} `);
    expect(await kept.list()).toMatchObject([{ name: 'n'.repeat(100) }]);
    await kept.rename(key, '  ');
    expect(await kept.list()).toMatchObject([{ name: null }]);
  });

  it('cannot be given to what another tab deleted', async () => {
    const kept = await history();
    const { key } = await kept.add(on(1));
    await (await history()).remove(key);
    expect(await fault(kept.rename(key, 'x'))).toBe('history-gone');
    expect(await fault(kept.read(key))).toBe('history-gone');
  });
});

describe('deleting', () => {
  it('takes one, or all', async () => {
    const kept = await history();
    const { key } = await kept.add(on(1));
    for (const day of [2, 3]) await kept.add(on(day));
    await kept.remove(key);
    expect(await days(kept)).toEqual(['03', '02']);
    await kept.clear();
    expect(await days(kept)).toEqual([]);
  });
});

describe('limits', () => {
  it('drop the oldest entry without a name, never the new one', async () => {
    const kept = await history({ records: 2, bytes: 1e9 });
    const { key } = await kept.add(on(2));
    await kept.rename(key, 'kept');
    await kept.add(on(3));
    // Older than both, and stays all the same: it was just measured or imported.
    expect(await kept.add(on(1))).toMatchObject({ dropped: 1 });
    expect(await days(kept)).toEqual(['02', '01']);
  });

  it('drop the oldest named entry when all have names', async () => {
    const kept = await history({ records: 2, bytes: 1e9 });
    for (const day of [1, 2]) await kept.rename((await kept.add(on(day))).key, `day ${String(day)}`);
    await kept.add(on(3));
    expect(await days(kept)).toEqual(['03', '02']);
  });

  it('count bytes as well', async () => {
    const size = new TextEncoder().encode(JSON.stringify(on(1))).length;
    const kept = await history({ records: 200, bytes: 2 * size });
    for (const day of [1, 2, 3]) await kept.add(on(day));
    expect(await days(kept)).toEqual(['03', '02']);
  });
});

describe('damaged entries', () => {
  const spoil = (summary: unknown, record: unknown) =>
    new HistoryDatabase().write(({ summaries, records }) =>
      Promise.all([summaries.put(summary, 'bad'), records.put(record, 'bad')]),
    );

  it('of the list are named, come last, and can be deleted', async () => {
    const kept = await history();
    await kept.add(on(1));
    await spoil({ createdAt: 5 }, '{}');
    expect(await kept.list()).toMatchObject([{ damaged: false }, { damaged: true, key: 'bad' }]);
    expect(await fault(kept.rename('bad', 'x'))).toBe('history-damaged');
    await kept.remove('bad');
    expect(await days(kept)).toEqual(['01']);
  });

  it.each([
    ['no text', 7],
    ['no JSON', '{'],
    ['no record', '{"schema":"kvlab.record/1"}'],
  ])('with %s in place of the record are refused', async (_, record) => {
    const kept = await history();
    await spoil({}, record);
    expect(await fault(kept.read('bad'))).toBe('history-damaged');
  });

  it('have their ratios and checks worked out anew, as those of a file', async () => {
    const kept = await history();
    const { key } = await kept.add(
      on(1, { cells: lengthRecord().cells.map((cell) => ({ ...cell, tensorBytes: 1, ratio: 1 })) }),
    );
    // 1 / 3,145,728
    expect((await kept.read(key)).cells[0]?.ratio).toBeCloseTo(3.1789e-7, 10);
  });
});
