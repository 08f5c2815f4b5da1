/** The look-ups of this page: each model's state by its id, one request at a time for each. */
import { signal } from '@preact/signals';
import type { LookedUp } from '../../lab/look-up';
import { toFault, type Fault } from '../../protocol/faults';

export type LookUpState =
  | { status: 'looking' }
  | { status: 'found'; found: LookedUp; notices: readonly Fault[] }
  | { status: 'failed'; fault: Fault };

/** Looks one model up. @throws LabError */
export type Find = (id: string, signal: AbortSignal, onNotice: (fault: Fault) => void) => Promise<LookedUp>;

export class LookUps {
  /** By model id; a found model is also there under its id with the commit, which it has after a run. */
  readonly states = signal<ReadonlyMap<string, LookUpState>>(new Map());
  private readonly running = new Map<string, AbortController>();

  constructor(private readonly find: Find) {}

  /** Looks a model up, again when it was before. Null when that failed (its state says why) or was overtaken. */
  async look(id: string): Promise<LookedUp | null> {
    this.running.get(id)?.abort();
    const abort = new AbortController();
    this.running.set(id, abort);
    const current = (): boolean => this.running.get(id) === abort;
    const notices: Fault[] = [];
    this.set(id, { status: 'looking' });
    try {
      const found = await this.find(id, abort.signal, (fault) => notices.push(fault));
      if (!current()) return null;
      const state = { status: 'found', found, notices } as const;
      this.set(id, state);
      this.set(found.pinned, state);
      return found;
    } catch (error) {
      if (current()) {
        this.set(id, { status: 'failed', fault: toFault(error, 'model-load-failed', { model: id }) });
      }
      return null;
    } finally {
      if (current()) this.running.delete(id);
    }
  }

  /** Forgets a model and ends its look-up. */
  forget(id: string): void {
    this.running.get(id)?.abort();
    this.running.delete(id);
    this.states.value = new Map([...this.states.value].filter(([key]) => key !== id));
  }

  /** Forgets all: another hub may have other models under these ids. */
  clear(): void {
    for (const abort of this.running.values()) abort.abort();
    this.running.clear();
    this.states.value = new Map();
  }

  private set(id: string, state: LookUpState): void {
    this.states.value = new Map([...this.states.value, [id, state]]);
  }
}
