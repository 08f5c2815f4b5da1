/** What survives a reload of the tab: the record, and the one reload that an outdated page may do by itself. */
import type { LabRecord } from '../protocol/record';

/** What is used of `sessionStorage`. */
export interface SessionStore {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

const RECORD_KEY = 'kvlab.record';
const RELOAD_KEY = 'kvlab.reload';

/** ms between two savings of a running record: serialising it costs time that the page needs for drawing. */
export const SAVE_INTERVAL_MS = 1000;

/** Keeps the newest record in the session storage; what cannot be stored (no storage, quota) is let go silently. */
export class SessionRecord {
  private lastSave = Number.NEGATIVE_INFINITY;
  private unsaved: LabRecord | null = null;

  constructor(
    private readonly storage: SessionStore | null,
    private readonly now: () => number,
  ) {}

  /** The JSON text that the page before this one left, or null. */
  read(): string | null {
    try {
      return this.storage?.getItem(RECORD_KEY) ?? null;
    } catch {
      return null;
    }
  }

  /** Saves at most once per {@link SAVE_INTERVAL_MS}; the rest waits for {@link flush}. */
  save(record: LabRecord): void {
    this.unsaved = record;
    if (this.now() - this.lastSave >= SAVE_INTERVAL_MS) this.flush();
  }

  /** Saves what has not been saved: at the end of a run, and when the page goes away. */
  flush(): void {
    if (this.unsaved === null) return;
    const text = JSON.stringify(this.unsaved);
    this.unsaved = null;
    this.lastSave = this.now();
    try {
      this.storage?.setItem(RECORD_KEY, text);
    } catch {
      // Over the quota: an older state would be worse than none.
      this.clear();
    }
  }

  clear(): void {
    this.unsaved = null;
    try {
      this.storage?.removeItem(RECORD_KEY);
    } catch {
      // No storage, nothing to clear.
    }
  }
}

/**
 * The guard of the one automatic reload: a page that was published anew lacks its old worker, and a reload helps once;
 * when it did not help, the person is told instead.
 */
export class ReloadGuard {
  constructor(private readonly storage: SessionStore | null) {}

  /** True when a reload is allowed; it then counts as done, and the next page is to start the run again. */
  take(): boolean {
    try {
      if (this.storage === null || this.storage.getItem(RELOAD_KEY) !== null) return false;
      this.storage.setItem(RELOAD_KEY, 'rerun');
      return true;
    } catch {
      // Without a memory of reloads there must be none: it could be a loop.
      return false;
    }
  }

  /** Whether this page was loaded by that reload; true only once, so that a reload by hand starts nothing. */
  isRerun(): boolean {
    try {
      if (this.storage?.getItem(RELOAD_KEY) !== 'rerun') return false;
      this.storage.setItem(RELOAD_KEY, 'used');
      return true;
    } catch {
      return false;
    }
  }

  /** The worker could be loaded: a later publication may reload again. */
  reset(): void {
    try {
      this.storage?.removeItem(RELOAD_KEY);
    } catch {
      // No storage, no guard.
    }
  }
}
