/** The bench's page: built by the product's own Vite configuration, served with the product's headers, beside the data. */
import { join } from 'node:path';
import { chromium } from 'playwright';
import { build } from 'vite';
import { rendererUsage } from './processes';
import type {} from './page/main';
import type { BenchPage } from './types';
import { findChromium, launchOptions } from '../support/chromium';
import { ROOT, type Site } from '../support/site';
import { serveFolder } from '../support/static-server';

/** Holds `page/`, the build, and `data/`; both are served. */
const SERVED = join(ROOT, '.cache/bench');
export const DATA_FOLDER = join(SERVED, 'data');

let site: Promise<Site> | null = null;

async function buildAndServe(log: (line: string) => void): Promise<Site> {
  log("Building the bench's page…");
  await build({
    configFile: join(ROOT, 'vite.config.ts'),
    root: join(ROOT, 'e2e/bench/page'),
    publicDir: false,
    logLevel: 'warn',
    build: { outDir: join(SERVED, 'page'), emptyOutDir: true },
  });
  return serveFolder({ folder: SERVED });
}

/**
 * Opens the page in a browser of its own, so that its process has run nothing else.
 * @throws Error with one sentence when there is no Chromium.
 */
export async function openBenchPage(log: (line: string) => void): Promise<BenchPage> {
  if (findChromium() === null) {
    throw new Error('There is no Chromium: install one, or name it in CHROMIUM_PATH.');
  }
  const { url } = await (site ??= buildAndServe(log));
  const browser = await chromium.launch(launchOptions());
  const page = await browser.newPage();
  await page.goto(`${url}page/`);
  await page.waitForFunction(() => typeof (window as Partial<Window>).bench === 'object');
  return { page, usage: rendererUsage, close: () => browser.close() };
}

/** Stops serving, where anything was served. */
export async function closeSite(): Promise<void> {
  await (await site)?.close();
  site = null;
}
