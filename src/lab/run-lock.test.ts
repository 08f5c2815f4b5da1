import { describe, expect, it, vi } from 'vitest';
import { RUN_LOCK, takeRunLock } from './run-lock';
import { FakeLocks } from './testing';

const never = new AbortController().signal;

describe('takeRunLock', () => {
  it('takes a free lock without waiting, and gives it back', async () => {
    const locks = new FakeLocks();
    const onWait = vi.fn();
    const release = await takeRunLock(locks, never, onWait);
    expect(locks.held).toBe(RUN_LOCK);
    expect(onWait).not.toHaveBeenCalled();
    release?.();
    await vi.waitFor(() => {
      expect(locks.held).toBeNull();
    });
  });

  it('waits for the other tab, and says so', async () => {
    const locks = new FakeLocks();
    const first = await takeRunLock(locks, never, vi.fn());
    const onWait = vi.fn();
    const second = takeRunLock(locks, never, onWait);
    await vi.waitFor(() => {
      expect(onWait).toHaveBeenCalledOnce();
    });
    first?.();
    expect(await second).toBeTypeOf('function');
  });

  it('stops waiting when aborted, and leaves the lock to the other tab', async () => {
    const locks = new FakeLocks();
    await takeRunLock(locks, never, vi.fn());
    const abort = new AbortController();
    const second = takeRunLock(locks, abort.signal, () => {
      abort.abort();
    });
    expect(await second).toBeNull();
    expect(locks.held).toBe(RUN_LOCK);
  });

  it('goes on where there are no locks, or where they are refused', async () => {
    expect(await takeRunLock(null, never, vi.fn())).toBeTypeOf('function');
    const refusing = { request: () => Promise.reject(new Error('SecurityError')) };
    expect(await takeRunLock(refusing, never, vi.fn())).toBeTypeOf('function');
  });
});
