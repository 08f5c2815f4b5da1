/** Bad input from links, files and fields: each gets its sentence, nothing runs, nothing breaks, nothing becomes HTML. */
import { expect, gpuTest, test } from '../support/fixtures';

/** Links whose recipe is bad, and the sentence each must get. */
const BAD_RECIPES: [query: string, sentence: RegExp][] = [
  ['tokens=abc', /“abc” is not a valid value for tokens/],
  ['tokens=0,-5,1e99', /“0,-5,1e99” is not a valid value for tokens/],
  ['model=../../etc', /“\.\.\/\.\.\/etc” is not a valid value for model/],
  ['model=%3Cscript%3E', /“<script>” is not a valid value for model/],
  [
    'model=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E',
    /“<img src=x onerror=alert\(1\)>” is not a valid value for model/,
  ],
  ['model=javascript:1', /“javascript:1” is not a valid value for model/],
  ['model=no-such-model', /There is no model “no-such-model” here/],
  ['batch=0', /“0” is not a valid value for batch/],
  ['experiment=telepathy', /“telepathy” is not a valid value for experiment/],
  ['device=tpu', /“tpu” is not a valid value for device/],
  ['prompt=%E0%A4%A', /is not a valid value for prompt/],
];

for (const [query, sentence] of BAD_RECIPES) {
  test(`?${query} is named, and nothing runs, not even with run=1`, async ({ page, lab }) => {
    let dialogs = 0;
    page.on('dialog', (dialog) => {
      dialogs += 1;
      void dialog.dismiss();
    });
    await lab.open(`${query}&run=1`);
    await expect(page.getByText(sentence).first()).toBeVisible();
    await page.waitForTimeout(500);
    expect(await lab.state()).toBe('failed');
    expect(await page.evaluate(() => window.kvlab.record())).toBeNull();
    expect(page.workers()).toHaveLength(0);
    expect(dialogs).toBe(0);
    expect(await page.locator('img[src="x"], main script').count()).toBe(0);
    const refused = await page.evaluate(
      (recipe) =>
        window.kvlab.run(recipe).then(
          () => null,
          (error: unknown) => String(error),
        ),
      query,
    );
    expect(refused).toMatch(sentence);
  });
}

gpuTest('an unknown option is named and ignored; the run goes on', async ({ page, lab }) => {
  await lab.open('tokens=8&colour=blue&run=1');
  await expect(lab.part('notices')).toContainText('“colour”');
  await lab.expectState('done');
  expect((await lab.record()).cells.map((cell) => cell.tokens)).toEqual([8]);
  expect(new URL(page.url()).searchParams.get('tokens')).toBe('8');
});

const DAMAGED = 'The results in this link are damaged';
const BAD_HASHES: [hash: string, sentence: string][] = [
  ['#r=1.eJyrVkrLz1eyUkpKLFKqBQ', DAMAGED],
  ['#r=', DAMAGED],
  ['#%', DAMAGED],
  ['#r=%E0%A4%A', DAMAGED],
  ['#s=AAAA', DAMAGED],
  ['#r=1.<svg/onload=alert(1)>', DAMAGED],
  ['#r=99.AAAA', 'made by a newer version of KV Cache Lab (format 99)'],
  [`#r=1.${'A'.repeat(1_000_000)}`, 'a link of ours has at most'],
];

for (const [hash, sentence] of BAD_HASHES) {
  test(`the hash ${hash.slice(0, 30)} is explained, and the settings still work`, async ({ page, lab }) => {
    await lab.open('tokens=8,16', { hash });
    await expect(lab.part('notices')).toContainText(sentence);
    expect(await lab.state()).toBe('idle');
    await expect(lab.part('run')).toBeEnabled();
    expect(new URL(page.url()).searchParams.get('tokens')).toBe('8,16');
    expect(await page.locator('svg[onload]').count()).toBe(0);
  });
}

test('a hash of 5 MB harms nothing', async ({ page, lab }) => {
  await lab.open('tokens=8');
  // Chromium itself refuses addresses over 2 MB; where a browser takes it, the page must.
  await page.evaluate(() => {
    location.hash = `#r=1.${'A'.repeat(5_000_000)}`;
  });
  await page.waitForTimeout(500);
  expect(await lab.state()).toBe('idle');
  await expect(lab.part('run')).toBeEnabled();
});

const FILES: [name: string, text: string, sentence: RegExp][] = [
  ['not JSON', 'hello', /This file is not JSON/],
  ['an HTML page', '<!doctype html><img src=x onerror=alert(1)>', /This file is not JSON/],
  ['an empty object', '{}', /not a KV Cache Lab record: its field “schema”/],
  ['a list', '[]', /not a KV Cache Lab record/],
  ['another schema', '{"schema":"speedometer/3"}', /not a KV Cache Lab record: its field “schema”/],
  ['a newer record', '{"schema":"kvlab.record/7"}', /newer than this version reads/],
  ['half a record', '{"schema":"kvlab.record/1","createdAt":"2026-01-01T00:00:00Z"}', /its field “\w+” is/],
  ['60 MB', ' '.repeat(60_000_000), /a record is at most/],
];

for (const [name, text, sentence] of FILES) {
  test(`importing ${name} is refused in words`, async ({ page, lab }) => {
    await lab.open();
    await lab.importFile(text);
    await expect(lab.part('notices')).toContainText(sentence);
    expect(await page.evaluate(() => window.kvlab.record())).toBeNull();
    expect(await page.locator('img[src="x"]').count()).toBe(0);
  });
}

const CONFIGS: [config: string, sentence: RegExp][] = [
  ['{}', /config\.json lacks “\w+”/],
  ['[]', /A config\.json is a JSON object; this is/],
  ['hello', /This is not JSON/],
  ['null', /A config\.json is a JSON object; this is/],
  [
    '{"model_type":"llama","num_hidden_layers":1000000000,"num_attention_heads":32,"hidden_size":4096}',
    /“num_hidden_layers” = 1,?000,?000,?000/,
  ],
  [
    '{"model_type":"llama","num_hidden_layers":32,"num_attention_heads":-3,"hidden_size":4096}',
    /“num_attention_heads” = -3/,
  ],
];

test('configs that are none are refused by field; NaN, 0 bytes and Infinity never show', async ({
  page,
  lab,
}) => {
  await lab.open();
  for (const [config, sentence] of CONFIGS) {
    await lab.part('config-input').fill(config);
    await page.getByRole('button', { name: 'Compute' }).click();
    await expect(lab.part('config-result')).toContainText(sentence);
    await expect(lab.part('config-result')).not.toContainText(/NaN|Infinity|\b0 bytes/);
  }
});

test('a model_type that is HTML stays text; the config is read as of an unknown family, and says so', async ({
  page,
  lab,
}) => {
  await lab.open();
  const model_type = '<img src=x onerror=alert(1)>';
  const config = { model_type, num_hidden_layers: 2, num_attention_heads: 2, hidden_size: 8 };
  await lab.part('config-input').fill(JSON.stringify(config));
  await page.getByRole('button', { name: 'Compute' }).click();
  const result = lab.part('config-result');
  await expect(result).toContainText(`The model_type “${model_type}” is not known here.`);
  // 2 layers x 2 KV heads x (4 + 4) x 2 bytes, and that x 32,768 tokens. "0 bytes" is right only of what is fixed.
  await expect(page.getByTestId('figure-first').locator('.exact')).toContainText('64');
  await expect(page.getByTestId('figure-far').locator('.exact')).toContainText('64');
  await expect(page.getByTestId('figure-total').locator('.exact')).toContainText('2,097,152');
  await expect(result).not.toContainText(/NaN|Infinity/);
  expect(await page.locator('img[src="x"]').count()).toBe(0);
});
