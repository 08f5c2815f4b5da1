/** The opened history as state of a component: its entries, kept up to date, and what went wrong last. */
import { useSignal, type Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { openHistory, type DamagedEntry, type History, type HistoryEntry } from '../../lab/history';
import { toFault, type Fault } from '../../protocol/faults';

export type Item = HistoryEntry | DamagedEntry;

/** What went wrong, and with which entry; the name is null where it was the history itself. */
export interface Problem {
  fault: Fault;
  name: string | null;
}

export interface OpenedHistory {
  /** Null until the history was read. */
  items: Signal<Item[] | null>;
  problem: Signal<Problem | null>;
  /** Opens the history again after a failure. */
  retry: () => void;
  /** Does something with the history; a failure becomes the problem. True when it worked. */
  attempt: (name: string | null, work: (history: History) => Promise<void>) => Promise<boolean>;
}

export function useHistory(): OpenedHistory {
  const items = useSignal<Item[] | null>(null);
  const problem = useSignal<Problem | null>(null);
  const round = useSignal(0);
  const opened = useRef<Promise<History> | null>(null);

  const attempt: OpenedHistory['attempt'] = async (name, work) => {
    problem.value = null;
    try {
      await work(await (opened.current ?? openHistory()));
      return true;
    } catch (error) {
      problem.value = { fault: toFault(error, 'history-blocked'), name };
      return false;
    }
  };

  useEffect(() => {
    let gone = false;
    const opening = openHistory();
    opened.current = opening;
    // A refresh takes no message away: it may come from another tab.
    const refresh = async (history: History) => {
      try {
        const list = await history.list();
        if (!gone) items.value = list;
      } catch (error) {
        problem.value = { fault: toFault(error, 'history-blocked'), name: null };
      }
    };
    void attempt(null, async (history) => {
      if (gone) return;
      history.onChange(() => void refresh(history));
      await refresh(history);
    });
    return () => {
      gone = true;
      opening.then(
        (history) => {
          history.close();
        },
        () => undefined,
      );
    };
  }, [round.value]);

  return {
    items,
    problem,
    retry: () => {
      round.value += 1;
    },
    attempt,
  };
}
