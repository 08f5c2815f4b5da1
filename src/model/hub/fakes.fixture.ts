/** A hub, a Cache API and a clock that do what a test tells them to. */
import type { HubDeps } from './deps';
import { STALL_MS, STORAGE_MS } from './deps';

export const HOST = 'https://hub.test';
export const COMMIT = '0123456789abcdef0123456789abcdef01234567';

/** A request as the fake hub saw it. */
export interface Seen {
  url: string;
  range: string | null;
}
type Respond = (seen: Seen, signal: AbortSignal | null) => Response | Promise<Response>;

/** A cache in memory. `beforePut` and `beforeMatch` can throw, or never settle. */
export class FakeCaches {
  readonly entries = new Map<string, { body: Blob; headers: [string, string][] }>();
  beforePut: (key: string) => Promise<void> = () => Promise.resolve();
  beforeMatch: (key: string) => Promise<void> = () => Promise.resolve();
  private opened = false;

  private readonly cache = {
    match: async (key: string | Request): Promise<Response | undefined> => {
      await this.beforeMatch(urlOf(key));
      const entry = this.entries.get(urlOf(key));
      return entry && new Response(entry.body, { headers: entry.headers });
    },
    put: async (key: string, response: Response): Promise<void> => {
      await this.beforePut(key);
      this.entries.set(key, { body: await response.blob(), headers: [...response.headers] });
    },
    delete: (key: string | Request): Promise<boolean> => Promise.resolve(this.entries.delete(urlOf(key))),
    keys: (): Promise<Request[]> => Promise.resolve([...this.entries.keys()].map((key) => new Request(key))),
  };

  readonly storage = {
    open: () => {
      this.opened = true;
      return Promise.resolve(this.cache);
    },
    has: () => Promise.resolve(this.opened),
    delete: () => {
      this.entries.clear();
      return Promise.resolve(true);
    },
  } as unknown as CacheStorage;

  /** Paths of all entries with their sizes in bytes, for instance `config.json?part=0&of=4` → 4. */
  sizes(): Record<string, number> {
    const short = (key: string): string => key.replace(/^.*\/resolve\/[0-9a-f]{40}\//, '');
    return Object.fromEntries([...this.entries].map(([key, { body }]) => [short(key), body.size]));
  }
}

/** Waits for a stalled connection or storage end when the test says so; all others (back-off) end at once and are written down. */
export class FakeClock {
  readonly backOffs: number[] = [];
  private readonly held = new Set<() => void>();

  readonly wait = (ms: number, signal: AbortSignal): Promise<void> => {
    if (signal.aborted) return Promise.reject(new Error('aborted'));
    if (ms !== STALL_MS && ms !== STORAGE_MS) {
      this.backOffs.push(ms);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      this.held.add(resolve);
      signal.addEventListener('abort', () => {
        this.held.delete(resolve);
        reject(new Error('aborted'));
      });
    });
  };

  /** Lets all waits that are under way run out. */
  expire(): void {
    for (const resolve of this.held) resolve();
    this.held.clear();
  }
}

export interface Fakes {
  deps: HubDeps;
  clock: FakeClock;
  caches: FakeCaches;
  seen: Seen[];
}

/** Dependencies whose hub answers as `respond` says. Bytes free by estimate: 1000 of 1500. */
export function fakes(respond: Respond, changes: Partial<HubDeps> = {}): Fakes {
  const clock = new FakeClock();
  const caches = new FakeCaches();
  const seen: Seen[] = [];
  const deps: HubDeps = {
    fetch: async (input, init) => {
      const request = { url: urlOf(input), range: new Headers(init?.headers).get('range') };
      seen.push(request);
      init?.signal?.throwIfAborted();
      return await respond(request, init?.signal ?? null);
    },
    caches: caches.storage,
    estimate: () => Promise.resolve({ usage: 500, quota: 1500 }),
    wait: clock.wait,
    now: () => 1_700_000_000_000,
    ...changes,
  };
  return { deps, clock, caches, seen };
}

/** A server that has one body and understands Range. */
export function serve(body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}): Respond {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  return ({ range }) => {
    const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
    if (from >= bytes.length && from > 0) return new Response(null, { status: 416 });
    const type = { 'content-type': 'application/octet-stream', ...headers };
    if (from === 0) return new Response(bytes, { headers: type });
    const partial = { ...type, 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` };
    return new Response(bytes.slice(from), { status: 206, headers: partial });
  };
}

/** A body that gives its pieces one by one and then breaks off, or stays open; `whenEmpty` is called when nothing is left. */
export function broken(pieces: string[], end: 'error' | 'open', whenEmpty?: () => void): ReadableStream {
  const left = pieces.map((piece) => new TextEncoder().encode(piece));
  return new ReadableStream(
    {
      pull: (controller) => {
        const piece = left.shift();
        if (piece) {
          controller.enqueue(piece);
          return;
        }
        if (end === 'error') controller.error(new TypeError('network error'));
        // After the reader has begun to wait.
        else setTimeout(() => whenEmpty?.(), 0);
      },
    },
    { highWaterMark: 0 },
  );
}

function urlOf(input: RequestInfo | URL): string {
  return input instanceof Request ? input.url : String(input);
}
