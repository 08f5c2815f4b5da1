/** The history: records kept in this browser's IndexedDB. Loaded only when there is something to keep or to show. */
import * as v from 'valibot';
import { describeFault, LabError, toFault } from '../protocol/faults';
import type { LabRecord } from '../protocol/record';
import { parseRecordText, RECORD_LIMIT_BYTES } from '../protocol/schemas';
import { HISTORY_NAME, HistoryDatabase } from './history-db';
import { NAME_LIMIT, summaryOf, summarySchema, type Summary } from './history-summary';
import { trusted } from './imported';

/** A record in the list. */
export interface HistoryEntry extends Summary {
  damaged: false;
  key: string;
}

/** An entry whose summary cannot be read; it can only be removed. */
export interface DamagedEntry {
  damaged: true;
  key: string;
}

export interface History {
  /**
   * Keeps a record; one of the same time and link replaces the entry and leaves its name. Resolves to the entry's key and to
   * how many entries had to go to stay within the limits.
   * @throws LabError record-too-large, or one of the history-… faults, as all methods.
   */
  add: (record: LabRecord) => Promise<{ key: string; dropped: number }>;
  /** Newest first; damaged entries last. */
  list: () => Promise<(HistoryEntry | DamagedEntry)[]>;
  /** @throws LabError history-gone when there is no such entry, history-damaged when its record cannot be read. */
  read: (key: string) => Promise<LabRecord>;
  /** Cuts the name to 100 characters; an empty one takes the name away. @throws LabError history-gone, history-damaged. */
  rename: (key: string, name: string) => Promise<void>;
  remove: (key: string) => Promise<void>;
  clear: () => Promise<void>;
  /** Calls back after every change, also one of another tab. Returns how to stop that. */
  onChange: (listener: () => void) => () => void;
  close: () => void;
}

/** What is kept at most; over it, the oldest entries go, those without a name first. */
export interface HistoryLimits {
  records: number;
  /** UTF-8 bytes of all records. */
  bytes: number;
}

export const HISTORY_LIMITS: HistoryLimits = { records: 200, bytes: 100 * 2 ** 20 };

/** Two runs cannot start at the same millisecond with the same link. */
const keyOf = (record: LabRecord): string => `${record.createdAt} ${record.url}`;

function parseEntry(key: string, value: unknown): HistoryEntry | DamagedEntry {
  const parsed = v.safeParse(summarySchema, value);
  return parsed.success ? { damaged: false, key, ...parsed.output } : { damaged: true, key };
}

const time = (entry: HistoryEntry | DamagedEntry): number =>
  entry.damaged ? Number.NEGATIVE_INFINITY : Date.parse(entry.createdAt);

/** Keys of the entries that have to go: damaged ones, then the oldest without a name, then the oldest. Never `kept`. */
function surplus(
  entries: readonly (HistoryEntry | DamagedEntry)[],
  limits: HistoryLimits,
  kept: string,
): string[] {
  const size = (entry: HistoryEntry | DamagedEntry): number => (entry.damaged ? 0 : entry.bytes);
  const rank = (entry: HistoryEntry | DamagedEntry): number =>
    !entry.damaged && entry.name !== null ? 1 : 0;
  const order = entries
    .filter((entry) => entry.key !== kept)
    .sort((a, b) => rank(a) - rank(b) || time(a) - time(b));
  let records = entries.length;
  let bytes = entries.reduce((sum, entry) => sum + size(entry), 0);
  const going: string[] = [];
  for (const entry of order) {
    if (records <= limits.records && bytes <= limits.bytes) break;
    going.push(entry.key);
    records -= 1;
    bytes -= size(entry);
  }
  return going;
}

/** Tells the other handles of this browser, in this page and in other tabs, that the history changed. */
class Changes {
  private readonly channel = new BroadcastChannel(HISTORY_NAME);
  private readonly listeners = new Set<() => void>();

  constructor() {
    this.channel.onmessage = () => {
      this.tell();
    };
  }
  listen(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
  announce(): void {
    this.channel.postMessage('changed');
    this.tell();
  }
  close(): void {
    this.channel.close();
  }
  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}

async function entriesOf(summaries: {
  getAll: () => Promise<unknown[]>;
  getAllKeys: () => Promise<string[]>;
}): Promise<(HistoryEntry | DamagedEntry)[]> {
  const [keys, values] = await Promise.all([summaries.getAllKeys(), summaries.getAll()]);
  return keys.map((key, index) => parseEntry(key, values[index]));
}

/**
 * Opens the history of this browser.
 * @throws LabError history-blocked when the browser keeps nothing (private window, blocked storage), history-other-tab when an
 *   older tab holds it, history-newer when a newer version of the page made it.
 */
export async function openHistory(limits = HISTORY_LIMITS): Promise<History> {
  const database = new HistoryDatabase();
  // What makes it unusable is said here, not at the first use.
  await database.read(() => Promise.resolve());
  const changes = new Changes();
  const write: HistoryDatabase['write'] = async (work) => {
    const result = await database.write(work);
    changes.announce();
    return result;
  };

  return {
    async add(record) {
      const json = JSON.stringify(record);
      const bytes = new TextEncoder().encode(json).length;
      if (bytes > RECORD_LIMIT_BYTES) {
        throw new LabError('record-too-large', { bytes, limit: RECORD_LIMIT_BYTES });
      }
      const key = keyOf(record);
      const dropped = await write(async ({ summaries, records }) => {
        const entries = await entriesOf(summaries);
        const before = entries.find((entry) => entry.key === key);
        const name = before === undefined || before.damaged ? null : before.name;
        const summary: Summary = { ...summaryOf(record, bytes), name };
        const after = entries.filter((other) => other !== before);
        const going = surplus([...after, { damaged: false, key, ...summary }], limits, key);
        // Room first: a storage that is full may not be after the deletions.
        await Promise.all(going.flatMap((old) => [summaries.delete(old), records.delete(old)]));
        await Promise.all([summaries.put(summary, key), records.put(json, key)]);
        return going.length;
      });
      return { key, dropped };
    },

    async list() {
      const entries = await database.read((db) => entriesOf(db.transaction('summaries').store));
      return entries.sort((a, b) => time(b) - time(a));
    },

    async read(key) {
      const json = await database.read((db) => db.get('records', key));
      if (json === undefined) throw new LabError('history-gone');
      try {
        if (typeof json !== 'string') throw new TypeError('it is no text');
        return trusted(parseRecordText(json));
      } catch (error) {
        throw new LabError('history-damaged', { detail: describeFault(toFault(error, 'record-not-json')) });
      }
    },

    async rename(key, name) {
      const cut = name.trim().slice(0, NAME_LIMIT);
      await write(async ({ summaries }) => {
        const value = await summaries.get(key);
        if (value === undefined) throw new LabError('history-gone');
        const entry = v.safeParse(summarySchema, value);
        if (!entry.success) throw new LabError('history-damaged', { detail: entry.issues[0].message });
        await summaries.put({ ...entry.output, name: cut === '' ? null : cut }, key);
      });
    },

    async remove(key) {
      await write(({ summaries, records }) => Promise.all([summaries.delete(key), records.delete(key)]));
    },

    async clear() {
      await write(({ summaries, records }) => Promise.all([summaries.clear(), records.clear()]));
    },

    onChange: (listener) => changes.listen(listener),
    close() {
      changes.close();
      database.close();
    },
  };
}
