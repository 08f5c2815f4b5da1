/** Every way in of a model for the section of any config.json, and what is said of what cannot be read. No GPU, no worker. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { REPO_IDS, REPO_SHAS } from '../fake-hub/repo-ids';
import { compute, GEMMA, LLAMA, says } from '../support/config-input';
import { expect, test } from '../support/fixtures';
import { fileAnswers, hubTest } from '../support/hub-test';

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
