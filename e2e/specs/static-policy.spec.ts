/** Policy static in the browser: buffers made once, appended to in place; capacity and use told apart; room used up. */
import { expect, gpuTest, test } from '../support/fixtures';
import { REPO_IDS } from '../fake-hub/repo-ids';
import { hubGpuTest, runRecipe } from '../support/hub-test';
import { cellAt, growthOf } from '../support/lab-page';
import type { LabRecord } from '../../src/protocol/record';

/** tiny, fp32: 4 layers x 2 (keys and values) x 2 KV heads x 32 x 4 bytes. */
const PER_TOKEN = 2048;

const checksOf = (record: LabRecord) =>
  Object.fromEntries(
    record.checks.map(({ name, pass, measured }) => [name, pass ? measured : `failed: ${measured}`]),
  );
const failed = (record: LabRecord) => record.checks.filter(({ pass }) => !pass);

gpuTest(
  'on WebGPU the device stands still while decoding, and one move doubles the buffers',
  async ({ lab }) => {
    const record = await lab.measure(
      'experiment=growth&tokens=20&steps=9&policy=static&room=24&overflow=move',
    );
    const { steps, promptBytes, promptUsedBytes } = growthOf(record);
    expect([promptBytes, promptUsedBytes]).toEqual([24 * PER_TOKEN, 20 * PER_TOKEN]);
    expect(steps.map(({ usedBytes, formulaBytes }) => [usedBytes, formulaBytes])).toEqual(
      Array.from({ length: 9 }, (_, step) => [(21 + step) * PER_TOKEN, (21 + step) * PER_TOKEN]),
    );
    expect(steps.map(({ roomTokens, moves }) => [roomTokens, moves])).toEqual([
      ...Array.from({ length: 4 }, () => [24, 0]),
      ...Array.from({ length: 5 }, () => [48, 1]),
    ]);
    for (const { tensorBytes, residentBytes, roomTokens = 0 } of steps)
      expect([tensorBytes, residentBytes]).toEqual([roomTokens * PER_TOKEN, roomTokens * PER_TOKEN]);
    // Flat but for the first step's own buffers and the move; the old buffers are gone after it.
    const device = steps.map(({ deviceBytes }) => deviceBytes ?? NaN);
    expect(new Set(device.slice(1, 4)).size).toBe(1);
    expect(new Set(device.slice(4)).size).toBe(1);
    expect((device[4] ?? 0) - (device[3] ?? 0)).toBe(24 * PER_TOKEN);
    expect(failed(record)).toEqual([]);
    expect(checksOf(record)).toMatchObject({
      'static-same-logits': '0',
      'prefix-unchanged': 'unchanged',
      'growth-delta': '2,048 bytes',
      'static-flat': expect.stringMatching(/^[\d,]+ bytes$/),
      released: '0 bytes',
    });
    expect(record.models[0]?.notes).toContainEqual(
      expect.stringContaining('was moved 1 time to larger buffers'),
    );
    await expect(lab.part('verdict')).toContainText(
      'preallocated with room for 48 tokens: at 29 tokens 59,392 of its 98,304 bytes are used',
    );
    await expect(lab.part('growth-table')).toContainText('Tensor = capacity');
    await expect(lab.page.getByText('static cache with room for 24 → 48 tokens')).toBeVisible();
  },
);

gpuTest(
  'on WebGPU a batch appends in place too, and padded rows compute as they do alone',
  async ({ lab }) => {
    const record = await lab.measure('tokens=20,40&batch=2&policy=static&room=50');
    expect(
      record.cells.map(({ usedBytes, tensorBytes, residentBytes }) => [
        usedBytes,
        tensorBytes,
        residentBytes,
      ]),
    ).toEqual([
      [2 * 20 * PER_TOKEN, 2 * 50 * PER_TOKEN, 2 * 50 * PER_TOKEN],
      [2 * 40 * PER_TOKEN, 2 * 50 * PER_TOKEN, 2 * 50 * PER_TOKEN],
    ]);
    expect(failed(record)).toEqual([]);
    expect(checksOf(record)).toMatchObject({ 'static-same-logits': '0' });
  },
);

test('float16 on WASM: the same logits, half the bytes, and the page says that nothing is in place there', async ({
  lab,
}) => {
  const record = await lab.measure('tokens=64&policy=static&room=100&dtype=fp16&device=wasm');
  expect(cellAt(record, 64)).toMatchObject({
    ...{ formulaBytes: 65_536, usedBytes: 65_536, ratio: 1 },
    ...{ tensorBytes: 102_400, roomTokens: 100, roomFormulaBytes: 102_400, residentBytes: null },
  });
  expect(failed(record)).toEqual([]);
  expect(checksOf(record)).toMatchObject({
    'static-same-logits': '0',
    'static-capacity': '102,400 bytes at a room of 100 tokens',
  });
  expect(record.models[0]?.notes).toContainEqual(expect.stringContaining('not its place'));
});

hubGpuTest('a hub model whose graph has GroupQueryAttention is served on WebGPU', async ({ page, lab }) => {
  await lab.open();
  const record = await runRecipe(page, `model=${REPO_IDS.tiny}&tokens=16,20&policy=static`);
  expect(record.faults).toEqual([]);
  // 512 bytes a token (e2e/fake-hub/build-repos.ts, SMALL).
  expect(record.cells.map(({ usedBytes, tensorBytes }) => [usedBytes, tensorBytes])).toEqual([
    [16 * 512, 20 * 512],
    [20 * 512, 20 * 512],
  ]);
  expect(failed(record)).toEqual([]);
  expect(checksOf(record)).toMatchObject({ 'static-same-logits': '0' });
});

test('a growth past its room is refused in words, and what fits is measured', async ({ lab }) => {
  const record = await lab.measure('experiment=growth&tokens=20&steps=12&policy=static&room=25&device=wasm');
  const growth = growthOf(record);
  expect(growth.steps.map(({ tokens, usedBytes }) => [tokens, usedBytes])).toEqual(
    [21, 22, 23, 24, 25].map((tokens) => [tokens, tokens * PER_TOKEN]),
  );
  expect(growth.fault).toMatchObject({ code: 'static-full', params: { room: 25, tokens: 32 } });
  expect(failed(record)).toEqual([]);
  await expect(lab.page.getByText('The static cache has room for 25 tokens per sequence')).toBeVisible();
});

test('the policy is a setting; a graph whose attention joins tokens is refused by name', async ({ lab }) => {
  await lab.open('model=twin:deepseek-ai/DeepSeek-V2-Lite:layers=2&tokens=16&device=wasm');
  await lab.page.locator('details.settings > summary').click();
  await lab.page.getByLabel('Cache policy').selectOption('static');
  await lab.page.getByLabel('Room (tokens)').fill('32');
  await lab.run();
  await lab.expectState('failed');
  const { faults, recipe } = await lab.record();
  expect(recipe).toMatchObject({ policy: 'static', room: 32, overflow: 'refuse' });
  expect(faults).toMatchObject([{ code: 'static-not-grouped' }]);
  await expect(lab.page.getByText('Choose the dynamic policy for it').first()).toBeVisible();
});
