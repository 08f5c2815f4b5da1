/** The database behind the history: opening, giving way to other tabs, and transactions that either happen or do not. */
import { openDB, type DBSchema, type IDBPDatabase, type IDBPObjectStore } from 'idb';
import { LabError, toFault } from '../protocol/faults';

export const HISTORY_NAME = 'kvlab-history';
const VERSION = 1;

/** Two stores with the same keys, so that the list reads no record. What comes out of them is not trusted. */
interface Schema extends DBSchema {
  summaries: { key: string; value: unknown };
  /** Records as JSON text. */
  records: { key: string; value: unknown };
}

const STORES = ['summaries', 'records'] as const;
type Store<Name extends 'summaries' | 'records'> = IDBPObjectStore<
  Schema,
  ('summaries' | 'records')[],
  Name,
  'readwrite'
>;

/** What the browser's storage threw, as a fault with a clear sentence. */
function storageError(error: unknown): LabError {
  if (error instanceof LabError) return error;
  const name = error instanceof Error ? error.name : '';
  if (name === 'QuotaExceededError') return new LabError('history-full');
  if (name === 'VersionError') return new LabError('history-newer');
  const { detail = '' } = toFault(error, 'history-blocked');
  // The sentence goes on after it.
  return new LabError('history-blocked', { detail: detail.replace(/[.\s]+$/, '') }, detail);
}

function open(version: number, closed: () => void): Promise<IDBPDatabase<Schema>> {
  return new Promise((resolve, reject) => {
    let refused = false;
    openDB<Schema>(HISTORY_NAME, version, {
      upgrade: (db, oldVersion) => {
        if (oldVersion > 0) return;
        for (const store of STORES) db.createObjectStore(store);
      },
      blocked: () => {
        // An older tab was asked to let go and did not. It may be suspended, so waiting could take for ever.
        refused = true;
        reject(new LabError('history-other-tab'));
      },
      blocking: closed,
      terminated: closed,
    }).then((db) => {
      if (refused) db.close();
      else resolve(db);
    }, reject);
  });
}

/** A connection that is opened when needed, and given up when another tab wants to upgrade or the browser ends it. */
export class HistoryDatabase {
  private opened: Promise<IDBPDatabase<Schema>> | null = null;

  constructor(private readonly version = VERSION) {}

  /** @throws LabError history-blocked, history-full, history-newer, history-other-tab, or what `work` throws as one. */
  async read<T>(work: (db: IDBPDatabase<Schema>) => Promise<T>): Promise<T> {
    try {
      return await work(await this.connect());
    } catch (error) {
      throw storageError(error);
    }
  }

  /** Does `work` in one transaction over both stores; when it throws, nothing of it has happened. Throws as {@link read}. */
  async write<T>(
    work: (stores: { summaries: Store<'summaries'>; records: Store<'records'> }) => Promise<T>,
  ): Promise<T> {
    return await this.read(async (db) => {
      const transaction = db.transaction([...STORES], 'readwrite');
      // The reason of a failed request is often only in the transaction; it is looked at below.
      transaction.done.catch(() => undefined);
      try {
        const result = await work({
          summaries: transaction.objectStore('summaries'),
          records: transaction.objectStore('records'),
        });
        await transaction.done;
        return result;
      } catch (error) {
        const { error: reason } = transaction;
        if (reason === null) abort(transaction);
        throw reason ?? error;
      }
    });
  }

  close(): void {
    const { opened } = this;
    this.opened = null;
    opened?.then(
      (db) => {
        db.close();
      },
      () => undefined,
    );
  }

  private async connect(): Promise<IDBPDatabase<Schema>> {
    this.opened ??= open(this.version, () => {
      this.close();
    });
    try {
      return await this.opened;
    } catch (error) {
      // The next call tries again: storage may have been allowed since, or the other tab closed.
      this.opened = null;
      throw error;
    }
  }
}

function abort(transaction: { abort: () => void }): void {
  try {
    transaction.abort();
  } catch {
    // It has ended by itself.
  }
}
