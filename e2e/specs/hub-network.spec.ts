/** Downloads that fail, are cancelled or cut off: waited out or named, resumed, and never a false percentage. */
import type { Page } from '@playwright/test';
import { REPO_IDS } from '../fake-hub/repo-ids';
import type { FakeHub } from '../fake-hub/types';
import { expect } from '../support/fixtures';
import { LARGE_ID, LARGE_SHA, PART_BYTES } from '../support/hub-repos';
import { expectFault, fileAnswers, hubTest as test, runRecipe } from '../support/hub-test';
import { cellAt } from '../support/lab-page';

const MODEL_FILE = /onnx\/model\.onnx$/;
const CONFIG_FILE = /\/config\.json$/;
const RECIPE = `model=${REPO_IDS.tiny}&tokens=8&device=wasm`;

/** Waits until the hub has answered for a file so often, then lets so many ms pass in the page. */
async function passTime(
  page: Page,
  hub: FakeHub,
  { answers, file, ms }: { answers: number; file: RegExp; ms: number },
): Promise<void> {
  await expect.poll(() => fileAnswers(hub, file).length, { timeout: 30_000 }).toBe(answers);
  // The page has to see the answer before its clock runs.
  await page.waitForTimeout(300);
  await page.clock.fastForward(ms);
}

for (const status of [429, 503] as const) {
  test(`${status} once is waited out`, async ({ page, lab, hub, watch }) => {
    watch.allow(/Failed to load resource/);
    hub.setFault(REPO_IDS.tiny, { kind: 'status', status, retryAfter: 1, times: 1, path: /\/resolve\// });
    await lab.open();
    const record = await runRecipe(page, `model=${REPO_IDS.tiny}&tokens=8&device=wasm`);
    expect(record.faults).toEqual([]);
    expect(cellAt(record, 8).ratio).toBe(1);
    expect(fileAnswers(hub, CONFIG_FILE).map((answer) => answer.status)).toEqual([status, 200]);
  });

  test(`${status} for ever is said after four tries`, async ({ page, lab, hub, watch }) => {
    watch.allow(/Failed to load resource/);
    hub.setFault(REPO_IDS.tiny, { kind: 'status', status, path: /\/resolve\// });
    await page.clock.install();
    await lab.open();
    const running = runRecipe(page, `model=${REPO_IDS.tiny}&model=tiny&tokens=8&device=wasm`);
    // Back-off of 1, 2 and 4 s.
    for (const [index, ms] of [1000, 2000, 4000].entries()) {
      await passTime(page, hub, { answers: index + 1, file: CONFIG_FILE, ms });
    }
    await expectFault(
      page,
      await running,
      `${hub.url} is too busy or out of order (HTTP ${status} after 4 tries). Try again in some minutes; what was downloaded is kept.`,
    );
    expect(fileAnswers(hub, CONFIG_FILE)).toHaveLength(4);
  });
}

test('a connection that breaks off is taken up again where it broke, and given up after four tries', async ({
  page,
  lab,
  hub,
  watch,
}) => {
  watch.allow(/Failed to load resource/);
  await page.clock.install();
  await lab.open();
  hub.setFault(REPO_IDS.tiny, { kind: 'truncated', mode: 'cut', path: MODEL_FILE });
  const running = runRecipe(page, `model=${REPO_IDS.tiny}&model=tiny&tokens=8&device=wasm`);
  for (const [index, ms] of [1000, 2000, 4000].entries()) {
    await passTime(page, hub, { answers: index + 1, file: MODEL_FILE, ms });
  }
  await expectFault(
    page,
    await running,
    /^The file onnx\/model\.onnx ended after [\d,]+ of [\d,]+ bytes\. Start the download again; if it ends there again, the host has a damaged copy\.$/,
  );
  const ranges = fileAnswers(hub, MODEL_FILE).map(({ range }) => range);
  expect(ranges).toHaveLength(4);
  expect(ranges[0]).toBeNull();
  expect(ranges[1]).toMatch(/^bytes=\d+-$/);

  hub.setFault(REPO_IDS.tiny, { kind: 'truncated', mode: 'cut', path: MODEL_FILE, times: 1 });
  const second = runRecipe(page, `model=${REPO_IDS.tiny}&tokens=8&device=wasm`);
  await passTime(page, hub, { answers: 5, file: MODEL_FILE, ms: 1000 });
  const record = await second;
  expect(record.faults).toEqual([]);
  expect(cellAt(record, 8).ratio).toBe(1);
});

test('C16: a connection on which nothing comes is tried four times, 20 s each, then named', async ({
  page,
  lab,
  hub,
}) => {
  // The page's own clock is moved on; the limit is the one that it always has.
  await page.clock.install();
  await lab.open();
  hub.setFault(REPO_IDS.tiny, { kind: 'stalled', path: MODEL_FILE });
  const running = runRecipe(page, `model=${REPO_IDS.tiny}&model=tiny&tokens=8&device=wasm`);
  await passTime(page, hub, { answers: 1, file: MODEL_FILE, ms: 5_000 });
  for (const answers of [1, 2, 3, 4]) {
    await passTime(page, hub, { answers, file: MODEL_FILE, ms: 20_000 });
  }
  await expectFault(
    page,
    await running,
    `The download of onnx/model.onnx from ${hub.url} stalled 4 times: no byte came for 20 seconds. Start it again; it goes on from what was stored.`,
  );
  hub.setFault(REPO_IDS.tiny, null);
  const record = await runRecipe(page, `model=${REPO_IDS.tiny}&tokens=8&device=wasm`);
  expect(cellAt(record, 8).ratio).toBe(1);
});

test('C15: a full storage is a notice; the model is measured from memory', async ({ page, lab, mocks }) => {
  await mocks.inPage(() => {
    Cache.prototype.put = () => Promise.reject(new DOMException('no room', 'QuotaExceededError'));
    StorageManager.prototype.estimate = () => Promise.resolve({ usage: 9_999_000, quota: 10_000_000 });
  }, undefined);
  await lab.open();
  const record = await runRecipe(page, `model=${REPO_IDS.tiny}&tokens=8&device=wasm`);
  expect(record.faults).toEqual([]);
  expect(cellAt(record, 8).ratio).toBe(1);
  await expect(
    lab
      .part('notices')
      .getByText(
        /^The browser’s storage is full: [\d,]+ bytes are needed and 1,000 are free\. The model stays in memory for this run and is downloaded again for the next one\.$/,
      ),
  ).toHaveCount(1);
});

test('without storage for models the model is measured from memory, and a notice says so', async ({
  page,
  lab,
  mocks,
}) => {
  await mocks.inPage(() => {
    delete (globalThis as { caches?: CacheStorage }).caches;
  }, undefined);
  await lab.open();
  const record = await runRecipe(page, `model=${REPO_IDS.tiny}&tokens=8&device=wasm`);
  expect(record.faults).toEqual([]);
  expect(cellAt(record, 8).ratio).toBe(1);
  await expect(
    lab
      .part('notices')
      .getByText('This page has no storage for models here: open it over HTTPS or from localhost.'),
  ).toHaveCount(1);
});

test('C13: without a size there are bytes so far, and never NaN or more than 100 %', async ({
  page,
  lab,
  hub,
}) => {
  hub.setFault(LARGE_ID, { kind: 'no-length', path: /onnx_data$/ });
  // The list does not tell sizes either.
  await page.route(`${hub.url}/api/models/**`, async (route) => {
    const response = await route.fetch();
    const list = (await response.json()) as { siblings: { rfilename: string }[] };
    const siblings = list.siblings.map(({ rfilename }) => ({ rfilename }));
    await route.fulfill({ response, json: { ...list, siblings } });
  });
  await page.addInitScript(() => {
    const seen: string[] = [];
    Object.assign(window, { seen });
    new MutationObserver(() => {
      const part = document.querySelector('[data-testid="progress"]');
      if (part?.textContent) seen.push(part.textContent);
      for (const bar of part?.querySelectorAll('progress') ?? []) seen.push(`bar ${String(bar.value)} %`);
    }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  });
  await lab.open();
  const record = await runRecipe(page, `model=${LARGE_ID}&tokens=8&device=wasm`);
  expect(record.faults).toEqual([]);
  expect(cellAt(record, 8).ratio).toBe(1);
  const seen = await page.evaluate(() => (window as unknown as { seen: string[] }).seen);
  expect(seen.some((text) => text.includes('so far, size unknown'))).toBe(true);
  expect(seen.filter((text) => /NaN|Infinity|undefined/.test(text))).toEqual([]);
  const percents = seen.flatMap((text) =>
    [...text.matchAll(/(\d+(?:\.\d+)?) %/g)].map(([, value]) => Number(value)),
  );
  expect(percents.filter((percent) => percent > 100)).toEqual([]);
});

test('a server that ignores ranges begins anew, and the file is whole in the end', async ({
  page,
  lab,
  hub,
  watch,
}) => {
  watch.allow(/Failed to load resource/);
  hub.setFault(LARGE_ID, [
    { kind: 'truncated', mode: 'cut', path: /onnx_data$/, times: 1 },
    { kind: 'ignores-range', path: /onnx_data$/ },
  ]);
  await lab.open();
  const record = await runRecipe(page, `model=${LARGE_ID}&tokens=8&device=wasm`);
  expect(record.faults).toEqual([]);
  expect(cellAt(record, 8).ratio).toBe(1);
  const answers = fileAnswers(hub, /onnx_data$/);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const from = Number(/^bytes=(\d+)-$/.exec(answers[1]?.range ?? '')?.[1]);
  expect(from).toBeGreaterThanOrEqual(PART_BYTES);
});

test('C19: Cancel during a download settles within a second; 20 starts and stops leave no worker', async ({
  page,
  lab,
  hub,
  mocks,
}) => {
  // Counted in the page: Playwright hears of a worker's end some time after it.
  await mocks.inPage(() => {
    const workers = { live: 0, most: 0 };
    class CountedWorker extends Worker {
      constructor(url: string | URL, options?: WorkerOptions) {
        super(url, options);
        if (!String(url).includes('lab.worker')) return;
        workers.live += 1;
        workers.most = Math.max(workers.most, workers.live);
        const terminate = this.terminate.bind(this);
        this.terminate = () => {
          terminate();
          workers.live -= 1;
          this.terminate = terminate;
        };
      }
    }
    Object.assign(window, { Worker: CountedWorker, workers });
  }, undefined);
  await lab.open();
  hub.setFault(REPO_IDS.tiny, { kind: 'slow', bytesPerSecond: 20_000 });
  const started = runRecipe(page, RECIPE);
  await expect.poll(() => fileAnswers(hub, /model\.onnx$/).length).toBe(1);
  const settledMs = await page.evaluate(async () => {
    const pressed = performance.now();
    window.kvlab.cancel();
    // Queued behind the cancelled run; a bad device would be refused before the queue.
    while (document.documentElement.dataset['lab'] === 'running') {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return performance.now() - pressed;
  });
  expect(settledMs).toBeLessThan(1000);
  const cancelled = await started;
  expect(cancelled.status).toBe('cancelled');
  expect(cancelled.faults.map(({ code }) => code)).toEqual(['cancelled']);

  // At ten moments of the download, then at ten of loading and measuring.
  for (const fault of [{ kind: 'slow', bytesPerSecond: 20_000 } as const, null]) {
    hub.setFault(REPO_IDS.tiny, fault);
    const statuses = await page.evaluate(async (recipe) => {
      const ended: string[] = [];
      for (let round = 0; round < 10; round += 1) {
        const run = window.kvlab.run(recipe, { download: true });
        await new Promise((resolve) => setTimeout(resolve, round * 40));
        window.kvlab.cancel();
        ended.push((await run).status);
      }
      return ended;
    }, RECIPE);
    expect(statuses.filter((status) => status !== 'cancelled' && status !== 'done')).toEqual([]);
    expect(statuses).toContain('cancelled');
  }
  const next = await runRecipe(page, RECIPE);
  expect(cellAt(next, 8).ratio).toBe(1);
  const workers = await page.evaluate(() => (window as unknown as { workers: object }).workers);
  expect(workers).toEqual({ live: 0, most: 1 });
  await expect.poll(() => page.workers().length).toBe(0);
});

test('C22: a reload during a download does not block the next one, which goes on where the last stopped', async ({
  page,
  lab,
  hub,
}) => {
  await lab.open();
  hub.setFault(LARGE_ID, { kind: 'stalled', path: /onnx_data$/ });
  const recipe = `model=${LARGE_ID}&tokens=16&device=wasm`;
  const cut = runRecipe(page, recipe).catch((error: unknown) => error);
  await expect
    .poll(() =>
      page.evaluate(async () => {
        const cache = await caches.open('kv-cache-lab-models');
        return (await cache.keys()).filter(({ url }) => /onnx_data\?part=0/.test(url)).length;
      }),
    )
    .toBe(1);
  await page.reload();
  await cut;
  hub.setFault(LARGE_ID, null);
  const before = hub.requests.length;
  const record = await runRecipe(page, recipe);
  expect(record.faults).toEqual([]);
  expect(cellAt(record, 16, `${LARGE_ID}@${LARGE_SHA}`)).toMatchObject({ tensorBytes: 8192, ratio: 1 });
  const later = hub.requests.slice(before).filter(({ method, status }) => method === 'GET' && status !== 302);
  expect(
    later.filter(({ file }) => file?.endsWith('onnx_data')).map(({ range, status }) => [range, status]),
  ).toEqual([[`bytes=${PART_BYTES}-`, 206]]);
});
