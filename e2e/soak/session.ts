/** One page in which all runs of a soak happen, without a reload. */
import type { Page } from 'playwright';
import type { LabRecord } from '../../src/protocol/record';
import type {} from '../support/headless';
import { WORKER_SCRIPT } from '../support/mocks';
import type { SoakRun } from './plan';
import { CHANNEL, disturb, type Disturbance, type Fired } from './worker-mock';

declare global {
  interface Window {
    /** What the soak's page remembers; after a reload there is no channel. */
    soak: { fired: string[]; channel: BroadcastChannel | null };
  }
}

/** What was seen of one run. */
export interface Observed {
  /** null when the recipe was refused, or the run never ended. */
  record: LabRecord | null;
  /** Why the recipe was refused. */
  refusal: string | null;
  /** False when the run reported no end within {@link STUCK_MS}. */
  ended: boolean;
  /** Whether the worker told that it did what it was to do. */
  fired: boolean;
  /** `data-lab` afterwards. */
  state: string;
  /** Workers that were left. */
  workers: number;
  /** Whether the page was reloaded meanwhile. */
  reloaded: boolean;
  /** Uncaught errors and console errors. */
  errors: string[];
  ms: number;
}

/** ms after which a run is stuck. One takes seconds; a busy machine with a software GPU, a minute. */
const STUCK_MS = 10 * 60_000;
/** ms that the page gets to end its workers and to say that it is done. */
const SETTLE_MS = 5000;
const MOCK_SCRIPT = 'kvlab-soak-mock.js';
const HEADERS = {
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

/** tsx keeps the names of functions by a helper, which a function that is sent as text does not bring along. */
const KEEP_NAMES = 'globalThis.__name ??= (value) => value;';

export class SoakSession {
  /** For the next worker; taken by the first that asks. */
  private pending: Disturbance | null = null;
  private errors: string[] = [];

  private constructor(readonly page: Page) {}

  /** Opens the lab in a fresh page. */
  static async open(page: Page, url: string): Promise<SoakSession> {
    const session = new SoakSession(page);
    page.on('pageerror', ({ message }) => session.errors.push(message));
    page.on('console', (message) => {
      if (message.type() === 'error') session.errors.push(message.text());
    });
    await session.inject();
    await page.addInitScript({ content: `${KEEP_NAMES}\nwindow.soak = { fired: [], channel: null };` });
    await page.goto(url);
    await page.waitForFunction(() => typeof (window as Partial<Window>).kvlab?.run === 'function');
    await page.evaluate((name) => {
      window.soak.channel = new BroadcastChannel(name);
      window.soak.channel.onmessage = ({ data }: MessageEvent<Fired>) => {
        window.soak.fired.push(data.kind);
        if (data.kind === 'cancel') window.kvlab.cancel();
      };
    }, CHANNEL);
    return session;
  }

  /** Sends the worker's script with one more import, its first, while there is something to go wrong. */
  private async inject(): Promise<void> {
    let script = '';
    await this.page.route(`**/${MOCK_SCRIPT}`, (route) =>
      route.fulfill({ body: script, contentType: 'text/javascript', headers: HEADERS }),
    );
    await this.page.route(WORKER_SCRIPT, async (route) => {
      const disturbance = this.pending;
      this.pending = null;
      if (disturbance === null) {
        await route.continue();
        return;
      }
      script = `${KEEP_NAMES}\n(${disturb.toString()})(${JSON.stringify({ disturbance, channel: CHANNEL })})`;
      const response = await route.fetch();
      await route.fulfill({ response, body: `import './${MOCK_SCRIPT}';\n${await response.text()}` });
    });
  }

  /** Runs one recipe and looks at what is left of it. */
  async run({
    query,
    disturbance,
    cancelMs,
  }: Pick<SoakRun, 'query' | 'disturbance' | 'cancelMs'>): Promise<Observed> {
    const { page } = this;
    this.pending = disturbance;
    this.errors = [];
    const startedAt = Date.now();
    const outcome = await this.outcome(query, cancelMs);
    const ms = Date.now() - startedAt;
    this.pending = null;
    const until = Date.now() + SETTLE_MS;
    const stateNow = (): Promise<string> =>
      page.evaluate(() => document.documentElement.dataset['lab'] ?? '');
    let state = await stateNow();
    while ((state === 'running' || page.workers().length > 0) && Date.now() < until) {
      await page.waitForTimeout(50);
      state = await stateNow();
    }
    const soak = await page.evaluate(() => ({
      fired: window.soak.fired.splice(0),
      reloaded: window.soak.channel === null,
    }));
    return {
      ...outcome,
      fired: soak.fired.length > 0,
      reloaded: soak.reloaded,
      state,
      workers: page.workers().length,
      errors: this.errors,
      ms,
    };
  }

  private async outcome(
    query: string,
    cancelMs: number | null,
  ): Promise<Pick<Observed, 'record' | 'refusal' | 'ended'>> {
    const run = this.page
      .evaluate(
        ([recipe, cancelAfter]) => {
          const promise = window.kvlab.run(recipe);
          if (cancelAfter !== null) {
            const timer = setTimeout(() => {
              window.kvlab.cancel();
            }, cancelAfter);
            // A run that ended before it must not have the next one cancelled.
            const forget = (): void => {
              clearTimeout(timer);
            };
            promise.then(forget, forget);
          }
          return promise;
        },
        [query, cancelMs] as const,
      )
      .then(
        (record) => ({ record, refusal: null, ended: true }),
        (error: unknown) => ({ record: null, refusal: String(error).split('\n')[0] ?? '', ended: true }),
      );
    let timer: NodeJS.Timeout | undefined;
    const stuck = new Promise<{ record: null; refusal: null; ended: false }>((resolve) => {
      timer = setTimeout(resolve, STUCK_MS, { record: null, refusal: null, ended: false });
    });
    return await Promise.race([run, stuck]).finally(() => {
      clearTimeout(timer);
    });
  }
}
