/** A download that the person or a reload ends: it settles at once, leaves no worker, and the next one goes on from what came. */
import { REPO_IDS } from '../fake-hub/repo-ids';
import { expect } from '../support/fixtures';
import { LARGE_ID, LARGE_SHA, PART_BYTES } from '../support/hub-repos';
import { fileAnswers, hubTest as test, runRecipe } from '../support/hub-test';
import { holdTimers } from '../support/hub-timers';
import { cellAt } from '../support/lab-page';

const MODEL_FILE = /onnx\/model\.onnx$/;
const RECIPE = `model=${REPO_IDS.tiny}&tokens=8&device=wasm`;

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
  hub.setFault(REPO_IDS.tiny, { kind: 'slow', bytesPerSecond: 2000 });
  const started = runRecipe(page, RECIPE);
  await expect.poll(() => fileAnswers(hub, MODEL_FILE).length, { timeout: 60_000 }).toBe(1);
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
  for (const fault of [{ kind: 'slow', bytesPerSecond: 2000 } as const, null]) {
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
  mocks,
}) => {
  // Else the first download would go on by itself after 20 s.
  await holdTimers(mocks);
  await lab.open();
  hub.setFault(LARGE_ID, { kind: 'stalled', path: /onnx_data$/ });
  const recipe = `model=${LARGE_ID}&tokens=16&device=wasm`;
  const cut = runRecipe(page, recipe).catch((error: unknown) => error);
  await expect
    .poll(
      () =>
        page.evaluate(async () => {
          const cache = await caches.open('kv-cache-lab-models');
          return (await cache.keys()).filter(({ url }) => /onnx_data\?part=0/.test(url)).length;
        }),
      { timeout: 60_000 },
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
