/** Runs a recipe in a page of ours in headless Chromium, by the page's automation contract. */
import { chromium, type Page } from 'playwright';
import type { LabRecord } from '../../src/protocol/record';
import { findChromium, launchOptions } from './chromium';

/** A run that reports nothing new for so long has hung. SwiftShader takes up to 5 minutes for one long prefill. */
const STALLED_MS = 15 * 60_000;
const POLL_MS = 1000;

/** What `window.kvlab` offers. */
export interface Automation {
  run(query: string): Promise<LabRecord>;
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
  const places: [place: string, line: string][] = [
    ...record.models.map(({ id, bytesPerToken }, index): [string, string] => [
      `model ${index}`,
      `${id}: loaded, ${count(bytesPerToken)} bytes per token`,
    ]),
    ...record.cells.map(({ model, tokens, tensorBytes, skipped }, index): [string, string] => [
      `cell ${index}`,
      `${model}, ${tokens} tokens: ${tensorBytes === null ? `skipped (${skipped ?? ''})` : `${count(tensorBytes)} bytes`}`,
    ]),
    ...record.growth.flatMap(({ model, steps }, run) =>
      steps.map(({ tokens, deltaTensor }): [string, string] => [
        `step ${run} ${tokens}`,
        `${model}, ${tokens} tokens: +${count(deltaTensor)} bytes`,
      ]),
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

/**
 * Opens the page, runs the recipe and returns its record. `log` gets a line for each new number.
 * @throws Error with one sentence: no Chromium, page not reached, recipe refused, or a run that hangs.
 */
export async function runHeadless({
  url,
  query,
  log,
}: {
  url: string;
  query: string;
  log: (line: string) => void;
}): Promise<LabRecord> {
  if (findChromium() === null) {
    throw new Error('There is no Chromium: install one, or name it in CHROMIUM_PATH.');
  }
  const browser = await chromium.launch(launchOptions()).catch((error: unknown) => {
    throw new Error(`Chromium did not start: ${String(error).split('\n')[0] ?? ''}`);
  });
  try {
    const page = await browser.newPage();
    await openLab(page, url);
    log(`Running ${query === '' ? 'the default recipe' : query} at ${url}`);
    let outcome: { record: LabRecord } | { error: unknown } | null = null;
    page
      .evaluate((recipe) => window.kvlab.run(recipe), query)
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
  } finally {
    await browser.close();
  }
}
