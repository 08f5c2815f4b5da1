/** Cache twins in the model picker: their cards, the catalogue to search, the offer beside a typed id, and a part of the layers. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from '../support/fixtures';

const DEEPSEEK = 'deepseek-ai/DeepSeek-V3';
const card = (page: Page, id: string) => page.locator(`[data-testid="twin-card"][data-id="${id}"]`);
const violations = async (page: Page) =>
  (await new AxeBuilder({ page }).include('[data-testid="model-picker"]').analyze()).violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`,
  );

test('twins that came with a link have cards: facts, badges, layers, a way out', async ({ page, lab }) => {
  await lab.open(`model=twin:${DEEPSEEK}:layers=2&model=config:llama-0123abcd`);
  // 61 layers x 128 heads x (192 + 128) x 4 bytes.
  await expect(card(page, `twin:${DEEPSEEK}:layers=2`)).toContainText('9,994,240');
  await expect(card(page, `twin:${DEEPSEEK}:layers=2`)).toContainText('2 of 61');
  // What the graph keeps, not config.json's latents.
  await expect(card(page, `twin:${DEEPSEEK}:layers=2`)).toContainText(/KV heads\s*128.*192 \+ 128/s);
  await expect(card(page, `twin:${DEEPSEEK}:layers=2`)).toContainText('cache twin');
  await expect(card(page, 'config:llama-0123abcd').locator('.message-error')).toBeVisible();

  await page.getByRole('button', { name: 'Add it with latents kept compressed' }).click();
  const latent = card(page, `latent:${DEEPSEEK}:layers=2`);
  // 61 x (512 + 64) x 4 bytes.
  await expect(latent).toContainText('140,544');
  await expect(latent).toContainText('No transformers.js export does this');
  expect(await violations(page)).toEqual([]);

  await card(page, 'config:llama-0123abcd')
    .getByRole('button', { name: /^Remove/ })
    .click();
  await expect(page.getByTestId('twin-card')).toHaveCount(2);
  expect(new URL(page.url()).searchParams.getAll('model')).toEqual([
    `twin:${DEEPSEEK}:layers=2`,
    `latent:${DEEPSEEK}:layers=2`,
  ]);
});

test('the catalogue under “Other models”: searched, pressed, pressed again', async ({ page, lab }) => {
  await lab.open('model=tiny');
  await page.getByTestId('other-models').locator('> summary').click();
  await page.getByTestId('twin-search').getByRole('searchbox').fill('Qwen3-8B');
  const item = page
    .getByTestId('twin-search')
    .getByRole('button', { name: /Qwen\/Qwen3-8B\b/ })
    .first();
  await item.click();
  await expect(item).toHaveAttribute('aria-pressed', 'true');
  // 36 x 2 x 8 x 128 x 4 bytes.
  await expect(card(page, 'twin:Qwen/Qwen3-8B')).toContainText('294,912');
  expect(await violations(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  await item.click();
  await expect(page.getByTestId('twin-card')).toHaveCount(0);
});

test('an id of the catalogue that is typed offers its twin beside the download', async ({ page, lab }) => {
  await lab.open('model=tiny');
  await page.getByTestId('other-models').locator('> summary').click();
  const id = page.getByLabel('Or an id of the hub');
  await id.fill('nobody/nothing');
  await expect(page.getByTestId('twin-offer')).toHaveCount(0);
  await id.fill('https://huggingface.co/qwen/qwen3-8b');
  await expect(page.getByRole('button', { name: 'Download the model' })).toBeVisible();
  await page.getByRole('button', { name: 'Measure its cache twin' }).click();
  await expect(card(page, 'twin:Qwen/Qwen3-8B')).toBeVisible();
  await expect(id).toHaveValue('');
});

test('2 of 61 layers: the whole model stands apart in the report and the exports, by formula', async ({
  page,
  lab,
}) => {
  test.setTimeout(240_000);
  const record = await lab.measure(`model=twin:${DEEPSEEK}:layers=2&tokens=32&device=wasm`);
  // 2 x 128 x (192 + 128) x 32 x 4 were measured; 61 of these layers would take 319,815,680.
  expect(record.cells[0]).toMatchObject({ tensorBytes: 10_485_760, formulaBytes: 10_485_760 });
  await expect(page.getByTestId('scaled')).toContainText('2 of 61 layers measured.');
  await expect(page.getByTestId('scaled-table')).toContainText('319,815,680');
  await expect(lab.part('cells-table')).not.toContainText('319,815,680');
  expect(await lab.copied('copy-markdown')).toContain(
    '2 of 61 layers measured; the whole model’s cache would be 319,815,680 bytes at 32 tokens by formula (scaled, not measured).',
  );
  expect(await lab.exported('export-csv')).toContain(',2,61,319815680');
});
