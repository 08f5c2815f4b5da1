/** The history's database with two tabs, blocked storage, a full disk; IndexedDB is fake-indexeddb's. */
import { IDBFactory } from 'fake-indexeddb';
import 'fake-indexeddb/auto';
import { openDB } from 'idb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HISTORY_NAME, HistoryDatabase } from './history-db';

const code = (error: unknown): unknown => (error as { fault?: { code?: string } }).fault?.code;
const failure = (promise: Promise<unknown>): Promise<unknown> => promise.then(() => 'none', code);
const put = (database: HistoryDatabase, key: string) =>
  database.write(({ summaries, records }) => Promise.all([summaries.put({}, key), records.put('x', key)]));
const keys = (database: HistoryDatabase) => database.read((db) => db.getAllKeys('records'));

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory());
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe('two tabs', () => {
  it('an older one gives way to an upgrade, and then says that it is old', async () => {
    const older = new HistoryDatabase(1);
    await put(older, 'a');
    const newer = new HistoryDatabase(2);
    expect(await keys(newer)).toEqual(['a']);
    expect(await failure(keys(older))).toBe('history-newer');
  });

  it('a newer one that is kept waiting says so, and works once the other is closed', async () => {
    // A tab that does not listen for versionchange, as a suspended one.
    const suspended = await openDB(HISTORY_NAME, 1, {
      upgrade: (db) => {
        db.createObjectStore('summaries');
        db.createObjectStore('records');
      },
    });
    const newer = new HistoryDatabase(2);
    expect(await failure(keys(newer))).toBe('history-other-tab');
    suspended.close();
    expect(await keys(newer)).toEqual([]);
  });
});

describe('storage', () => {
  it('that is blocked is named with the reason, and asked again at the next call', async () => {
    const factory = new IDBFactory();
    const database = new HistoryDatabase();
    const refusing = {
      open: () => {
        throw new DOMException('The operation is insecure.', 'SecurityError');
      },
    };
    vi.stubGlobal('indexedDB', refusing);
    await expect(keys(database)).rejects.toMatchObject({
      fault: { code: 'history-blocked', params: { detail: 'The operation is insecure' } },
    });
    vi.stubGlobal('indexedDB', factory);
    expect(await keys(database)).toEqual([]);
  });

  it('that is missing altogether is named too', async () => {
    vi.stubGlobal('indexedDB', undefined);
    expect(await failure(keys(new HistoryDatabase()))).toBe('history-blocked');
  });

  it('that is full is named', async () => {
    const full = new DOMException('full', 'QuotaExceededError');
    expect(await failure(new HistoryDatabase().write(() => Promise.reject(full)))).toBe('history-full');
  });

  it('keeps nothing of a change that failed half-way', async () => {
    const database = new HistoryDatabase();
    await put(database, 'a');
    const half = database.write(async ({ records }) => {
      await records.delete('a');
      await records.put('x', 'b');
      throw new Error('half-way');
    });
    expect(await failure(half)).toBe('history-blocked');
    expect(await keys(database)).toEqual(['a']);
  });
});
