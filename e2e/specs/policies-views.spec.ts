/** What the policies experiment shows, from a record in a file: nothing is measured here (policies.spec.ts does). */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { policiesRecord } from '../../src/protocol/policies-record.fixture';
import { expect, test } from '../support/fixtures';
import type { LabPage } from '../support/lab-page';

const OPEN = 'experiment=policies';
const PHONE = { width: 360, height: 740 };

async function openRecord(lab: LabPage, record: object, query = OPEN): Promise<void> {
  await lab.open(query);
  await lab.importFile(JSON.stringify(record));
  await expect(lab.page.getByTestId('policies-table')).toBeVisible();
}

/** axe's violations in the page, in both colour schemes, with everything open. */
async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });
  await expect(page.getByTestId('steps-table')).toBeVisible();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await new AxeBuilder({ page }).include('main').analyze();
    expect(
      violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`)),
      colorScheme,
    ).toEqual([]);
  }
}

test('a record: the sentence, the recommendation, a row a policy and mode, probes; axe and a phone', async ({
  lab,
  page,
}) => {
  await openRecord(lab, policiesRecord());
  await expect(lab.part('verdict')).toContainText(
    'At 512 tokens quantised with lazyRelease takes least: the device’s peak is 3.57 MiB, against 9 MiB of dynamic with bucket (2.5×).',
  );
  const best = page.getByTestId('recommendation');
  await expect(best).toContainText('quantised with lazyRelease holds 512 tokens, dynamic with bucket 64');
  // The exact integer is there, to be copied.
  await expect(best.getByRole('button', { name: '3,735,552' })).toBeVisible();
  await best.locator('summary').click();
  await expect(page.getByTestId('holds-table').locator('tbody tr')).toHaveCount(12);

  const rows = page.getByTestId('policies-table').locator('tbody tr');
  await expect(rows).toHaveCount(16);
  await expect(rows.and(page.locator('[data-failed="true"]'))).toHaveCount(4);
  await expect(rows.and(page.locator('[data-policy="static"][data-allocator="disabled"]'))).toContainText(
    'failed: The allocator mode “disabled” failed in this onnxruntime-web',
  );
  const quantised = rows.and(page.locator('[data-policy="quantised"][data-allocator="bucket"]'));
  await expect(quantised).toContainText('8 bits, a 32-bit scale before each row of a head');
  // 512 tokens x 576 bytes.
  await expect(quantised.locator('td').nth(2)).toHaveText('294,912');
  const paged = rows.and(page.locator('[data-policy="paged"][data-allocator="simple"]'));
  await expect(paged).toContainText('32 blocks of 16 tokens in use, 0 bytes lost in the last ones');
  await expect(page.locator('[data-probe="graph-capture"]')).toHaveAttribute('data-outcome', 'refused');
  await expectAccessible(page);
  await page.setViewportSize(PHONE);
  await expect
    .poll(() =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
    )
    .toBeLessThanOrEqual(0);
});

test('the charts: lines are policies, modes or levels, chosen by keyboard', async ({ lab, page }) => {
  await openRecord(lab, policiesRecord());
  const figure = page.locator('.report figcaption').first();
  await expect(page.locator('.report canvas')).toHaveCount(3);
  await expect(figure).toHaveText('By policy under bucket: device bytes at the peak, measured');
  await page.getByRole('radio', { name: 'all policies, one level' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(figure).toHaveText('By allocator mode under dynamic: device bytes at the peak, measured');
  await page.getByLabel('Level', { exact: true }).selectOption('resident');
  await expect(figure).toHaveText('By allocator mode under dynamic: resident bytes, measured');
  await page.getByRole('radio', { name: 'all levels of one policy' }).check();
  await page.getByTestId('policies-choices').getByLabel('Policy', { exact: true }).selectOption('paged');
  await expect(figure).toHaveText('By level: paged under bucket');
  // Modes that failed everywhere cannot be chosen.
  const modes = page
    .getByTestId('policies-choices')
    .getByLabel('Allocator mode', { exact: true })
    .locator('option');
  await expect(modes).toHaveText(['bucket', 'simple', 'lazyRelease']);
});

test('on WASM: no device bytes, in words; no recommendation, and why', async ({ lab, page }) => {
  const record = policiesRecord();
  const none = { before: null, after: null, peak: null };
  const reason = 'wasm: ONNX Runtime keeps no GPU buffers';
  const cells = record.cells
    .filter(({ allocator }) => allocator === 'bucket')
    .map((cell) => ({ ...cell, device: 'wasm', residentBytes: null, deviceBytes: none }));
  const environment = { ...record.environment, backend: 'wasm', adapter: null };
  await openRecord(lab, {
    ...{ ...record, environment, cells, growth: [] },
    recipe: { ...record.recipe, device: 'wasm' },
    notMeasured: { resident: reason, device: reason, process: null },
    policies: { probes: [], recommendation: null },
  });
  await expect(lab.part('verdict')).toContainText('device bytes were not measured');
  await expect(page.getByTestId('recommendation')).toContainText('No recommendation');
  const row = page.getByTestId('policies-table').locator('tbody tr').first();
  await expect(row).toContainText('not measured');
  await expect(page.getByRole('radio', { name: 'all modes, one level' })).toHaveCount(0);
});

test('settings: which policies and modes; none of them closes Run in words; Korean', async ({
  lab,
  page,
}) => {
  await lab.open(`${OPEN}&device=wasm`);
  await page.locator('.settings > summary').click();
  const policies = page.getByRole('group', { name: 'Cache policies' });
  const modes = page.getByRole('group', { name: 'Allocator modes' });
  // WASM has no modes.
  await expect(modes.getByRole('checkbox').first()).toBeDisabled();
  await page.getByLabel('Backend').selectOption('webgpu');
  await modes.getByLabel('disabled').uncheck();
  await expect(page).toHaveURL(/allocators=bucket,simple,lazyRelease/);
  for (const box of await policies.getByRole('checkbox').all()) await box.uncheck();
  await expect(policies.getByRole('alert')).toHaveText('Choose at least one.');
  await expect(lab.part('run')).toBeDisabled();
  await policies.getByLabel('paged').check();
  await expect(page).toHaveURL(/policies=paged/);
  // Only what a chosen policy has.
  await expect(page.getByLabel('Block (tokens)')).toBeVisible();
  await expect(page.getByLabel('Bits per element')).toHaveCount(0);
  await lab.open(`${OPEN}&lang=ko`);
  await expect(page.locator('#question')).toHaveText(
    '캐시를 어떻게 두는 것이 가장 적게 쓰고, 그 대가는 무엇인가?',
  );
});
