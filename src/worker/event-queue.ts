/** Lets callbacks feed an async generator: what is pushed comes out in order, until the queue is closed or fails. */
export class EventQueue<T> {
  private readonly waiting: T[] = [];
  private end: { error: Error | null } | null = null;
  private wake: (() => void) | null = null;

  push(event: T): void {
    if (this.end !== null) return;
    this.waiting.push(event);
    this.wake?.();
  }

  /** Ends the queue after what was pushed. The first end stands. */
  close(): void {
    this.end ??= { error: null };
    this.wake?.();
  }

  /** Ends it by throwing, after what was pushed. */
  fail(error: Error): void {
    this.end ??= { error };
    this.wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      const event = this.waiting.shift();
      if (event !== undefined) {
        yield event;
      } else if (this.end !== null) {
        if (this.end.error !== null) throw this.end.error;
        return;
      } else {
        await new Promise<void>((resolve) => (this.wake = resolve));
      }
    }
  }
}
