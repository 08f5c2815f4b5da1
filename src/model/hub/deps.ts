/** What this library needs from outside, injected so that it runs in Node with fakes, and waiting that always ends. */
import { LabError } from '../../protocol/faults';

export interface HubDeps {
  fetch: typeof fetch;
  /** Null where there is no Cache API: a page that is not secure, or storage that is blocked. */
  caches: CacheStorage | null;
  /** `navigator.storage.estimate`: bytes used and allowed for this origin. */
  estimate: () => Promise<{ usage?: number; quota?: number }>;
  /** Resolves after `ms`; rejects as soon as the signal aborts. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** ms since 1970. */
  now: () => number;
}

/** Name of our own cache; transformers.js has one of its own, which is left alone. */
export const CACHE_NAME = 'kv-cache-lab-models';
/** ms without a byte after which a connection counts as stalled. */
export const STALL_MS = 20_000;
/** ms after which the browser's storage counts as stuck (Firefox: transformers.js issue 373). */
export const STORAGE_MS = 25_000;

/** Thrown by {@link within} when the time is up. */
export class TooSlow extends Error {
  override readonly name = 'TooSlow';
}

/** The page's own dependencies. */
export function browserDeps(): HubDeps {
  return {
    fetch: (input, init) => globalThis.fetch(input, init),
    caches: 'caches' in globalThis ? globalThis.caches : null,
    // Typed as always there, but missing in pages that are not secure.
    estimate: async () => (await (navigator.storage as StorageManager | undefined)?.estimate()) ?? {},
    wait: (ms, signal) =>
      new Promise((resolve, reject) => {
        const stop = (): void => {
          clearTimeout(timer);
          reject(new LabError('cancelled'));
        };
        const timer = setTimeout(() => {
          signal.removeEventListener('abort', stop);
          resolve();
        }, ms);
        if (signal.aborted) stop();
        else signal.addEventListener('abort', stop, { once: true });
      }),
    now: () => Date.now(),
  };
}

/**
 * The outcome of `work`, unless `ms` pass first or the signal aborts; work that never settles is left behind.
 * @throws TooSlow, LabError cancelled, or what `work` throws.
 */
export async function within<T>(
  deps: HubDeps,
  ms: number,
  signal: AbortSignal,
  work: Promise<T>,
): Promise<T> {
  if (signal.aborted) {
    work.catch(() => undefined);
    throw new LabError('cancelled');
  }
  const timer = new AbortController();
  const stop = (): void => {
    timer.abort();
  };
  signal.addEventListener('abort', stop);
  const late = deps.wait(ms, timer.signal).then(
    () => {
      throw new TooSlow(`nothing came for ${ms} ms`);
    },
    () => {
      throw new LabError('cancelled');
    },
  );
  try {
    return await Promise.race([late, work]);
  } catch (error) {
    // An aborted fetch rejects too, sometimes first: to the person it is one and the same.
    if (hasAborted(signal)) throw new LabError('cancelled');
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    timer.abort();
  }
}

/** A call, so that the compiler does not take an earlier answer for the present one. */
function hasAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}
