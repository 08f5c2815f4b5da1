/** Networks and storage that fail in mid-download: waited out or named, resumed, and never a false percentage. */
import type { Page } from '@playwright/test';
import { REPO_IDS } from '../fake-hub/repo-ids';
import type { FakeHub } from '../fake-hub/types';
import { expect } from '../support/fixtures';
import { LARGE_ID, PART_BYTES } from '../support/hub-repos';
import { expectFault, fileAnswers, hubTest as test, runRecipe } from '../support/hub-test';
import { cellAt } from '../support/lab-page';

const MODEL_FILE = /onnx\/model\.onnx$/;
const CONFIG_FILE = /\/config\.json$/;

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
