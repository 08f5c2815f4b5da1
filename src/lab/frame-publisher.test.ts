import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { framePublisher, HIDDEN_PUBLISH_MS } from './frame-publisher';
import { FakeFrames } from './testing';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('framePublisher', () => {
  it('publishes once for many changes within a frame', () => {
    const frames = new FakeFrames();
    const publish = vi.fn();
    const publisher = framePublisher(frames, publish);
    for (let i = 0; i < 1000; i += 1) publisher.schedule();
    expect(publish).not.toHaveBeenCalled();
    frames.next();
    expect(publish).toHaveBeenCalledOnce();
    vi.advanceTimersByTime(10 * HIDDEN_PUBLISH_MS);
    expect(publish).toHaveBeenCalledOnce();
  });

  it('publishes by timer in a hidden tab, where no frame comes', () => {
    const publish = vi.fn();
    framePublisher(new FakeFrames(), publish).schedule();
    vi.advanceTimersByTime(HIDDEN_PUBLISH_MS);
    expect(publish).toHaveBeenCalledOnce();
  });

  it('publishes nothing when nothing was scheduled', () => {
    const publish = vi.fn();
    framePublisher(new FakeFrames(), publish).flush();
    expect(publish).not.toHaveBeenCalled();
  });
});
