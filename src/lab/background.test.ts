import { describe, expect, it } from 'vitest';
import { BackgroundWatch } from './background';
import { FakePage } from './testing';

describe('BackgroundWatch', () => {
  it('remembers that the tab was hidden, until it is reset in a visible tab', () => {
    const page = new FakePage();
    const watch = new BackgroundWatch(page);
    expect(watch.seen).toBe(false);
    page.setHidden(true);
    page.setHidden(false);
    expect(watch.seen).toBe(true);
    watch.reset();
    expect(watch.seen).toBe(false);
    page.setHidden(true);
    watch.reset();
    expect(watch.seen).toBe(true);
  });

  it('hears nothing more after stop', () => {
    const page = new FakePage();
    const watch = new BackgroundWatch(page);
    watch.stop();
    page.setHidden(true);
    page.setHidden(false);
    expect(watch.seen).toBe(false);
    expect(page.visibilityListeners.size).toBe(0);
  });

  it('waits until the tab is visible, or the wait is cancelled', async () => {
    const page = new FakePage();
    const watch = new BackgroundWatch(page);
    await watch.visible(new AbortController().signal);
    page.setHidden(true);
    let back = false;
    const waiting = watch.visible(new AbortController().signal).then(() => (back = true));
    await Promise.resolve();
    expect(back).toBe(false);
    page.setHidden(false);
    await waiting;
    page.setHidden(true);
    const abort = new AbortController();
    const cancelled = watch.visible(abort.signal);
    abort.abort();
    await cancelled;
    // Only the watch itself still listens.
    expect(page.visibilityListeners.size).toBe(1);
  });
});
