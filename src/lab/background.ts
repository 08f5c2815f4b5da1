/** Whether the tab was in the background: browsers throttle such tabs, so their times cannot be trusted. */

/** What is used of the page. */
export interface Visibility {
  isHidden(): boolean;
  /** @returns the function that stops listening. */
  onVisibilityChange(listener: () => void): () => void;
}

export class BackgroundWatch {
  private hidden: boolean;
  private readonly page: Visibility;
  readonly stop: () => void;

  constructor(page: Visibility) {
    this.page = page;
    this.hidden = page.isHidden();
    this.stop = page.onVisibilityChange(() => {
      this.hidden ||= page.isHidden();
    });
  }

  /** True when the tab was hidden at any time since the last {@link reset}. */
  get seen(): boolean {
    return this.hidden;
  }

  reset(): void {
    this.hidden = this.page.isHidden();
  }

  /** Settles when the tab is visible, at once when it is, and when `signal` aborts. */
  visible(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (!this.page.isHidden() || signal.aborted) {
        resolve();
        return;
      }
      const end = (): void => {
        if (this.page.isHidden() && !signal.aborted) return;
        stopListening();
        signal.removeEventListener('abort', end);
        resolve();
      };
      const stopListening = this.page.onVisibilityChange(end);
      signal.addEventListener('abort', end);
    });
  }
}
