/** Puts code before the page's own, in the page and in the measuring worker. */
import { expect, type Page } from '@playwright/test';

/** The worker's script in a build, at any base path. */
export const WORKER_SCRIPT = /\/assets\/lab\.worker-[\w-]+\.js$/;

export class Mocks {
  private workerMocks = 0;
  private workerHits = 0;

  constructor(private readonly page: Page) {}

  /** Runs code in the page before any script of its own. */
  async inPage(code: string): Promise<void> {
    await this.page.addInitScript({ content: code });
  }

  /**
   * Runs code in each measuring worker before anything it imports: the worker's script is sent with one more import,
   * its first (imports are evaluated in order). `addInitScript` does not reach workers.
   */
  async inWorker(code: string): Promise<void> {
    this.workerMocks += 1;
    await this.page.route('**/kvlab-test-mock.js', (route) =>
      route.fulfill({
        body: code,
        contentType: 'text/javascript',
        headers: {
          'Cross-Origin-Resource-Policy': 'same-origin',
          'Cross-Origin-Embedder-Policy': 'require-corp',
        },
      }),
    );
    await this.page.route(WORKER_SCRIPT, async (route) => {
      const response = await route.fetch();
      this.workerHits += 1;
      await route.fulfill({ response, body: `import './kvlab-test-mock.js';\n${await response.text()}` });
    });
  }

  /** How many workers got the mock. */
  get hits(): number {
    return this.workerHits;
  }

  /** Fails when a worker mock was set but no worker ever got it: the test would have tested nothing. */
  assertUsed(): void {
    if (this.workerMocks > 0) expect(this.workerHits, 'workers that got the mock').toBeGreaterThan(0);
  }
}
