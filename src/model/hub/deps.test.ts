/** The page's own waiting: it ends by time or by cancelling, and never keeps a timer. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { browserDeps, TooSlow, within } from './deps';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('waits, unless the signal aborts before or meanwhile', async () => {
  const { wait } = browserDeps();
  const stop = new AbortController();
  const whole = wait(1000, stop.signal);
  vi.advanceTimersByTime(1000);
  await expect(whole).resolves.toBeUndefined();
  const cut = wait(1000, stop.signal);
  stop.abort();
  await expect(cut).rejects.toThrow('Cancelled.');
  await expect(wait(1000, stop.signal)).rejects.toThrow('Cancelled.');
  expect(vi.getTimerCount()).toBe(0);
});

it('gives the outcome of work that is in time, and clears its timer', async () => {
  const { signal } = new AbortController();
  await expect(within(browserDeps(), 1000, signal, Promise.resolve(5))).resolves.toBe(5);
  const failing = Promise.reject(new RangeError('no'));
  await expect(within(browserDeps(), 1000, signal, failing)).rejects.toThrow(RangeError);
  expect(vi.getTimerCount()).toBe(0);
});

it('leaves work that is too slow', async () => {
  const never = new Promise(() => undefined);
  const late = within(browserDeps(), 1000, new AbortController().signal, never);
  vi.advanceTimersByTime(1000);
  await expect(late).rejects.toThrow(TooSlow);
});

it('calls everything cancelled once the signal has aborted', async () => {
  const stop = new AbortController();
  const work = new Promise((_, reject) => {
    stop.signal.addEventListener('abort', () => {
      reject(new TypeError('network error'));
    });
  });
  const outcome = within(browserDeps(), 1000, stop.signal, work);
  stop.abort();
  await expect(outcome).rejects.toThrow('Cancelled.');
  await expect(within(browserDeps(), 1000, stop.signal, Promise.resolve(1))).rejects.toThrow('Cancelled.');
});
