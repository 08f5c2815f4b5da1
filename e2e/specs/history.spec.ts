/** History: finished records survive a reload, are named, compared two or more at a time, exported and deleted (issue 3, item 9). */
import { readFileSync } from 'node:fs';
import type { LabRecord } from '../../src/protocol/record';
import { expect, test } from '../support/fixtures';
import type { LabPage } from '../support/lab-page';

const RECIPE = 'device=wasm&tokens=64,128';

/** The same record as another machine would have measured it, with one differing tensor when `stray` is given. */
function elsewhere(record: LabRecord, createdAt: string, stray = 0): LabRecord {
  const copy = structuredClone(record);
  copy.createdAt = createdAt;
  if (copy.environment) {
    copy.environment.browser = 'Firefox/160.0';
    copy.environment.threads = 16;
  }
  const [, second] = copy.cells;
  if (second?.tensorBytes != null) second.tensorBytes += stray;
  return copy;
}

async function openHistory(lab: LabPage): Promise<void> {
  const { page } = lab;
  await page.getByTestId('history').locator('summary').first().click();
  await expect(page.getByTestId('history-table')).toBeVisible();
}

async function addFiles(lab: LabPage, records: LabRecord[]): Promise<void> {
  const files = records.map((record, index) => ({
    name: `record-${index}.json`,
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(record)),
  }));
  await lab.page.getByTestId('history-files').setInputFiles(files);
}

test('a finished record is kept, named, and still there after a reload', async ({ lab, page }) => {
  const record = await lab.measure(RECIPE);
  expect(record.cells.map((cell) => cell.tensorBytes)).toEqual([131072, 262144]);
  await openHistory(lab);
  const rows = page.getByTestId('history-table').locator('tbody tr');
  await expect(rows).toHaveCount(1);
  await expect(rows.first()).toContainText('2 of 2');
  await page.locator('.history-name').first().fill('Laptop');
  await page.locator('.history-name').first().press('Enter');
  await page.reload();
  await openHistory(lab);
  await expect(page.locator('.history-name').first()).toHaveValue('Laptop');

  // A second, other run is a second entry; running is not needed to delete.
  await page.getByRole('button', { name: /^Delete Laptop/ }).click();
  await expect(rows).toHaveCount(0);
});

test('three records compared: same and different points, and only the differing facts of the machines', async ({
  lab,
  page,
}) => {
  const record = await lab.measure(RECIPE);
  await openHistory(lab);
  await addFiles(lab, [
    elsewhere(record, '2026-11-29T08:30:00.000Z'),
    elsewhere(record, '2026-11-28T08:30:00.000Z', 512),
  ]);
  const rows = page.getByTestId('history-table').locator('tbody tr');
  await expect(rows).toHaveCount(3);
  for (const box of await page.locator('.history-select input').all()) await box.check();
  await page.getByTestId('history-compare').click();
  const comparison = page.getByTestId('compare-many');
  await expect(comparison).toBeVisible();
  await expect(page.getByTestId('many-verdict')).toHaveAttribute('data-verdict', 'different');
  await expect(comparison.locator('canvas')).toBeVisible();
  // 64 tokens are the same everywhere; at 128 the third machine has 512 bytes more.
  await expect(comparison).toContainText('131,072');
  await expect(comparison).toContainText('262,656');
  await expect(comparison).toContainText('Firefox/160.0');
  await expect(comparison).toContainText('16');
});

test('a shown record goes to the report and out as JSON; deleting all asks first', async ({ lab, page }) => {
  const record = await lab.measure(RECIPE);
  await openHistory(lab);
  await addFiles(lab, [elsewhere(record, '2026-11-29T08:30:00.000Z')]);
  const rows = page.getByTestId('history-table').locator('tbody tr');
  await expect(rows).toHaveCount(2);
  await rows.last().getByRole('button', { name: /^Show/ }).click();
  await expect.poll(async () => (await lab.record()).createdAt).toBe('2026-11-29T08:30:00.000Z');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    rows.last().getByRole('button', { name: /JSON/ }).click(),
  ]);
  const exported = JSON.parse(readFileSync(await file.path(), 'utf8')) as LabRecord;
  expect(exported.environment?.browser).toBe('Firefox/160.0');
  await page.getByTestId('history-clear').click();
  await expect(rows).toHaveCount(2);
  await page.getByRole('button', { name: 'Yes, delete all' }).click();
  await expect(rows).toHaveCount(0);
});

test('without IndexedDB the page says so and measures all the same', async ({ lab, page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(IDBFactory.prototype, 'open', {
      value: () => {
        throw new DOMException('blocked', 'SecurityError');
      },
    });
  });
  const record = await lab.measure(RECIPE);
  expect(record.status).toBe('done');
  await page.getByTestId('history').locator('summary').first().click();
  await expect(page.getByTestId('history')).toContainText(/cannot be kept|does not let|blocked/i);
});
