/** The test function of all specs: a lab page, under watch. Any error, and any request to elsewhere, fails the test. */
import { test as base, expect, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { LabPage } from './lab-page';
import { Mocks } from './mocks';

/** Hosts of our own test servers. Everything else is the network, which no test may touch. */
const LOCAL = /^(?:https?|wss?):\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?\/|^(?:data|blob|about):/;

/** What went wrong in a page besides what the test looks at. */
export class Watch {
  readonly problems: string[] = [];
  private readonly allowed: RegExp[] = [];

  /** Names a problem that this test causes on purpose. */
  allow(pattern: RegExp): void {
    this.allowed.push(pattern);
  }

  /** Names another origin that this test serves itself. */
  allowOrigin(origin: string): void {
    this.allow(new RegExp(`^request to ${origin.replaceAll('.', '\\.')}/`));
  }

  add(problem: string): void {
    this.problems.push(problem);
  }

  unexpected(): string[] {
    return this.problems.filter((problem) => !this.allowed.some((pattern) => pattern.test(problem)));
  }

  /** Watches a page and its workers. */
  page(page: Page): void {
    page.on('pageerror', (error) => {
      this.add(`uncaught: ${error.message}`);
    });
    page.on('crash', () => {
      this.add('the page crashed');
    });
    page.on('console', (message) => {
      if (message.type() === 'error')
        this.add(`console.error: ${message.text()} (${message.location().url})`);
    });
  }

  /** Watches every page of a context, those to come too, and lets no request out. */
  async context(context: BrowserContext): Promise<void> {
    context.on('page', (page) => {
      this.page(page);
    });
    context.on('request', (request) => {
      if (!LOCAL.test(request.url())) this.add(`request to ${request.url()}`);
    });
    await context.route(
      (url) => !LOCAL.test(url.href),
      (route) => route.abort('blockedbyclient'),
    );
  }
}

/** The adapter that a page of ours gets in this browser; null when there is none. Printed, so that a log tells what ran. */
async function askForAdapter(browser: Browser, url: string): Promise<string | null> {
  const page = await browser.newPage();
  await page.goto(url);
  const adapter = await page.evaluate(async () => {
    const found = await (navigator as Partial<Navigator>).gpu?.requestAdapter();
    return found ? `${found.info.vendor} ${found.info.architecture}` : null;
  });
  await page.close();
  console.log(`WebGPU adapter of the test browser: ${adapter ?? 'none'}`);
  return adapter;
}

interface Fixtures {
  watch: Watch;
  lab: LabPage;
  mocks: Mocks;
}

export const test = base.extend<Fixtures, { adapter: string | null }>({
  // Here, and not where it is used: tests with other worker fixtures would need another worker, and so another browser.
  adapter: [
    async ({ browser }, use, { project }) => {
      await use(await askForAdapter(browser, project.use.baseURL ?? ''));
    },
    { scope: 'worker' },
  ],
  watch: [
    async ({ context }, use) => {
      const watch = new Watch();
      await watch.context(context);
      await use(watch);
      expect(watch.unexpected(), 'page errors, console errors and requests to elsewhere').toEqual([]);
    },
    { auto: true },
  ],
  lab: async ({ page }, use) => {
    await use(new LabPage(page));
  },
  mocks: async ({ page }, use) => {
    const mocks = new Mocks(page);
    await use(mocks);
    mocks.assertUsed();
  },
});

/** For tests that measure on WebGPU: without an adapter they are skipped by name, never passed. */
export const gpuTest = test.extend<{ needsAdapter: undefined }>({
  needsAdapter: [
    async ({ adapter }, use, testInfo) => {
      testInfo.skip(adapter === null, 'this browser has no WebGPU adapter');
      await use(undefined);
    },
    { auto: true },
  ],
});

export { expect };
