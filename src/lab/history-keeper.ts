/** Keeps every finished record of this page in the history. At first paint this is all that is loaded of it. */
import { effect, signal, type ReadonlySignal } from '@preact/signals';
import { toFault, type Fault } from '../protocol/faults';
import type { LabRecord } from '../protocol/record';
import { isActive } from './run-state';
import type { Store } from './store';

/** What of the history the keeper needs. */
export interface Keep {
  add: (record: LabRecord) => Promise<{ dropped: number }>;
}

/** What became of the newest record that should be kept; null before there was one. */
export type Kept = { fault: null; dropped: number } | { fault: Fault };

const KEPT_KEY = 'kvlab.kept';
const kept = signal<Kept | null>(null);

/** What the page says of the last record that was, or could not be, kept. */
export const lastKept: ReadonlySignal<Kept | null> = kept;

async function openKeep(): Promise<Keep> {
  return await (await import('./history')).openHistory();
}

function measured(record: LabRecord): boolean {
  return (
    record.cells.some((cell) => cell.tensorBytes !== null) ||
    record.growth.some((growth) => growth.promptBytes > 0) ||
    (record.redundancy?.pairs.length ?? 0) > 0
  );
}

/**
 * Adds each record of a run that has ended and measured something to the history, and those that a reload interrupted;
 * imported ones are another machine's. A record that the session storage brings back after a reload is not added again,
 * so that one deleted in the meantime stays deleted. Returns how to stop.
 * @param storage The session storage, or null where it is blocked.
 */
export function keepHistory(
  store: Pick<Store, 'record' | 'run' | 'imported'>,
  storage: Pick<Storage, 'getItem' | 'setItem'> | null = sessionStorageOrNull(),
  open: () => Promise<Keep> = openKeep,
): () => void {
  let history: Promise<Keep> | null = null;
  let last: string | null = storage?.getItem(KEPT_KEY) ?? null;

  const keep = async (record: LabRecord, id: string): Promise<void> => {
    try {
      history ??= open();
      const { dropped } = await (await history).add(record);
      kept.value = { fault: null, dropped };
      storage?.setItem(KEPT_KEY, id);
    } catch (error) {
      history = null;
      kept.value = { fault: toFault(error, 'page-outdated') };
    }
  };

  return effect(() => {
    const record = store.record.value;
    if (record === null || store.imported.value || isActive(store.run.value)) return;
    if (record.status === 'running' || !measured(record)) return;
    const id = `${record.createdAt} ${record.url} ${record.status}`;
    if (id === last) return;
    last = id;
    void keep(record, id);
  });
}

/** Reading the property alone throws where the person has blocked storage. */
function sessionStorageOrNull(): Storage | null {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}
