/** The bench's page: built by the product's own Vite configuration, served with the product's headers, beside the data. */
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright';
import { build } from 'vite';
import { rendererUsage } from './processes';
import type {} from './page/main';
import type { BenchPage, ProductPage, Served } from './types';
import { findChromium, launchOptions } from '../support/chromium';
import { DIST } from '../support/dist';
import { buildIfStale, ROOT, type Site } from '../support/site';
import { serveFolder } from '../support/static-server';

/** Holds `page/`, the build, and `data/`; both are served. */
const SERVED = join(ROOT, '.cache/bench');
export const DATA_FOLDER = join(SERVED, 'data');

let site: Promise<Site> | null = null;
let product: Promise<Site> | null = null;

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

/** @throws Error with one sentence when there is no Chromium. */
function launch(): Promise<Browser> {
  if (findChromium() === null) {
    throw new Error('There is no Chromium: install one, or name it in CHROMIUM_PATH.');
  }
  return chromium.launch(launchOptions());
}

/**
 * Opens the bench's page in a browser of its own, so that its process has run nothing else.
 * @throws Error with one sentence when there is no Chromium.
 */
export async function openBenchPage(log: (line: string) => void): Promise<BenchPage> {
  const { url } = await (site ??= buildAndServe(log));
  const browser = await launch();
  const page = await browser.newPage();
  await page.goto(`${url}page/`);
  await page.waitForFunction(() => typeof (window as Partial<Window>).bench === 'object');
  return { page, usage: rendererUsage, close: () => browser.close() };
}

async function serveProduct(log: (line: string) => void): Promise<Site> {
  await buildIfStale(log);
  return serveFolder({ folder: DIST });
}

/**
 * Opens an empty page in a browser of its own, for the product.
 * @throws Error with one sentence when there is no Chromium.
 */
export async function openProductPage(log: (line: string) => void): Promise<ProductPage> {
  const { url } = await (product ??= serveProduct(log));
  const browser = await launch();
  const page = await browser.newPage();
  const served = new Map<string, Served>();
  page.on('response', (response) => {
    if (!response.url().startsWith(url)) return;
    const path = new URL(response.url().slice(url.length), 'http://localhost/').pathname.slice(1);
    served.set(path, { path: path || 'index.html', status: response.status() });
  });
  return {
    page,
    url,
    folder: DIST,
    served: () => [...served.values()],
    close: () => browser.close(),
  };
}

/** Stops serving, where anything was served. */
export async function closeSite(): Promise<void> {
  await (await site)?.close();
  await (await product)?.close();
  site = product = null;
}
