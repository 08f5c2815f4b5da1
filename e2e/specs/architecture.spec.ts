/** Any model's config.json: every way in, what is said of it, and what can be taken away. No GPU, no worker. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { REPO_IDS, REPO_SHAS } from '../fake-hub/repo-ids';
import { expect, test } from '../support/fixtures';
import { fileAnswers, hubTest } from '../support/hub-test';
import { cellAt, type LabPage } from '../support/lab-page';

const PHONE = { width: 360, height: 740 };

/** Llama-3.1-8B: 32 layers x 8 KV heads x (128 + 128) x 2 bytes = 131,072 bytes a token. */
const LLAMA = {
  model_type: 'llama',
  num_hidden_layers: 32,
  num_attention_heads: 32,
  num_key_value_heads: 8,
  hidden_size: 4096,
};
/** Gemma-3-1b (golden/architectures.json): 26,624 bytes a token, 4,096 past the windows, 145,752,064 at 32,768 tokens. */
const GEMMA = {
  model_type: 'gemma3_text',
  num_hidden_layers: 26,
  num_attention_heads: 4,
  num_key_value_heads: 1,
  head_dim: 256,
  sliding_window: 512,
  sliding_window_pattern: 6,
  hidden_size: 1152,
};

const says = (page: Page) => page.getByTestId('architecture-says');

async function compute(lab: LabPage, text: string): Promise<void> {
  await lab.part('config-input').fill(text);
  await lab.page.getByRole('button', { name: 'Compute' }).click();
}

/** Pastes as a person does: the numbers come without Compute. */
async function paste(lab: LabPage, text: string): Promise<void> {
  await lab.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await lab.page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await lab.part('config-input').focus();
  await lab.page.keyboard.press('Control+V');
}

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

test('texts as people have them are read, and what was overlooked is said', async ({ page, lab }) => {
  await lab.open();
  await compute(
    lab,
    `// from the model card\n{"num_hidden_layers": 32, /* all */ ${JSON.stringify(LLAMA).slice(1, -1)},\n}`,
  );
  await expect(says(page)).toContainText('131,072 bytes a token in all 32 layers');
  await expect(page.getByTestId('config-notes')).toContainText('no strict JSON');

  const python = `LlamaConfig {'model_type': 'llama', 'num_hidden_layers': 32, 'num_attention_heads': 32, 'num_key_value_heads': 8, 'hidden_size': 4096, 'rope_scaling': None, 'use_cache': True}`;
  await compute(lab, python);
  await expect(says(page)).toContainText('131,072');
  await expect(page.getByTestId('config-notes')).toContainText('None, True and False');
});

for (const [what, text, sentence] of [
  ['a web page', '<!doctype html><html><body>config</body></html>', 'This is a web page, not a config.json'],
  ['a cut-off object', JSON.stringify(LLAMA).slice(0, 70), 'is never closed'],
  ['no JSON', 'hello', 'This is not JSON'],
  ['a list', '[1, 2]', 'A config.json is a JSON object'],
  [
    'an encoder',
    '{"model_type":"bert","num_hidden_layers":12,"num_attention_heads":12,"hidden_size":768}',
    'keeps no KV cache',
  ],
] as const) {
  test(`${what} in place of a config.json gets its sentence`, async ({ page, lab }) => {
    await lab.open();
    await compute(lab, JSON.stringify(LLAMA));
    await expect(says(page)).toBeVisible();
    await compute(lab, text);
    await expect(lab.part('config-result').getByRole('alert')).toContainText(sentence);
    // Nothing of the model before stays.
    await expect(says(page)).toHaveCount(0);
  });
}

test('a missing field is named, and the numbers can be set by hand with what was read', async ({
  page,
  lab,
}) => {
  await lab.open();
  await compute(
    lab,
    '{"model_type":"llama","num_attention_heads":32,"num_key_value_heads":8,"hidden_size":4096}',
  );
  await expect(lab.part('config-result')).toContainText('num_hidden_layers');
  await page.getByRole('button', { name: 'Set the numbers by hand' }).click();
  const hand = page.getByTestId('config-hand');
  await expect(hand.getByLabel('KV heads')).toHaveValue('8');
  await expect(hand.getByLabel('Head dim (key)')).toHaveValue('128');
  await hand.getByRole('button', { name: 'Use these numbers' }).click();
  await expect(hand).toContainText('Layers is missing');
  await expect(hand.getByLabel('Layers', { exact: true })).toBeFocused();
  await hand.getByLabel('Layers', { exact: true }).fill('32');
  await hand.getByRole('button', { name: 'Use these numbers' }).click();
  await expect(says(page)).toHaveText('llama keeps 131,072 bytes a token in all 32 layers.');
});

test('bytes by hand: 890 bytes per token', async ({ page, lab }) => {
  await lab.open();
  await page.getByRole('button', { name: 'By hand', exact: true }).click();
  await page.getByRole('button', { name: 'By bytes' }).click();
  await page.getByLabel('Name').fill('Reported');
  await page.getByLabel('Bytes per token').fill('890');
  await page.getByRole('button', { name: 'Use these numbers' }).click();
  await expect(says(page)).toContainText('Reported keeps 890 bytes a token');
  await expect(page.getByTestId('figure-total').locator('.exact')).toContainText('29,163,520');
  await expect(page.getByText('Numbers given by hand have no config.json')).toBeVisible();
});

test('a family that is not known is read as full attention, and that is said', async ({ page, lab }) => {
  await lab.open();
  await compute(lab, JSON.stringify({ ...LLAMA, model_type: 'brand_new', sliding_cache_window: 77 }));
  await expect(says(page)).toContainText('brand_new keeps 131,072 bytes');
  const notes = page.getByTestId('config-notes');
  await expect(notes).toContainText('The model_type “brand_new” is not known here');
  await expect(notes).toContainText('sliding_cache_window = 77');
  await page.getByRole('button', { name: 'Set the numbers by hand' }).click();
  await expect(page.getByTestId('config-hand').getByLabel('Layers', { exact: true })).toHaveValue('32');
});

test('a file, chosen and dropped', async ({ page, lab }) => {
  await lab.open();
  const path = join(mkdtempSync(join(tmpdir(), 'kvlab-config-')), 'config.json');
  // With a byte order mark, as editors of Windows write it.
  writeFileSync(path, `\uFEFF${JSON.stringify(LLAMA)}`);
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByText('Choose a file', { exact: true }).click(),
  ]);
  await chooser.setFiles(path);
  await expect(says(page)).toContainText('131,072');
  await expect(page.getByTestId('config-read')).toContainText('config.json from a file');

  const transfer = await page.evaluateHandle((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], 'config.json', { type: 'application/json' }));
    return data;
  }, JSON.stringify(GEMMA));
  const zone = page.getByTestId('config-drop');
  await zone.dispatchEvent('dragover', { dataTransfer: transfer });
  await expect(page.getByText('Drop the config.json here')).toBeVisible();
  await zone.dispatchEvent('drop', { dataTransfer: transfer });
  await expect(says(page)).toContainText('26,624');
  await expect(page.getByText('Drop the config.json here')).toHaveCount(0);
});

test('the catalogue: searched by name and kind, a model says where its fields were read', async ({
  page,
  lab,
}) => {
  await lab.open();
  await page.getByRole('button', { name: 'Catalogue' }).click();
  const list = page.getByTestId('catalogue');
  await list.getByRole('searchbox').fill('Qwen3.5-27B');
  await list.getByRole('button', { name: /Qwen\/Qwen3\.5-27B/ }).click();
  // golden/architectures.json.
  await expect(says(page)).toContainText(
    '65,536 bytes a token in 16 of 64 layers, and 153,944,064 bytes of state',
  );
  await expect(page.getByTestId('config-read')).toContainText('Fields from');
  await page.getByTestId('figure-first').getByText('How this follows').click();
  await expect(page.getByTestId('figure-first')).toContainText(
    '16 full attention layers × 4 KV heads × (256 + 256) × 2 bytes = 65,536 bytes a token',
  );
  await list.getByRole('searchbox').fill('latent');
  await expect(list.getByRole('button', { name: /DeepSeek/ }).first()).toBeVisible();
  await list.getByRole('searchbox').fill('no such model');
  await expect(list).toContainText('No model of the catalogue has “no such model”');
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

hubTest(
  'a hub id: three small requests on a click, and what the repository says of itself',
  async ({ page, lab, hub }) => {
    await lab.open();
    await page.getByRole('button', { name: 'Hub id' }).click();
    await expect(page.getByText(`Asks ${hub.url}`)).toBeVisible();
    expect(hub.requests).toEqual([]);
    await page.getByTestId('config-hub').fill(REPO_IDS.noOnnx);
    await page.getByRole('button', { name: 'Look up' }).click();
    // 2 layers x 2 KV heads x (16 + 16) x 2 bytes.
    await expect(says(page)).toHaveText('lab/no-onnx keeps 256 bytes a token in all 2 layers.');
    const read = page.getByTestId('config-read');
    await expect(read).toContainText(REPO_SHAS.noOnnx.slice(0, 7));
    await expect(read).toContainText('111,936 parameters');
    await expect(read).toContainText('4,096 bytes of weights (model.safetensors)');
    expect(fileAnswers(hub).map(({ file }) => file)).toEqual(['lab/no-onnx/config.json']);
  },
);

hubTest('a hub id that is gated, missing or no id gets its sentence', async ({ page, lab, watch }) => {
  watch.allow(/Failed to load resource/);
  await lab.open();
  await page.getByRole('button', { name: 'Hub id' }).click();
  const alert = lab.part('config-result').getByRole('alert');
  for (const [id, sentence] of [
    [REPO_IDS.gated, 'does not give out lab/gated without access (HTTP 401)'],
    [REPO_IDS.gatedForbidden, 'does not give out lab/gated-forbidden without access (HTTP 403)'],
    ['lab/nothing-here', /lab\/nothing-here/],
    ['not an id', '“not an id” is no model id'],
  ] as const) {
    await page.getByTestId('config-hub').fill(id);
    await page.getByRole('button', { name: 'Look up' }).click();
    await expect(alert).toContainText(sentence);
  }
});

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
