/** Runs recipes in a page of ours in headless Chromium, by the page's automation contract. */
import { chromium, type Page } from 'playwright';
import type { LabRecord } from '../../src/protocol/record';
import { findChromium, launchOptions } from './chromium';

/** A run that reports nothing new for so long has hung. SwiftShader takes up to 5 minutes for one long prefill. */
const STALLED_MS = 15 * 60_000;
const POLL_MS = 1000;
/** Where the page keeps the address of the hub that its models come from (src/lab/hub-host.ts). */
const HUB_KEY = 'kvlab.hub';

/** What `window.kvlab` offers. */
export interface Automation {
  run(query: string, options?: { download?: boolean }): Promise<LabRecord>;
  record(): LabRecord | null;
  cancel(): void;
}

declare global {
  interface Window {
    kvlab: Automation;
  }
}

/** One line for each number that is new in a record since the last call; `seen` remembers the places already told. */
export function progressLines(record: LabRecord | null, seen: Set<string>): string[] {
  if (record === null) return [];
  const count = (value: number): string => value.toLocaleString('en-US');
  const settings = ({ dtype, batch, repeat }: { dtype: string; batch: number; repeat: number }): string =>
    [dtype, batch === 1 ? '' : `batch ${batch}`, repeat === 0 ? '' : `repeat ${repeat + 1}`]
      .filter((word) => word !== '')
      .join(', ');
  const places: [place: string, line: string][] = [
    ...record.models.map(({ id, dtype, bytesPerToken }): [string, string] => [
      `model ${id} ${dtype}`,
      `${id}, ${dtype}: loaded, ${count(bytesPerToken)} bytes per token`,
    ]),
    // Cells are sorted in, so a cell is known by what it says and not by where it stands.
    ...record.cells.map((cell): [string, string] => {
      const { model, tokens, tensorBytes, skipped } = cell;
      const subject = `${model}, ${settings(cell)}, ${count(tokens)} tokens`;
      const said = tensorBytes === null ? `skipped (${skipped ?? ''})` : `${count(tensorBytes)} bytes`;
      return [`cell ${subject}`, `${subject}: ${said}`];
    }),
    ...record.growth.flatMap((growth) =>
      growth.steps.map(({ tokens, deltaTensor }): [string, string] => {
        const subject = `${growth.model}, ${settings(growth)}, ${count(tokens)} tokens`;
        return [`step ${subject}`, `${subject}: +${count(deltaTensor)} bytes`];
      }),
    ),
  ];
  const fresh = places.filter(([place]) => !seen.has(place));
  for (const [place] of fresh) seen.add(place);
  return fresh.map(([, line]) => line);
}

async function openLab(page: Page, url: string): Promise<void> {
  const response = await page.goto(url).catch((error: unknown) => {
    const reason = /net::\w+/.exec(String(error))?.[0] ?? 'no answer';
    throw new Error(`The page ${url} could not be opened: ${reason}.`);
  });
  if (response !== null && !response.ok()) {
    throw new Error(`The page ${url} could not be opened: HTTP status ${response.status()}.`);
  }
  await page
    .waitForFunction(() => typeof (window as Partial<Window>).kvlab?.run === 'function', null, {
      timeout: 30_000,
    })
    .catch(() => {
      throw new Error(`The page ${url} is not a KV Cache Lab: it has no window.kvlab.`);
    });
}

export interface HeadlessLab {
  /**
   * Runs a recipe in a fresh page and returns its record. `log` gets a line for each new number.
   * @param query the recipe's query string, without `?`.
   * @throws Error with one sentence: page not reached, recipe refused, or a run that hangs.
   */
  run: (query: string) => Promise<LabRecord>;
  close: () => Promise<void>;
}

export interface HeadlessOptions {
  /** The page's address, without query. */
  url: string;
  log: (line: string) => void;
  /** Whether models may be downloaded. */
  download?: boolean;
  /** Address of the hub that models come from; null leaves it to the page. */
  hub?: string | null;
}

/**
 * Starts a headless Chromium for recipes of a page.
 * @throws Error with one sentence when there is no Chromium, or it does not start.
 */
export async function startHeadless({
  url,
  log,
  download = false,
  hub = null,
}: HeadlessOptions): Promise<HeadlessLab> {
  if (findChromium() === null) {
    throw new Error('There is no Chromium: install one, or name it in CHROMIUM_PATH.');
  }
  const browser = await chromium.launch(launchOptions()).catch((error: unknown) => {
    throw new Error(`Chromium did not start: ${String(error).split('\n')[0] ?? ''}`);
  });
  return {
    close: () => browser.close(),
    async run(query) {
      // One context for all pages, so that what one downloaded is there for the next.
      const context = browser.contexts()[0] ?? (await browser.newContext());
      const page = await context.newPage();
      try {
        if (hub !== null) {
          await page.addInitScript(
            ([key, value]) => {
              localStorage.setItem(key, value);
            },
            [HUB_KEY, hub] as const,
          );
        }
        await openLab(page, url);
        log(`Running ${query === '' ? 'the default recipe' : query} at ${url}`);
        return await runIn(page, query, { download, log });
      } finally {
        await page.close();
      }
    },
  };
}

async function runIn(
  page: Page,
  query: string,
  { download, log }: { download: boolean; log: (line: string) => void },
): Promise<LabRecord> {
  let outcome: { record: LabRecord } | { error: unknown } | null = null;
  page
    .evaluate(([recipe, options]) => window.kvlab.run(recipe, options), [query, { download }] as const)
    .then(
      (record) => (outcome = { record }),
      (error: unknown) => (outcome = { error }),
    );
  const finished = (): typeof outcome => outcome;
  const seen = new Set<string>();
  let lastNews = Date.now();
  while (finished() === null) {
    await page.waitForTimeout(POLL_MS);
    const fresh = progressLines(await page.evaluate(() => window.kvlab.record()), seen);
    for (const line of fresh) log(line);
    if (fresh.length > 0) lastNews = Date.now();
    if (Date.now() - lastNews > STALLED_MS) throw new Error('The run reported nothing for 15 minutes.');
  }
  const end = finished();
  if (end !== null && 'record' in end) return end.record;
  const raw = end === null ? '' : String(end.error);
  throw new Error(/Error: (?:.*?Error: )?(.*)/.exec(raw)?.[1] ?? raw);
}
