/** What this page has stored of models, as state of a component; read again after runs, look-ups and deletions. */
import { useSignal, type Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { isActive } from '../../lab/run-state';
import { browserDeps } from '../../model/hub/deps';
import { listStored, type StoredModel } from '../../model/hub/storage';
import { useUi } from '../context';
import { lookUps } from './models';

export interface Stored {
  models: StoredModel[];
  /** Bytes that this origin uses and may use; null where the browser does not tell. */
  usage: number | null;
  quota: number | null;
}

/** `attempt` does something with the storage and reads it again; false when that failed, and `problem` says how. */
export function useStored(): {
  stored: Signal<Stored | null>;
  problem: Signal<string | null>;
  attempt: (work?: (signal: AbortSignal) => Promise<void>) => Promise<boolean>;
} {
  const { store } = useUi();
  const stored = useSignal<Stored | null>(null);
  const problem = useSignal<string | null>(null);
  const active = isActive(store.run.value);
  // A look-up stores the small files that it reads.
  const found = [...lookUps.states.value.values()].filter(({ status }) => status === 'found').length;

  const attempt = async (work?: (signal: AbortSignal) => Promise<void>): Promise<boolean> => {
    const deps = browserDeps();
    const { signal } = new AbortController();
    problem.value = null;
    try {
      await work?.(signal);
      const models = await listStored(deps, signal);
      const { usage, quota } = await deps.estimate().catch(() => ({ usage: undefined, quota: undefined }));
      stored.value = { models, usage: usage ?? null, quota: quota ?? null };
      return true;
    } catch (error) {
      problem.value = error instanceof Error ? error.message : String(error);
      return false;
    }
  };

  useEffect(() => {
    if (!active) void attempt();
  }, [active, found]);
  return { stored, problem, attempt };
}
