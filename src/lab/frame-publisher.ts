/** Publishes at most once per animation frame, however often the measurement reports, also in a hidden tab. */

export interface Frames {
  requestFrame(callback: () => void): number;
  cancelFrame(handle: number): void;
}

/** ms after which a change is published though no frame came: a hidden tab gets no frames. */
export const HIDDEN_PUBLISH_MS = 250;

export interface FramePublisher {
  /** Asks for one publication, at the next frame. */
  schedule(): void;
  /** Publishes now, when something is scheduled. */
  flush(): void;
}

export function framePublisher(frames: Frames, publish: () => void): FramePublisher {
  let pending: { frame: number; timer: ReturnType<typeof setTimeout> } | null = null;
  const flush = (): void => {
    if (pending === null) return;
    frames.cancelFrame(pending.frame);
    clearTimeout(pending.timer);
    pending = null;
    publish();
  };
  return {
    schedule() {
      pending ??= { frame: frames.requestFrame(flush), timer: setTimeout(flush, HIDDEN_PUBLISH_MS) };
    },
    flush,
  };
}
