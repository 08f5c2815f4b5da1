/** What is said of any model's config.json: figures, layers, engines, copies, and its twin measured. No GPU. */
import { AxeBuilder } from '@axe-core/playwright';
import { compute, GEMMA, LLAMA, paste, says } from '../support/config-input';
import { expect, test } from '../support/fixtures';
import { cellAt } from '../support/lab-page';

const PHONE = { width: 360, height: 740 };

test('a pasted config.json: sentence, figures, layers, engines; an emptied field clears them', async ({
  page,
  lab,
}) => {
  await lab.open();
  await paste(lab, JSON.stringify(GEMMA));
  await expect(says(page)).toHaveText(
    'gemma3_text keeps 26,624 bytes a token in all 26 layers until its windows are full (512 tokens), then 4,096 bytes a token in 4 of 26 layers.',
  );
  await expect(page.getByTestId('figure-first').locator('.exact')).toContainText('26,624');
  await expect(page.getByTestId('figure-far').locator('.exact')).toContainText('4,096');
  await expect(page.getByTestId('figure-total').locator('.exact')).toContainText('145,752,064');

  await page.getByTestId('figure-far').getByText('How this follows').click();
  await expect(page.getByTestId('figure-far')).toContainText(
    '4 full attention layers × 1 KV head × (256 + 256) × 2 bytes = 4,096 bytes a token',
  );
  await expect(page.getByTestId('figure-far')).toContainText('sliding_window_pattern = 6');

  await expect(page.getByTestId('layers-table').getByRole('row')).toHaveCount(3);
  await expect(page.getByTestId('layer-strip').getByRole('button')).toHaveCount(26);
  await expect(page.getByTestId('engines-table')).toContainText(
    'exported graphs keep every token in every layer',
  );
  // 26 layers x 1,024 x 32,768.
  await expect(page.getByTestId('engines-table')).toContainText('872,415,232');

  await lab.part('config-input').fill('');
  await expect(says(page)).toHaveCount(0);
  // All of it is pure: nothing is run for it.
  expect(page.workers()).toHaveLength(0);
});

test('context, batch and element type change the numbers at once; what cannot be used is said', async ({
  page,
  lab,
}) => {
  await lab.open();
  await compute(lab, JSON.stringify(LLAMA));
  const total = page.getByTestId('figure-total').locator('.exact');
  // 131,072 x 32,768.
  await expect(total).toContainText('4,294,967,296');
  await page.getByLabel('Context, tokens').fill('1,000');
  await expect(total).toContainText('131,072,000');
  await page.locator('#calc-batch').selectOption('4');
  await expect(total).toContainText('524,288,000');
  // q8_0: 128 elements are 4 blocks of 34 bytes: 32 x 8 x 272 x 1,000 x 4.
  await page.getByLabel('Element type of the cache').selectOption('q8_0');
  await expect(total).toContainText('278,528,000');
  await page.getByLabel('Element type of the cache').selectOption('bits');
  await page.getByLabel('Bits per element', { exact: true }).fill('0.5');
  // 65,536 elements a token at a sixteenth of a byte.
  await expect(page.getByTestId('figure-first').locator('.exact')).toContainText('4,096');
  await page.getByLabel('Bits per element', { exact: true }).fill('x');
  await expect(page.getByText('Bits per element: a number above 0')).toBeVisible();
  await page.getByLabel('Context, tokens').fill('-3');
  await expect(page.getByText('Context: a whole number from 1')).toBeVisible();
});

test('tables copy as Markdown and CSV', async ({ page, lab }) => {
  await lab.open();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await compute(lab, JSON.stringify(GEMMA));
  const clipboard = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole('button', { name: 'Copy as Markdown: Layers that are alike' }).click();
  await expect
    .poll(clipboard)
    .toContain(
      '| sliding window | 0–4, 6–10, 12–16, 18–22, 24–25 | 22 | 1 | 256 + 256 | 512 | 1,024 | 0 | 22,528 |',
    );
  await page.getByRole('button', { name: /^Copy as CSV: Engines/ }).click();
  await expect.poll(clipboard).toContain('ideal,145752064,1x,4096,');
});

test('by keyboard: arrow keys go from layer to layer and the line says what each keeps', async ({
  page,
  lab,
}) => {
  await lab.open();
  await compute(lab, JSON.stringify(GEMMA));
  const cells = page.getByTestId('layer-strip').getByRole('button');
  // The pointer still is where Compute was; results that grow move cells under it, and a pointer shows its cell too.
  await page.mouse.move(0, 0);
  await cells.first().focus();
  for (let step = 0; step < 5; step += 1) await page.keyboard.press('ArrowRight');
  await expect(cells.nth(5)).toBeFocused();
  await expect(page.getByTestId('layer-line')).toHaveText('Layer 5: full attention. 1,024 bytes a token');
  await page.keyboard.press('Home');
  await expect(page.getByTestId('layer-line')).toHaveText(
    'Layer 0: sliding window. 1,024 bytes a token, up to 512 tokens',
  );
  await page.keyboard.press('End');
  await expect(cells.last()).toBeFocused();
  await page.getByRole('button', { name: 'Show every layer' }).press('Enter');
  await expect(page.getByTestId('layers-table').getByRole('row')).toHaveCount(27);
});

for (const lang of ['en', 'ko'] as const) {
  test(`${lang}: axe finds nothing and a phone never scrolls sideways`, async ({ page, lab }) => {
    await lab.open(`lang=${lang}`);
    await lab.part('config-input').fill(JSON.stringify(GEMMA));
    await lab.part('config-input').press('Tab');
    await page.keyboard.press('Enter');
    await expect(says(page)).toBeVisible();
    await page.getByTestId('figure-total').locator('summary').click();
    await page.getByTestId('engines-chart').locator('summary').click();
    await expect(page.getByTestId('engines-chart').locator('canvas')).toBeVisible();
    const look = async (...schemes: ('light' | 'dark')[]): Promise<void> => {
      for (const colorScheme of schemes) {
        await page.emulateMedia({ colorScheme });
        const { violations } = await new AxeBuilder({ page }).include('#calculator').analyze();
        expect(
          violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`)),
        ).toEqual([]);
      }
    };
    await look('light', 'dark');
    const ways = page.locator('#calculator .segments').first().getByRole('button');
    for (const way of [1, 2, 3]) {
      await ways.nth(way).click();
      await expect(page.locator('.config-way')).toBeVisible();
      await look(way === 2 ? 'light' : 'dark');
    }
    await page.setViewportSize(PHONE);
    await expect
      .poll(() =>
        page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      )
      .toBeLessThanOrEqual(0);
  });
}

test('Measure this config: its twin is run, and the bytes are those of the formula', async ({
  page,
  lab,
}) => {
  await lab.open('device=wasm&tokens=8');
  // Three convolutions and states, and one layer with keys and values.
  await compute(
    lab,
    JSON.stringify({
      model_type: 'lfm2',
      num_hidden_layers: 3,
      layer_types: ['conv', 'full_attention', 'conv'],
      num_attention_heads: 4,
      num_key_value_heads: 2,
      hidden_size: 64,
      conv_L_cache: 3,
      max_position_embeddings: 256,
      vocab_size: 256,
    }),
  );
  // 2 KV heads x (16 + 16) x 2 bytes.
  await expect(says(page)).toContainText('128 bytes a token in 1 of 3 layers');
  await page.getByTestId('measure-config').click();
  await lab.expectState('running', 'done');
  await lab.expectState('done');
  const record = await lab.record();
  expect(record.faults).toEqual([]);
  // float32 under the graph's rule: 8 x 2 x 32 x 4, and 2 convolutions of 64 channels x 3 inputs x 4.
  expect(cellAt(record, 8)).toMatchObject({ tensorBytes: 3584, ratio: 1 });
});
