/** The test function of specs about models from outside: the page's hub is a fake one of this test's own, and empty storage. */
import { expect, type Page } from '@playwright/test';
import { describeFault } from '../../src/protocol/faults';
import type { LabRecord } from '../../src/protocol/record';
import { readyMadeRepos } from '../fake-hub/repos';
import { startFakeHub } from '../fake-hub/server';
import type { FakeHub, HubRequest } from '../fake-hub/types';
import { gpuTest, test } from './fixtures';
import { cellAt } from './lab-page';
import { largeRepo, otherTokenizerRepo, withoutDataFile } from './hub-repos';
import type {} from './headless';

/** Where the page keeps the address of its hub (src/lab/hub-host.ts). */
const HUB_KEY = 'kvlab.hub';

/** Starts a hub with the ready-made repositories and those of hub-repos.ts. */
async function startHub(): Promise<FakeHub> {
  const repos = await readyMadeRepos();
  return await startFakeHub({
    repos: [...repos, largeRepo(repos), otherTokenizerRepo(repos), withoutDataFile(repos)],
  });
}

/** Makes a hub the one that a page's models come from, as if the person had set it. */
export async function useHub(page: Page, { url }: Pick<FakeHub, 'url'>): Promise<void> {
  await page.addInitScript(
    ([key, value]) => {
      localStorage.setItem(key, value);
    },
    [HUB_KEY, url] as const,
  );
}

interface HubFixtures {
  hub: FakeHub;
}

const fixtures = {
  hub: [
    async ({ page }: { page: Page }, use: (hub: FakeHub) => Promise<void>) => {
      const hub = await startHub();
      await useHub(page, hub);
      await use(hub);
      await hub.close();
    },
    { auto: true },
  ],
} as const;

export const hubTest = test.extend<HubFixtures>({ hub: [...fixtures.hub] });
/** For the few that measure on WebGPU: skipped by name without an adapter. */
export const hubGpuTest = gpuTest.extend<HubFixtures>({ hub: [...fixtures.hub] });

/** Runs a recipe by the automation contract; what must be downloaded is, unless `download` is false. */
export async function runRecipe(page: Page, query: string, { download = true } = {}): Promise<LabRecord> {
  return await page.evaluate(([recipe, options]) => window.kvlab.run(recipe, options), [
    query,
    { download },
  ] as const);
}

/** The answers for files so far (not those for file lists), redirects to the CDN and preflights left out. */
export function fileAnswers(hub: Pick<FakeHub, 'requests'>, file = /^/): HubRequest[] {
  return hub.requests.filter(
    (request) =>
      request.file !== null && file.test(request.file) && request.status !== 302 && request.method === 'GET',
  );
}

/**
 * Waits until the page has read so much of a file: only then is it there to go on from when the connection breaks.
 * @param percent of the file, as its bar in the progress says.
 */
export async function expectReceived(page: Page, file: string, percent: RegExp): Promise<void> {
  const rows = page.getByTestId('progress').locator('li');
  const bar = rows.filter({ has: page.getByText(file, { exact: true }) }).locator('progress');
  await expect(bar).toHaveAttribute('value', percent, { timeout: 60_000 });
}

/**
 * Of a recipe with a bad model and `tiny` at 8 tokens after it: one fault, whose sentence is in the record and on the page, and
 * the cell of the good one.
 */
export async function expectFault(page: Page, record: LabRecord, sentence: string | RegExp): Promise<void> {
  expect(record.faults.map(describeFault)).toEqual([
    typeof sentence === 'string' ? sentence : expect.stringMatching(sentence),
  ]);
  expect(record.status).toBe('done');
  expect(cellAt(record, 8, 'tiny').ratio).toBe(1);
  await expect(page.getByText(sentence).first()).toBeVisible();
}
