/** What hosts do to a page: a redeploy under an open tab, no isolation headers (field reports E7, E9). */
import type { Page } from '@playwright/test';
import { DIST } from '../support/dist';
import { expect, gpuTest, test } from '../support/fixtures';
import { cellAt } from '../support/lab-page';
import { WORKER_SCRIPT } from '../support/mocks';
import { hostHeaders, serveFolder } from '../support/static-server';

/** Counts page loads from now on. `framenavigated` would count changes of the address too. */
function countLoads(page: Page): () => number {
  let loads = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads += 1;
  });
  return () => loads;
}

const GONE: [how: string, answer: { status: number; contentType: string; body: string }][] = [
  ['404', { status: 404, contentType: 'text/plain', body: 'Not found' }],
  ['the host’s HTML page', { status: 200, contentType: 'text/html', body: '<!doctype html><p>Hello' }],
];

for (const [how, answer] of GONE) {
  test(`E7: the worker’s file is gone (${how}): at most one reload, then words; the settings stay`, async ({
    page,
    lab,
    watch,
  }) => {
    watch.allow(
      /Failed to load resource|MIME type|Failed to load module script|Cross-Origin-Embedder-Policy/,
    );
    await lab.open('tokens=8,16');
    const loads = countLoads(page);
    await page.route(WORKER_SCRIPT, (route) => route.fulfill(answer));
    await lab.run();
    await expect(page.getByText('A newer version of this page was published').first()).toBeVisible();
    await page.waitForTimeout(1500);
    expect(loads()).toBeLessThanOrEqual(1);
    await expect(page.getByText('A newer version of this page was published').first()).toBeVisible();
    expect(new URL(page.url()).searchParams.get('tokens')).toBe('8,16');
  });
}

gpuTest(
  'E9: a host without COOP and COEP: no reload loop, one thread, and a true run',
  async ({ page, lab }) => {
    const headers = Object.fromEntries(
      Object.entries(hostHeaders()).filter(([name]) => !name.startsWith('Cross-Origin-')),
    );
    const site = await serveFolder({ folder: DIST, headers });
    try {
      const loads = countLoads(page);
      await lab.open('tokens=8', { path: site.url });
      await lab.run();
      await lab.expectState('done');
      const record = await lab.record();
      expect(loads()).toBeLessThanOrEqual(2);
      expect(cellAt(record, 8).ratio).toBe(1);
      expect(record.environment).toMatchObject({ crossOriginIsolated: false, threads: 1, backend: 'webgpu' });
    } finally {
      await site.close();
    }
  },
);
