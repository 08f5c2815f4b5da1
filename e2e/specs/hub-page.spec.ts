/** What a person sees of a hub: a link asks before it downloads, progress and Cancel, what is stored and can be deleted. */
import { REPO_IDS, REPO_SHAS } from '../fake-hub/repo-ids';
import { DIST } from '../support/dist';
import { expect, test as plainTest } from '../support/fixtures';
import { LARGE_ID } from '../support/hub-repos';
import { fileAnswers, hubTest as test, runRecipe } from '../support/hub-test';
import { holdTimers } from '../support/hub-timers';
import { cellAt } from '../support/lab-page';
import { serveWithServiceWorker } from '../support/hub-service-worker';

const QUERY = `model=${REPO_IDS.tiny}&tokens=8&device=wasm`;

test('a link to a hub model asks nobody before Run, and downloads nothing before a yes', async ({
  page,
  lab,
  hub,
}) => {
  await lab.open(QUERY);
  await expect(page.getByTestId('outside-card')).toContainText('Came with the link');
  await page.waitForLoadState('networkidle');
  expect(hub.requests).toEqual([]);

  await lab.run();
  const need = page.getByTestId('download-need');
  await expect(need).toContainText('onnx/model.onnx');
  await expect(need).toContainText(hub.url);
  await expect(need).toContainText(REPO_SHAS.tiny.slice(0, 7));
  expect(await lab.state()).toBe('idle');
  // All requests up to here: what Run asks for, and nothing that was asked for before.
  expect(hub.requests.map(({ path }) => path.replace(/\?.*/, ''))).toEqual([
    '/api/models/lab/tiny/revision/main',
    `/lab/tiny/resolve/${REPO_SHAS.tiny}/config.json`,
  ]);

  await need.getByTestId('download-no').click();
  await expect(page.getByText('The model was not downloaded, so nothing was run.').first()).toBeVisible();
  expect(fileAnswers(hub)).toHaveLength(1);
  expect(page.workers()).toHaveLength(0);

  await lab.run();
  await need.getByTestId('download-yes').click();
  await lab.expectState('done');
  expect(cellAt(await lab.record(), 8)).toMatchObject({ tensorBytes: 4096, ratio: 1 });
  await expect(need).toHaveCount(0);
});

test('a link with run=1 asks too, and a link cannot set the hub', async ({ page, lab, hub }) => {
  await lab.open(`${QUERY}&run=1&hub=https://evil.example&kvlab.hub=https://evil.example`);
  await expect(page.getByTestId('download-need')).toContainText(hub.url);
  await expect(lab.part('notices')).toContainText('“hub”');
  expect(await page.evaluate(() => localStorage.getItem('kvlab.hub'))).toBe(hub.url);
  // E15: what was asked went to this hub; requests to elsewhere fail every test.
  expect(hub.requests.length).toBeGreaterThan(0);
});

test('progress names the files and never passes 100 %; Cancel keeps what came; deleting gives the room back', async ({
  page,
  lab,
  hub,
  mocks,
}) => {
  // Else the download would go on by itself after 20 s.
  await holdTimers(mocks);
  hub.setFault(LARGE_ID, { kind: 'stalled', path: /onnx_data$/ });
  await lab.open(`model=${LARGE_ID}&tokens=8&device=wasm`);
  await lab.run();
  await page.getByTestId('download-yes').click();
  // Half of 40 MB comes.
  await expect(lab.part('progress')).toContainText(/\b(49|50|51) %/, { timeout: 60_000 });
  await expect(lab.part('progress')).toContainText('onnx/model.onnx_data');
  expect(await lab.state()).toBe('running');
  await lab.part('cancel').click();
  await expect(page.getByText('Cancelled.').first()).toBeVisible();
  await expect(lab.part('run')).toBeEnabled();

  await page.getByTestId('other-models').locator('summary').first().click();
  const stored = page.getByTestId('stored');
  await expect(stored).toContainText('partial: goes on from here');
  await expect(stored).toContainText(LARGE_ID);

  hub.setFault(LARGE_ID, null);
  await lab.run();
  await page.getByTestId('download-yes').click();
  await lab.expectState('running', 'done');
  await lab.expectState('done');
  expect(cellAt(await lab.record(), 8).ratio).toBe(1);
  await expect(stored).toContainText('complete files');

  await stored.getByRole('button', { name: /^Delete large@0e10000/ }).click();
  await expect(stored).toContainText('Nothing is stored in this browser.');
  const keys = await page.evaluate(async () =>
    (await (await caches.open('kv-cache-lab-models')).keys()).map(({ url }) => url),
  );
  expect(keys.filter((url) => url.includes(LARGE_ID))).toEqual([]);
});

test('the hub’s address is the person’s to set: a bad one is refused, a good one is kept', async ({
  page,
  lab,
  hub,
}) => {
  await lab.open(QUERY);
  await page.getByTestId('other-models').locator('summary').first().click();
  const field = page.getByLabel('Models come from');
  await expect(field).toHaveValue(hub.url);
  for (const bad of ['http://evil.example', 'https://user:secret@evil.example', 'javascript:alert(1)']) {
    await field.fill(bad);
    await page.getByRole('button', { name: 'Use this hub' }).click();
    await expect(page.getByText(`“${bad}” is no address of a model hub`)).toBeVisible();
  }
  expect(await page.evaluate(() => localStorage.getItem('kvlab.hub'))).toBe(hub.url);
  const mirror = `${hub.url}/mirror`;
  await field.fill(`${mirror}/`);
  await page.getByRole('button', { name: 'Use this hub' }).click();
  await expect(field).toHaveValue(mirror);
  expect(await page.evaluate(() => localStorage.getItem('kvlab.hub'))).toBe(mirror);
});

plainTest(
  'B21: under a service worker the measuring still is in a dedicated worker',
  async ({ page, lab }) => {
    const site = await serveWithServiceWorker(DIST);
    try {
      await lab.open('', { path: site.url });
      await page.evaluate(async () => {
        await navigator.serviceWorker.register('./test-service-worker.js');
        await navigator.serviceWorker.ready;
      });
      await page.reload();
      await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
      const started: string[] = [];
      page.on('worker', (worker) => started.push(worker.url()));
      const record = await runRecipe(page, 'tokens=8&device=wasm');
      expect(record.faults).toEqual([]);
      expect(cellAt(record, 8).ratio).toBe(1);
      expect(started.filter((url) => url.includes('lab.worker'))).toHaveLength(1);
      // The service worker did pass the worker's own files on.
      const passed = await page.evaluate(async () => {
        const { active } = await navigator.serviceWorker.ready;
        const { port1, port2 } = new MessageChannel();
        const answer = new Promise<string[]>((resolve) => {
          port1.onmessage = ({ data }) => {
            resolve(data as string[]);
          };
        });
        active?.postMessage('urls', [port2]);
        return await answer;
      });
      expect(passed.some((url) => url.includes('lab.worker'))).toBe(true);
    } finally {
      await site.close();
    }
  },
);
