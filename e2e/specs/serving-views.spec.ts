/** What the serving experiment shows, from records in files: nothing is measured here (serving.spec.ts does). */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from '../support/fixtures';
import type { LabPage } from '../support/lab-page';
import { SAMPLE_RUNS, servingRecord } from '../../src/protocol/serving-record.fixture';

const OPEN = 'experiment=serving';
const PHONE = { width: 360, height: 740 };

async function openRecord(lab: LabPage, record: object, query = OPEN): Promise<void> {
  await lab.open(query);
  await lab.importFile(JSON.stringify(record));
  await expect(lab.page.getByTestId('serving-table')).toBeVisible();
}

/** axe's violations in the page, in both colour schemes, with everything open. */
async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await new AxeBuilder({ page }).include('main').analyze();
    expect(
      violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`)),
      colorScheme,
    ).toEqual([]);
  }
}

test('a record: the sentence beside the paper’s, what is real, shares, every reading; axe and a phone', async ({
  lab,
  page,
}) => {
  await openRecord(lab, servingRecord());
  await expect(lab.part('verdict')).toContainText(
    'Tokens filled 95.4 % of the pool that is given out in blocks of 16 tokens, and 23.5 to 40.1 % of the pools that are reserved in one piece.',
  );
  await expect(page.locator('.verdict')).toContainText('reports 96.3 % for blocks and 20.4 to 38.2 %');
  await expect(page.locator('.verdict')).toContainText('arXiv 2309.06180, Figure 2');
  await expect(page.getByTestId('serving-origin').locator('dt')).toHaveText([
    'Really allocated',
    'Simulated',
  ]);
  // 16,384 tokens x 24,576 bytes.
  await expect(page.getByTestId('serving-origin')).toContainText(
    'A pool of 402,653,184 bytes of GPU buffers',
  );
  const figures = page.getByTestId('serving-figures').locator('.figure');
  await expect(figures).toHaveCount(4);
  await expect(figures.nth(3)).toContainText('95.4 %');
  await expect(figures.nth(3)).toContainText('in the paper: 96.3 % (vLLM)');
  for (const figure of await figures.all()) await expect(figure).toContainText('read back from the pool');
  await expect(page.locator('.report canvas')).toHaveCount(2);
  for (const hint of await page.locator('.charts .hint').all())
    await expect(hint).toContainText(/eally allocated.*imulated/);
  const paged = page.getByTestId('serving-table').locator('[data-system="paged"] td');
  await expect(paged).toHaveText([
    '95.4 %',
    '96.3 %vLLM',
    '98.1 %',
    '1.9 %',
    '0.0 %',
    '2.7 %',
    '38.5',
    '91',
    '2,037',
    '166',
    '402,653,184',
    '402,702,3360 when it was freed',
  ]);
  await page
    .locator('details', { has: page.getByTestId('serving-samples') })
    .locator('summary')
    .click();
  await expect(page.getByTestId('serving-samples').locator('tbody tr')).toHaveCount(12);
  await expect(page.getByTestId('serving-samples')).toContainText('375,275,520');
  await page.getByTestId('how').locator('summary').click();
  await expectAccessible(page);
  await page.setViewportSize(PHONE);
  await expect
    .poll(() =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
    )
    .toBeLessThanOrEqual(0);
});

test('a run that was cut short, and a pool that was never full: said in words, never as 0', async ({
  lab,
  page,
}) => {
  const [max, pow2] = SAMPLE_RUNS;
  const idle = {
    ...max,
    samples: max?.samples.map((sample) => ({ ...sample, waiting: 0 })),
    utilisation: null,
    insideUse: null,
  };
  const record = servingRecord();
  const cut = { ...pow2, steps: 3578 };
  const serving = { ...record.serving, runs: [idle, cut] };
  await openRecord(lab, {
    ...record,
    status: 'cancelled',
    faults: [{ code: 'cancelled', params: {} }],
    serving,
  });
  const table = page.getByTestId('serving-table');
  await expect(table.locator('[data-system="reserve-max"] .unmeasured').first()).toHaveText(
    'not measured: nobody waited',
  );
  await expect(table.locator('[data-system="reserve-pow2"]')).toContainText('3,578 of 5,922');
  await expect(table.locator('[data-system="paged"]')).toContainText('not measured: the run ended before');
  await expect(page.locator('.verdict')).toHaveClass(/is-bad/);
  await expect(lab.part('verdict')).toContainText('Tokens filled 33.0 % of the pools');
});

test('the settings: what cannot be together closes Run, and the link carries the rest', async ({
  lab,
  page,
}) => {
  await lab.open(`${OPEN}&device=wasm`);
  await page.locator('.settings > summary').click();
  // 16,384 tokens x 24,576 bytes are 384 MiB.
  await expect(page.locator('#serving-pool-help')).toContainText('384 MiB');
  await page.getByLabel('Longest request').fill('32768');
  await expect(page.locator('#serving-longest-error')).toContainText('at most 16384');
  await expect(lab.part('run')).toBeDisabled();
  await page.getByLabel('Longest request').fill('1024');
  await expect(lab.part('run')).toBeEnabled();
  await page.getByLabel('Lengths of the requests').selectOption('alpaca');
  await expect(page.locator('#serving-lengths-help')).toContainText('19.31');
  await page.getByLabel('Requests', { exact: true }).fill('0');
  await expect(page.locator('#serving-requests-error')).toContainText('“Requests”');
  await expect(lab.part('run')).toBeDisabled();
  await page.getByLabel('Requests', { exact: true }).fill('50');
  await expect(lab.part('run')).toBeEnabled();
  await expect(page).toHaveURL(/lengths=alpaca.*requests=50.*longest=1024/);
  await page.getByTestId('how').locator('summary').click();
  await expect(page.getByTestId('how')).toContainText('50 requests, drawn with seed 0');
  // 19 + 58 tokens: 1,024; 19 + 64 = 83, so 128; 77, so 128; five blocks of 16.
  await expect(page.getByTestId('how')).toContainText(
    'A request of 19 + 58 tokens is given, in the pool: 1,024 tokens where the longest is reserved; 128 where its output is rounded up to a power of two; 128 where its true length is known; 80 at its end',
  );
});

test('in Korean', async ({ lab, page }) => {
  await openRecord(lab, servingRecord(), `${OPEN}&lang=ko`);
  await expect(lab.part('verdict')).toContainText('16토큰 블록으로 나누어 주는 풀은 95.4%가');
  await expect(page.getByTestId('serving-origin').locator('dt')).toHaveText(['실제로 할당', '시뮬레이션']);
  await expectAccessible(page);
});
