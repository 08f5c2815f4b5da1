import { describe, expect, it } from 'vitest';
import { startRecord } from '../experiments/assemble';
import { defaultRecipe } from '../protocol/recipe';
import { ReloadGuard, SAVE_INTERVAL_MS, SessionRecord } from './session';
import { FakeStorage } from './testing';

const record = (createdAt: string) =>
  startRecord({
    recipe: defaultRecipe(),
    url: 'https://lab.example/',
    plan: { passes: [], skipped: [], totalUnits: 0 },
    createdAt,
    processReason: null,
  });
const savedAt = (session: SessionRecord): unknown =>
  (JSON.parse(session.read() ?? '{}') as { createdAt?: unknown }).createdAt;

describe('SessionRecord', () => {
  it('saves at once, then at most once per interval, and the rest when flushed', () => {
    let now = 0;
    const session = new SessionRecord(new FakeStorage(), () => now);
    session.save(record('first'));
    expect(savedAt(session)).toBe('first');
    now = SAVE_INTERVAL_MS - 1;
    session.save(record('second'));
    expect(savedAt(session)).toBe('first');
    session.flush();
    expect(savedAt(session)).toBe('second');
    now = 3 * SAVE_INTERVAL_MS;
    session.save(record('third'));
    expect(savedAt(session)).toBe('third');
  });

  it('keeps no older state when the newest does not fit', () => {
    const fits = JSON.stringify(record('1')).length;
    const session = new SessionRecord(new FakeStorage(fits), () => 0);
    session.save(record('1'));
    session.save(record('longer'));
    session.flush();
    expect(session.read()).toBeNull();
  });

  it('does without a storage, and with one that refuses everything', () => {
    const refuse = (): never => {
      throw new DOMException('denied', 'SecurityError');
    };
    for (const storage of [null, { getItem: refuse, setItem: refuse, removeItem: refuse }]) {
      const session = new SessionRecord(storage, () => 0);
      session.save(record('1'));
      expect(session.read()).toBeNull();
      expect(new ReloadGuard(storage).take()).toBe(false);
      expect(new ReloadGuard(storage).isRerun()).toBe(false);
    }
  });
});

describe('ReloadGuard', () => {
  it('E7: allows one reload, of which the next page starts the run again only once', () => {
    const storage = new FakeStorage();
    expect(new ReloadGuard(storage).isRerun()).toBe(false);
    expect(new ReloadGuard(storage).take()).toBe(true);
    const next = new ReloadGuard(storage);
    expect(next.isRerun()).toBe(true);
    expect(next.take()).toBe(false);
    expect(new ReloadGuard(storage).isRerun()).toBe(false);
  });

  it('allows another one after a worker was loaded in between', () => {
    const guard = new ReloadGuard(new FakeStorage());
    guard.take();
    guard.reset();
    expect(guard.take()).toBe(true);
  });
});
