/** The planner: the second article's numbers, links, bad values, weights that do not fit, hub and typed models, files, everyone. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { REPO_IDS } from '../fake-hub/repo-ids';
import { expect, test } from '../support/fixtures';
import { hubTest } from '../support/hub-test';
import type {} from '../support/headless';

/** Sessions of a model by the table, in the order of the contexts. */
async function sessionsOf(page: Page, id: string): Promise<string[]> {
  const cells = page.locator(
    `[data-testid="capacity-table"] tr[data-model="${id}"] [data-testid="sessions"]`,
  );
  return (await cells.allTextContents()).map((text) => text.trim());
}

/** A what-if row of a model: bytes per token, tokens that fit, sessions by context. */
async function whatIf(page: Page, id: string, name: string): Promise<string[]> {
  const row = page.locator(`[data-testid="capacity-detail"][data-model="${id}"] tr[data-case="${name}"] td`);
  return await row.allTextContents();
}

const detail = (page: Page, id: string) =>
  page.locator(`[data-testid="capacity-detail"][data-model="${id}"]`);

test('opened, it shows the second article’s numbers, without WebGPU, worker or run', async ({
  lab,
  page,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'gpu', { value: undefined });
  });
  const workers: string[] = [];
  page.on('worker', (worker) => workers.push(worker.url()));
  await lab.open('experiment=capacity');
  await expect(page.getByTestId('capacity-answer')).toContainText(
    'One 80 GiB GPU holds 57 sessions of 8,192 tokens of Qwen3-8B and 9 of Qwen3-32B: weights differ 4.0x, sessions 6.3x.',
  );
  expect(await sessionsOf(page, 'Qwen/Qwen3-8B')).toEqual(['115', '57', '14']);
  expect(await sessionsOf(page, 'Qwen/Qwen3-32B')).toEqual(['18', '9', '2']);
  await expect(detail(page, 'Qwen/Qwen3-8B')).toContainText('471,448');
  await expect(detail(page, 'Qwen/Qwen3-32B')).toContainText('77,724');
  // Without shared KV heads 589,824 bytes and 3 sessions of 32,768 tokens; at 20.4 % 2 sessions.
  const [perToken, , , , threeSessions] = await whatIf(page, 'Qwen/Qwen3-8B', 'no-gqa');
  expect([perToken, threeSessions]).toEqual(['589,824', '3']);
  expect((await whatIf(page, 'Qwen/Qwen3-8B', 'utilisation-low')).at(-1)).toBe('2');
  await lab.expectState('idle');
  expect(workers).toEqual([]);
});

test('every figure opens to its formula with the numbers put in', async ({ lab, page }) => {
  await lab.open('experiment=capacity');
  const derivations = detail(page, 'Qwen/Qwen3-8B').locator('.derivation summary');
  await expect(derivations).toHaveCount(6);
  for (const summary of await derivations.all()) await summary.click();
  for (const formula of [
    'total_size of model.safetensors.index.json',
    '1 x (⌊85,899,345,920 x 100 %⌋ − 0) − 16,381,470,720 = 69,517,875,200 bytes',
    '36 full attention layers × 8 KV heads × (128 + 128) × 2 bytes = 147,456 bytes a token',
    'num_key_value_heads = 8',
    '⌊69,517,875,200 ÷ 147,456⌋ = 471,448 tokens',
    'At 8,192 tokens: ⌊69,517,875,200 ÷ 1,207,959,552⌋ = 57 sessions',
  ])
    await expect(detail(page, 'Qwen/Qwen3-8B')).toContainText(formula);
});

test('OPT-13B, DeepSeek-V2 and a reported 890 bytes per token', async ({ lab, page }) => {
  await lab.open('experiment=capacity&model=facebook/opt-13b&weights=facebook/opt-13b:0&gpu=12GiB&kv=fp16');
  await expect(detail(page, 'facebook/opt-13b')).toContainText('819,200');
  await expect(detail(page, 'facebook/opt-13b')).toContainText('15,728');
  await lab.open('experiment=capacity&model=deepseek-ai/DeepSeek-V2&gpus=8');
  await expect(detail(page, 'deepseek-ai/DeepSeek-V2')).toContainText('69,120');

  await lab.open('experiment=capacity&model=Qwen/Qwen3-8B');
  await page.getByText('By reported bytes per token').click();
  await page.getByLabel('Name').fill('V4.1 Flash');
  await page.getByLabel('Bytes per token', { exact: true }).fill('890');
  await page.getByTestId('capacity-typed').getByRole('button', { name: 'Add' }).click();
  await expect(page.getByTestId('capacity-compare')).toContainText(
    'A token of Qwen3-8B takes 166x as many bytes as one of V4.1 Flash: 147,456 ÷ 890.',
  );
  expect(new URL(page.url()).searchParams.getAll('model')).toEqual(['Qwen/Qwen3-8B', 'typed:V4.1 Flash:890']);
  await expect(page.locator('[data-model="typed:V4.1 Flash:890"].card')).toContainText('is not known');
});

test('typing changes the answer at once and the link; the link gives the plan back', async ({
  lab,
  page,
  context,
}) => {
  await lab.open('experiment=capacity');
  await page.getByLabel('Tokens per session').fill('1000, 2000');
  await page.getByLabel('GPUs', { exact: true }).fill('2');
  await page.getByLabel('Kept free on each GPU').fill('2GiB');
  await page.getByLabel('Usable share, %').fill('90');
  await page.getByLabel('Cache type').fill('fp8');
  await page.getByRole('combobox', { name: 'Engine' }).selectOption('vllm');
  await page.getByRole('combobox', { name: 'GPU', exact: true }).selectOption('h200');
  await page.getByLabel('Sessions wanted').fill('100');
  await page.getByRole('button', { name: 'Remove Qwen3-32B' }).click();
  const before = await page.getByTestId('capacity-answer').textContent();
  expect(before).toContain('2 x NVIDIA H200 141GB hold');
  expect(before).toContain('sessions of 1,000 tokens of Qwen3-8B');
  const link = await lab.copied('copy-link');
  expect(new URL(link).search).toBe(
    '?experiment=capacity&model=Qwen/Qwen3-8B&gpu=h200&gpus=2&reserve=2GiB&share=90&kv=fp8&engine=vllm&contexts=1000,2000&sessions=100',
  );
  const other = await context.newPage();
  await other.goto(link);
  await expect(other.getByTestId('capacity-answer')).toHaveText(before ?? '');
  await other.close();
});

test('what cannot be used is said at its field, and in a link; nothing else is lost', async ({
  lab,
  page,
}) => {
  await lab.open('experiment=capacity&gpus=0&gpu=moon&tokens=64');
  await expect(page.getByRole('alert').first()).toContainText('“moon” is not a valid value for gpu');
  await expect(page.getByTestId('notices')).toContainText('tokens');
  await lab.expectState('failed');
  expect(await sessionsOf(page, 'Qwen/Qwen3-8B')).toEqual(['115', '57', '14']);

  await lab.open('experiment=capacity');
  await page.getByLabel('Memory of one GPU').fill('-1');
  await expect(page.getByRole('alert')).toContainText(
    '“-1” is not a valid value for “Memory of one GPU”: use bytes such as 80GiB',
  );
  expect(await sessionsOf(page, 'Qwen/Qwen3-8B')).toEqual(['115', '57', '14']);
  await page.getByLabel('Memory of one GPU').fill('24GiB');
  await expect(page.getByRole('alert')).toHaveCount(0);

  await page.getByLabel('Tokens per session').fill('4,096, 8,192, 32,768');
  expect(await sessionsOf(page, 'Qwen/Qwen3-8B')).toEqual(['15', '7', '1']);
  const share = page.getByLabel('Usable share, %');
  await share.fill('abc');
  await expect(share).toHaveAccessibleDescription(/“abc” is no percentage over 0 and up to 100/);
  await share.fill('1');
  await expect(page.getByRole('alert')).toHaveCount(0);
  expect(new URL(await lab.copied('copy-link')).searchParams.get('share')).toBe('1%');
});

test('weights that do not fit are said with their bytes; nothing is negative', async ({ lab, page }) => {
  await lab.open('experiment=capacity&gpu=24GiB');
  const said = page.getByTestId('capacity-answer');
  // 65,524,246,528 − 25,769,803,776
  await expect(said).toContainText('The weights of Qwen3-32B do not fit: 39,754,442,752 bytes are missing.');
  await expect(said).toContainText('One 24 GiB GPU holds 7 sessions of 8,192 tokens of Qwen3-8B.');
  expect(await sessionsOf(page, 'Qwen/Qwen3-32B')).toEqual(['0', '0', '0']);
  expect(await page.getByTestId('capacity').innerText()).not.toMatch(/(^|[\s(])[-−]\d/);
});

test('a model that the catalogue does not have is asked for only on a click', async ({ lab, page }) => {
  // Any request to elsewhere would fail this test.
  await lab.open('experiment=capacity&model=nobody/nothing');
  await expect(page.getByRole('button', { name: /^Look it up on / })).toBeVisible();
  await expect(page.getByTestId('capacity-answer')).toContainText('cannot be said');
  await page.getByLabel('Add a model').fill('Qwen/Qwen3-8B');
  await page.getByRole('button', { name: 'Add', exact: true }).first().click();
  expect(await sessionsOf(page, 'Qwen/Qwen3-8B')).toEqual(['115', '57', '14']);
  await page.getByLabel('Add a model').fill('no id');
  await page.getByRole('button', { name: 'Add', exact: true }).first().click();
  await expect(page.getByRole('alert')).toContainText('“no id” is no model id');
  await page.getByLabel('Add a model').fill('Qwen3-32B');
  await page.getByRole('button', { name: 'Add', exact: true }).first().click();
  expect(await sessionsOf(page, 'Qwen/Qwen3-32B')).toEqual(['18', '9', '2']);
  await page.getByRole('button', { name: 'Add', exact: true }).first().click();
  await expect(page.getByRole('alert')).toContainText('Type a model id such as Qwen/Qwen3-8B');
});

hubTest('what a click looks up at the hub is planned with, weights and all', async ({ lab, page, hub }) => {
  const id = REPO_IDS.noOnnx;
  await lab.open(`experiment=capacity&model=${id}`);
  expect(hub.requests).toEqual([]);
  await page.getByRole('button', { name: `Look it up on ${hub.url}` }).click();
  // The size of its one file of weights.
  await expect(page.locator(`[data-model="${id}"].card`)).toContainText(
    '4 KiB · From the hub: model.safetensors.',
  );
  await expect(page.locator(`[data-testid="capacity-table"] tr[data-model="${id}"]`)).toHaveCount(3);
  expect(hub.requests.length).toBeGreaterThan(0);
});

test('a pasted config.json is planned with, and its weights are counted', async ({ lab, page }) => {
  await lab.open('experiment=capacity&model=typed:x:1');
  await page.getByText('Any config.json, a hub model or numbers by hand').click();
  const config = {
    model_type: 'qwen3',
    ...{
      num_hidden_layers: 36,
      num_attention_heads: 32,
      num_key_value_heads: 8,
      head_dim: 128,
      hidden_size: 4096,
    },
    ...{ intermediate_size: 12288, vocab_size: 151936, tie_word_embeddings: false, torch_dtype: 'bfloat16' },
  };
  await page.getByTestId('capacity-config-input').fill(JSON.stringify(config));
  await page.getByTestId('capacity-config-drop').getByRole('button', { name: 'Compute' }).click();
  await page.getByTestId('capacity-config-result').getByRole('button', { name: 'Add' }).click();
  // 8,190,735,360 parameters x 2 bytes: what the index of Qwen3-8B says.
  await expect(page.locator('[data-model^="config:qwen3-"].card')).toContainText(
    '8,190,735,360 parameters x 2 bytes',
  );
  const id = (await page.locator('[data-model^="config:qwen3-"].card').getAttribute('data-model')) ?? '';
  expect(await sessionsOf(page, id)).toEqual(['115', '57', '14']);

  // Another one of the same model type stands beside it.
  const smaller = JSON.stringify({ ...config, num_hidden_layers: 18 });
  await page.getByTestId('capacity-config-input').fill(smaller);
  await page.getByTestId('capacity-config-drop').getByRole('button', { name: 'Compute' }).click();
  await page.getByTestId('capacity-config-result').getByRole('button', { name: 'Add' }).click();
  await expect(page.locator('[data-model^="config:qwen3-"].card')).toHaveCount(2);
  expect(await sessionsOf(page, id)).toEqual(['115', '57', '14']);
});

test('scripts get a record, and files carry it', async ({ lab, page }) => {
  await lab.open();
  const record = await page.evaluate(() => window.kvlab.run('experiment=capacity&model=Qwen/Qwen3-8B'));
  expect(record).toMatchObject({
    status: 'done',
    cells: [],
    capacity: { state: { gpu: '80GiB', kv: 'bf16' }, models: [{ id: 'Qwen/Qwen3-8B', kvTokens: 471_448 }] },
  });
  await expect(page.getByTestId('capacity')).toBeVisible();
  const again = await page.evaluate((recipe) => window.kvlab.run(recipe as never), record.recipe);
  expect(again.capacity).toEqual(record.capacity);
  const bad = page.evaluate(() => window.kvlab.run('experiment=capacity&kv=fp7'));
  await expect(bad).rejects.toThrow(/“fp7” is not a valid value for kv/);

  await lab.open('experiment=capacity&model=Qwen/Qwen3-8B&run=1');
  await lab.expectState('done');
  expect(await lab.copied('copy-markdown')).toContain(
    '| Qwen3-8B | as planned | 8,192 | 1,207,959,552 | 1.13 GiB | 57 |',
  );
  expect(await lab.exported('export-csv')).toContain(
    'Qwen/Qwen3-8B,planned,80 GiB GPU,85899345920,1,0,100,bf16,ideal',
  );
  const json = await lab.exported('export-json');
  await lab.open();
  await lab.importFile(json);
  await expect(page.getByTestId('capacity-answer')).toContainText('57 sessions of 8,192 tokens of Qwen3-8B');
});

test('going elsewhere and back keeps the plan', async ({ lab, page }) => {
  await lab.open('experiment=capacity&gpu=24GiB&model=Qwen/Qwen3-8B');
  const views = page.getByRole('navigation', { name: 'Views' });
  await views.getByRole('link', { name: 'Length' }).click();
  await expect(lab.part('model-picker')).toBeVisible();
  expect(new URL(page.url()).search).toBe('');
  await views.getByRole('link', { name: 'Capacity' }).click();
  await expect(page.getByTestId('capacity-answer')).toContainText('One 24 GiB GPU');
});

test('for everyone: axe in both schemes and languages, a phone, the keyboard', async ({ lab, page }) => {
  for (const lang of ['en', 'ko']) {
    await lab.open(`experiment=capacity&lang=${lang}`);
    await expect(page.locator('canvas')).toBeVisible();
    for (const summary of await page.locator('.capacity details > summary').all()) await summary.click();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(
        violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join()}`),
      ).toEqual([]);
    }
    await page.setViewportSize({ width: 360, height: 740 });
    await expect
      .poll(() =>
        page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      )
      .toBeLessThanOrEqual(0);
    await page.setViewportSize({ width: 1280, height: 900 });
  }
  await lab.open('experiment=capacity');
  await page.getByLabel('Memory of one GPU').focus();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('160GiB');
  await expect(page.getByTestId('capacity-answer')).toContainText('One 160 GiB GPU holds');
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('GPUs', { exact: true })).toBeFocused();
});
