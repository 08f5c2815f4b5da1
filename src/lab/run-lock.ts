/** One measurement at a time in this browser: two tabs on one GPU would spoil each other's times and totals. */

/** What is used of `navigator.locks`. */
export interface Locks {
  request(
    name: string,
    options: { ifAvailable?: boolean; signal?: AbortSignal },
    callback: (lock: unknown) => unknown,
  ): Promise<unknown>;
}

export const RUN_LOCK = 'kvlab-run';

/** Gives the lock back. */
export type Release = () => void;

/**
 * Takes the run lock. When another tab holds it, calls `onWait` once and waits until that tab is done. Where the
 * browser has no locks, or refuses them, the run goes on without.
 * @returns the release function, or null when `signal` aborted while waiting.
 */
export async function takeRunLock(
  locks: Locks | null,
  signal: AbortSignal,
  onWait: () => void,
): Promise<Release | null> {
  if (locks === null) return () => undefined;
  try {
    const free = await request(locks, { ifAvailable: true });
    if (free !== null) return free;
    onWait();
    return await request(locks, { signal });
  } catch {
    return signal.aborted ? null : () => undefined;
  }
}

function request(
  locks: Locks,
  options: { ifAvailable?: boolean; signal?: AbortSignal },
): Promise<Release | null> {
  return new Promise((resolve, reject) => {
    locks
      .request(RUN_LOCK, options, (lock) => {
        if (lock === null) {
          resolve(null);
          return undefined;
        }
        // The lock is held for as long as this promise is pending.
        return new Promise<void>((release) => {
          resolve(release);
        });
      })
      .catch(reject);
  });
}
