/** Fakes for the tests of this folder: a worker, locks, storage, frames. Not part of the page. */
import type { Command, Pass, Report, ReportMessage } from '../protocol/messages';
import type { Frames } from './frame-publisher';
import type { WorkerLike } from './lab-client';
import type { Locks } from './run-lock';
import type { SessionStore } from './session';

/** A worker whose side of the talk the test plays. */
export class FakeWorker implements WorkerLike {
  readonly commands: Command[] = [];
  terminated = false;
  private readonly listeners = new Map<string, ((event: never) => void)[]>();

  postMessage(command: Command): void {
    this.commands.push(command);
  }
  terminate(): void {
    this.terminated = true;
  }
  addEventListener(type: string, listener: (event: never) => void): void {
    this.listeners.set(type, [...(this.listeners.get(type) ?? []), listener]);
  }

  /** The passes that this worker was given. */
  get passes(): Pass[] {
    const [first] = this.commands;
    return first?.type === 'run' ? first.passes : [];
  }
  get runId(): number {
    return this.commands[0]?.runId ?? Number.NaN;
  }
  report(report: Report, runId = this.runId): void {
    this.emit('message', { data: { ...report, runId } satisfies ReportMessage });
  }
  emit(type: 'message' | 'error' | 'messageerror', event: unknown): void {
    for (const listener of this.listeners.get(type) ?? []) (listener as (event: unknown) => void)(event);
  }
}

/** Makes fake workers and remembers them. */
export class WorkerFactory {
  readonly made: FakeWorker[] = [];
  readonly spawn = (): FakeWorker => {
    const worker = new FakeWorker();
    this.made.push(worker);
    return worker;
  };
  /** The newest worker; throws when none was made. */
  get last(): FakeWorker {
    const worker = this.made.at(-1);
    if (worker === undefined) throw new Error('no worker was made');
    return worker;
  }
  get alive(): number {
    return this.made.filter((worker) => !worker.terminated).length;
  }
}

/** The part of the Web Locks API that the lab uses, for one lock. */
export class FakeLocks implements Locks {
  held: string | null = null;
  private readonly queue: (() => void)[] = [];

  async request(
    name: string,
    options: { ifAvailable?: boolean; signal?: AbortSignal },
    callback: (lock: unknown) => unknown,
  ): Promise<unknown> {
    if (this.held !== null) {
      if (options.ifAvailable === true) return callback(null);
      await new Promise<void>((resolve, reject) => {
        this.queue.push(resolve);
        const abort = (): void => {
          reject(new DOMException('aborted', 'AbortError'));
        };
        if (options.signal?.aborted === true) abort();
        options.signal?.addEventListener('abort', abort);
      });
    }
    this.held = name;
    try {
      return await callback({ name });
    } finally {
      this.held = null;
      this.queue.shift()?.();
    }
  }
}

/** A session storage in memory, with an optional quota in characters. */
export class FakeStorage implements SessionStore {
  readonly items = new Map<string, string>();
  constructor(private readonly quota = Number.POSITIVE_INFINITY) {}

  getItem(key: string): string | null {
    return this.items.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    if (value.length > this.quota) throw new DOMException('full', 'QuotaExceededError');
    this.items.set(key, value);
  }
  removeItem(key: string): void {
    this.items.delete(key);
  }
}

/** Animation frames that come when the test says so. */
export class FakeFrames implements Frames {
  private readonly waiting = new Map<number, () => void>();
  private handle = 0;

  requestFrame(callback: () => void): number {
    this.handle += 1;
    this.waiting.set(this.handle, callback);
    return this.handle;
  }
  cancelFrame(handle: number): void {
    this.waiting.delete(handle);
  }
  next(): void {
    const callbacks = [...this.waiting.values()];
    this.waiting.clear();
    for (const callback of callbacks) callback();
  }
}
