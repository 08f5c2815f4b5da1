/** Downloads that fail or are cut off: waited out or named, resumed, and never a false percentage. */
import type { Page } from '@playwright/test';
import { REPO_IDS } from '../fake-hub/repo-ids';
import type { FakeHub } from '../fake-hub/types';
import { expect } from '../support/fixtures';
import { LARGE_ID, PART_BYTES } from '../support/hub-repos';
import { expectFault, expectReceived, fileAnswers, hubTest as test, runRecipe } from '../support/hub-test';
import { endWait, holdTimers } from '../support/hub-timers';
import { cellAt } from '../support/lab-page';

const MODEL_FILE = /onnx\/model\.onnx$/;
const CONFIG_FILE = /\/config\.json$/;
/** Waits between four tries. */
const BACK_OFF_MS = [1000, 2000, 4000];
/** What is there of a file after each of four broken answers, which bring half of what is left, rounded down. */
const PERCENTS = [/^50$/, /^7[45]$/, /^8[67]$/, /^9[23]$/];

/** Waits until the hub has answered for the model file so often, and the page has read so many percent of it. */
async function expectAnswer(page: Page, hub: FakeHub, answers: number, percent: RegExp): Promise<void> {
  await expect.poll(() => fileAnswers(hub, MODEL_FILE).length, { timeout: 60_000 }).toBe(answers);
  await expectReceived(page, 'onnx/model.onnx', percent);
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

  test(`${status} for ever is said after four tries`, async ({ page, lab, hub, watch, mocks }) => {
    watch.allow(/Failed to load resource/);
    hub.setFault(REPO_IDS.tiny, { kind: 'status', status, path: /\/resolve\// });
    await holdTimers(mocks);
    await lab.open();
    const running = runRecipe(page, `model=${REPO_IDS.tiny}&model=tiny&tokens=8&device=wasm`);
    for (const ms of BACK_OFF_MS) await endWait(page, ms);
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
  mocks,
}) => {
  watch.allow(/Failed to load resource/);
  await holdTimers(mocks);
  await lab.open();
  hub.setFault(REPO_IDS.tiny, { kind: 'truncated', mode: 'cut', path: MODEL_FILE });
  const running = runRecipe(page, `model=${REPO_IDS.tiny}&model=tiny&tokens=8&device=wasm`);
  for (const [index, percent] of PERCENTS.entries()) {
    await expectAnswer(page, hub, index + 1, percent);
    hub.goOn();
    const backOff = BACK_OFF_MS[index];
    if (backOff !== undefined) await endWait(page, backOff);
  }
  await expectFault(
    page,
    await running,
    /^The file onnx\/model\.onnx ended after [\d,]+ of [\d,]+ bytes\. Start the download again; if it ends there again, the host has a damaged copy\.$/,
  );
  const [whole, ...resumed] = fileAnswers(hub, MODEL_FILE).map(({ range }) => range);
  expect(whole).toBeNull();
  const starts = resumed.map((range) => Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1]));
  expect(starts).toEqual([...starts].sort((a, b) => a - b));
  expect(new Set(starts).size).toBe(3);
  expect(starts[0]).toBeGreaterThan(0);

  hub.setFault(REPO_IDS.tiny, { kind: 'truncated', mode: 'cut', path: MODEL_FILE, times: 1 });
  const second = runRecipe(page, `model=${REPO_IDS.tiny}&tokens=8&device=wasm`);
  await expectAnswer(page, hub, 5, /^50$/);
  hub.goOn();
  await endWait(page, 1000);
  const record = await second;
  expect(record.faults).toEqual([]);
  expect(cellAt(record, 8).ratio).toBe(1);
});

test('C16: a connection on which nothing comes is tried four times, 20 s each, then named', async ({
  page,
  lab,
  hub,
  mocks,
}) => {
  // The limit is the one that the page always has; the test says when it is over.
  await holdTimers(mocks);
  await lab.open();
  hub.setFault(REPO_IDS.tiny, { kind: 'stalled', path: MODEL_FILE });
  const running = runRecipe(page, `model=${REPO_IDS.tiny}&model=tiny&tokens=8&device=wasm`);
  for (const [index, percent] of PERCENTS.entries()) {
    await expectAnswer(page, hub, index + 1, percent);
    await endWait(page, 20_000);
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
  mocks,
}) => {
  await holdTimers(mocks);
  hub.setFault(LARGE_ID, { kind: 'no-length', pause: true, path: /onnx_data$/ });
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
  const running = runRecipe(page, `model=${LARGE_ID}&tokens=8&device=wasm`);
  // The rest comes when the half of 40,000,000 bytes was on the page.
  await expect(lab.part('progress')).toContainText('19.07 MiB so far, size unknown', { timeout: 60_000 });
  hub.goOn();
  const record = await running;
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
  mocks,
}) => {
  watch.allow(/Failed to load resource/);
  await holdTimers(mocks);
  hub.setFault(LARGE_ID, [
    { kind: 'truncated', mode: 'cut', path: /onnx_data$/, times: 1 },
    { kind: 'ignores-range', path: /onnx_data$/ },
  ]);
  await lab.open();
  const running = runRecipe(page, `model=${LARGE_ID}&tokens=8&device=wasm`);
  await expectReceived(page, 'onnx/model.onnx_data', /^50$/);
  hub.goOn();
  await endWait(page, 1000);
  const record = await running;
  expect(record.faults).toEqual([]);
  expect(cellAt(record, 8).ratio).toBe(1);
  const answers = fileAnswers(hub, /onnx_data$/);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const from = Number(/^bytes=(\d+)-$/.exec(answers[1]?.range ?? '')?.[1]);
  expect(from).toBeGreaterThanOrEqual(PART_BYTES);
});
