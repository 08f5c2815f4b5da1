/** The long waits of a page's downloads: held, and ended when a test says so. No real time passes, and none can pass too early. */
import { expect, type Page } from '@playwright/test';
import type { Mocks } from './mocks';

/** ms of src/model/hub: the back-off between tries (request.ts), and the silence after which a connection counts as stalled (deps.ts). */
const HELD_MS = [1000, 2000, 4000, 20_000];

/** Holds the page's timers of those delays. Before the page is opened; its workers keep theirs. */
export async function holdTimers(mocks: Mocks): Promise<void> {
  await mocks.inPage((delays) => {
    const held = new Map<number, { ms: number; run: () => void }>();
    const start = window.setTimeout.bind(window);
    const stop = window.clearTimeout.bind(window);
    // The browser's own ids are above 0.
    let lastId = 0;
    const setTimeout = (handler: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): number => {
      if (!delays.includes(ms)) return start(handler, ms, ...args);
      lastId -= 1;
      held.set(lastId, {
        ms,
        run: () => {
          handler(...args);
        },
      });
      return lastId;
    };
    const clearTimeout = (id?: number): void => {
      if (id === undefined || !held.delete(id)) stop(id);
    };
    const endTimers = (ms: number): number => {
      const due = [...held].filter(([, timer]) => timer.ms === ms);
      for (const [id] of due) held.delete(id);
      for (const [, timer] of due) timer.run();
      return due.length;
    };
    Object.assign(window, { setTimeout, clearTimeout, endTimers });
  }, HELD_MS);
}

/** Waits until the page waits for exactly so many ms, once, and ends that wait. */
export async function endWait(page: Page, ms: number): Promise<void> {
  await expect
    .poll(
      () =>
        page.evaluate(
          (ended) => (window as unknown as { endTimers(ms: number): number }).endTimers(ended),
          ms,
        ),
      { timeout: 60_000, message: `the page waits for ${ms} ms` },
    )
    .toBe(1);
}
