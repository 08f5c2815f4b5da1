/** Fakes for the tests of this folder: a worker, locks, storage, frames. Not part of the page. */
import type { Command, Pass, Report, ReportMessage } from '../protocol/messages';
import type { GpuProbe } from './environment';
import type { Frames } from './frame-publisher';
import type { WorkerLike } from './lab-client';
import type { Page, StoreDeps } from './page';
import type { Locks } from './run-lock';
import { nothingOpened } from './opening';
import { runOnce } from './run';
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
          const place = this.queue.indexOf(resolve);
          if (place >= 0) this.queue.splice(place, 1);
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

/** A page whose address, visibility and frames the test sets. */
export class FakePage extends FakeFrames implements Page {
  hidden = false;
  reloads = 0;
  reloaded = false;
  reachable = true;
  readonly visibilityListeners = new Set<() => void>();
  private urlListeners: (() => void)[] = [];
  private hideListeners: (() => void)[] = [];

  constructor(public address = 'https://lab.example/kv/') {
    super();
  }
  url(): string {
    return this.address;
  }
  replaceUrl(url: string): void {
    this.address = new URL(url, this.address).href;
  }
  onUrlChange(listener: () => void): void {
    this.urlListeners.push(listener);
  }
  /** What Back, Forward or another hash does. */
  go(url: string): void {
    this.replaceUrl(url);
    for (const listener of this.urlListeners) listener();
  }
  isHidden(): boolean {
    return this.hidden;
  }
  setHidden(hidden: boolean): void {
    this.hidden = hidden;
    for (const listener of this.visibilityListeners) listener();
  }
  onVisibilityChange(listener: () => void): () => void {
    this.visibilityListeners.add(listener);
    return () => this.visibilityListeners.delete(listener);
  }
  onPageHide(listener: () => void): void {
    this.hideListeners.push(listener);
  }
  leave(): void {
    for (const listener of this.hideListeners) listener();
  }
  isReload(): boolean {
    return this.reloaded;
  }
  isReachable(): Promise<boolean> {
    return Promise.resolve(this.reachable);
  }
  reload(): void {
    this.reloads += 1;
  }
}

/** An adapter as the machines of this project have it. */
export const SWIFTSHADER: GpuProbe = {
  status: 'ready',
  fault: null,
  adapter: { vendor: 'google', architecture: 'swiftshader', device: '', description: '', fallback: true },
  features: ['subgroups', 'timestamp-query'],
  limits: { maxBufferSize: 1073741824 },
  crossOriginIsolated: true,
  threads: 2,
};

/** A store's surroundings, all fake. */
export function fakeDeps(url?: string) {
  const page = new FakePage(url);
  const workers = new WorkerFactory();
  const locks = new FakeLocks();
  const storage = new FakeStorage();
  const deps: StoreDeps = {
    page,
    spawn: workers.spawn,
    locks,
    storage,
    probe: () => Promise.resolve(SWIFTSHADER),
    openModels: ({ recipe }) => Promise.resolve(nothingOpened(recipe)),
    run: runOnce,
    measureProcess: null,
    now: () => Date.now(),
    today: () => '2026-10-01T12:00:00.000Z',
  };
  return { deps, page, workers, locks, storage };
}

/** A cell of `tiny` (4 layers x 2 KV heads x 32, keys and values) in fp32: 2,048 bytes a token. */
export function tinyCell(passId: number, tokens: number): Report {
  return {
    type: 'cell',
    passId,
    cell: {
      tokens,
      tensorBytes: 2048 * tokens,
      residentBytes: null,
      deviceBytes: { before: null, after: null, peak: null },
      processBytesBefore: null,
      processBytes: null,
      logitsBytes: 1024,
      prefillMs: 10,
    },
  };
}
