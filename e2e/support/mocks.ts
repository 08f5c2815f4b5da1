/** Puts code before the page's own, in the page and in the measuring worker. */
import { expect, type Page } from '@playwright/test';

/** The worker's script in a build, at any base path. */
export const WORKER_SCRIPT = /\/assets\/lab\.worker-[\w-]+\.js$/;

/** Name of the script that carries a worker mock. It is in no build: the route below answers for it. */
const MOCK_SCRIPT = 'kvlab-test-mock.js';

export class Mocks {
  private workerMock = false;
  private workerHits = 0;

  constructor(private readonly page: Page) {}

  /** Runs a function in the page before any script of its own. It must not use anything from outside itself. */
  async inPage<T>(code: (arg: T) => void, arg: T): Promise<void> {
    await this.page.addInitScript({ content: `(${code.toString()})(${JSON.stringify(arg)})` });
  }

  /**
   * Runs a function in each measuring worker before anything that it imports: the worker's script is sent with one more
   * import, its first (imports are evaluated in order). `addInitScript` does not reach workers. One mock a test.
   * @param options.first only the first worker gets it; a fresh one is as it should be.
   */
  async inWorker<T>(code: (arg: T) => void, arg: T, { first = false } = {}): Promise<void> {
    this.workerMock = true;
    const body = `(${code.toString()})(${JSON.stringify(arg)})`;
    await this.page.route(`**/${MOCK_SCRIPT}`, (route) =>
      route.fulfill({
        body,
        contentType: 'text/javascript',
        headers: {
          'Cross-Origin-Resource-Policy': 'same-origin',
          'Cross-Origin-Embedder-Policy': 'require-corp',
        },
      }),
    );
    await this.page.route(WORKER_SCRIPT, async (route) => {
      this.workerHits += 1;
      if (first && this.workerHits > 1) {
        await route.continue();
        return;
      }
      const response = await route.fetch();
      await route.fulfill({ response, body: `import './${MOCK_SCRIPT}';\n${await response.text()}` });
    });
  }

  /** How many workers were started. */
  get hits(): number {
    return this.workerHits;
  }

  /** Fails when a worker mock was set but no worker ever got it: the test would have tested nothing. */
  assertUsed(): void {
    if (this.workerMock) expect(this.workerHits, 'workers that got the mock').toBeGreaterThan(0);
  }
}
