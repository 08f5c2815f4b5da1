/** Models of a hub, measured: pinned to their commit, kept in the browser, their cache read from their own graph. */
import { REPO_IDS, REPO_SHAS } from '../fake-hub/repo-ids';
import { expect } from '../support/fixtures';
import { OTHER_TOKENIZER_ID, OTHER_TOKENIZER_SHA } from '../support/hub-repos';
import { fileAnswers, hubGpuTest, hubTest as test, runRecipe } from '../support/hub-test';
import { cellAt, growthOf } from '../support/lab-page';

const TINY = `model=${REPO_IDS.tiny}&tokens=16&device=wasm`;
const TINY_PINNED = `lab/tiny@${REPO_SHAS.tiny}`;
/** 2 layers x 2 (keys, values) x 2 KV heads x head dim 16 x 4 bytes (e2e/fake-hub/build-repos.ts, SMALL). */
const TINY_BYTES_PER_TOKEN = 512;

test('C3: a hub model is measured at the commit that its branch is, and the record’s link reproduces it', async ({
  page,
  lab,
  hub,
}) => {
  await lab.open();
  const record = await runRecipe(page, TINY);
  expect(record.faults).toEqual([]);
  expect(record.checks.filter(({ pass }) => !pass)).toEqual([]);
  expect(record.recipe.model).toEqual([TINY_PINNED]);
  expect(record.models).toMatchObject([
    { id: TINY_PINNED, source: 'hub', revision: REPO_SHAS.tiny, geometryFrom: 'config' },
  ]);
  expect(cellAt(record, 16, TINY_PINNED)).toMatchObject({
    formulaBytes: 16 * TINY_BYTES_PER_TOKEN,
    tensorBytes: 16 * TINY_BYTES_PER_TOKEN,
    ratio: 1,
  });
  await expect(lab.part('cells-table')).toContainText('8,192');
  // E15: the files came from this hub, each at the commit.
  const asked = hub.requests.filter(({ file }) => file !== null);
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.every(({ path }) => path.includes(REPO_SHAS.tiny) || path.startsWith('/cdn/'))).toBe(true);
  expect(hub.requests.filter(({ path }) => path.includes('/resolve/main/'))).toEqual([]);

  expect(new URL(record.url).searchParams.get('model')).toBe(TINY_PINNED);
  expect(new URL(page.url()).searchParams.get('model')).toBe(TINY_PINNED);
  const before = hub.requests.length;
  await page.goto(record.url);
  await lab.run();
  await lab.expectState('done');
  const again = await lab.record();
  expect(again.createdAt).not.toBe(record.createdAt);
  expect(again.recipe).toEqual(record.recipe);
  expect(cellAt(again, 16).tensorBytes).toBe(cellAt(record, 16).tensorBytes);
  expect(hub.requests.slice(before), 'a stored commit asks nobody').toEqual([]);
});

test('a second run downloads no file, and works without the hub', async ({ page, lab, hub, watch }) => {
  watch.allow(/Failed to load resource/);
  await lab.open();
  expect((await runRecipe(page, TINY)).faults).toEqual([]);
  const files = fileAnswers(hub).length;
  expect(files).toBeGreaterThan(0);
  const second = await runRecipe(page, TINY, { download: false });
  expect(cellAt(second, 16).ratio).toBe(1);
  expect(fileAnswers(hub)).toHaveLength(files);

  await hub.close();
  await page.reload();
  const offline = await runRecipe(page, TINY, { download: false });
  expect(offline.faults).toEqual([]);
  expect(cellAt(offline, 16).ratio).toBe(1);
  expect(offline.recipe.model).toEqual([TINY_PINNED]);
});

test('without a yes nothing is downloaded: a script is told how many bytes it needs', async ({
  page,
  lab,
  hub,
}) => {
  await lab.open();
  const record = await runRecipe(page, TINY, { download: false });
  expect(record.status).toBe('failed');
  const [fault] = record.faults;
  expect(fault?.code).toBe('download-needed');
  expect(fileAnswers(hub).map(({ file }) => file)).toEqual(['lab/tiny/config.json']);
  const sentence = page.getByText('A model has to be downloaded first').first();
  await expect(sentence).toBeVisible();

  expect((await runRecipe(page, TINY)).status).toBe('done');
  // What was asked for is what came: the files after config.json.
  const later = fileAnswers(hub).slice(1);
  expect(later.map(({ file }) => file).sort()).toEqual([
    'lab/tiny/onnx/model.onnx',
    'lab/tiny/tokenizer.json',
    'lab/tiny/tokenizer_config.json',
  ]);
  const stored = await page.evaluate(async () => {
    const cache = await caches.open('kv-cache-lab-models');
    const sizes = await Promise.all(
      (await cache.keys())
        .filter(({ url }) => url.includes('?part=') && !url.includes('/config.json'))
        .map(async (key) => (await (await cache.match(key))?.blob())?.size ?? 0),
    );
    return sizes.reduce((sum, size) => sum + size, 0);
  });
  expect(fault?.params['bytes']).toBe(stored);
});

test('C1: the cache’s element type is the graph’s, not that of the weights: q4 is float32, q4f16 float16', async ({
  page,
  lab,
}) => {
  await lab.open();
  const record = await runRecipe(page, `model=${REPO_IDS.smollmTwin}&tokens=32&device=wasm&dtype=q4,q4f16`);
  expect(record.faults).toEqual([]);
  // SmolLM2-135M: 30 layers x 2 x 3 KV heads x head dim 64 = 11,520 elements a token (its config.json).
  expect(record.cells.map(({ dtype, tensorBytes, ratio }) => [dtype, tensorBytes, ratio])).toEqual([
    ['q4', 1_474_560, 1],
    ['q4f16', 737_280, 1],
  ]);
  expect(record.models.map(({ dtype, cacheType }) => [dtype, cacheType])).toEqual([
    ['q4', 'float32'],
    ['q4f16', 'float16'],
  ]);
  // The real model's parameters, as the hub counts them.
  expect(record.models.map(({ parameters }) => parameters)).toEqual([134_515_008, 134_515_008]);
  expect(record.checks.filter(({ pass }) => !pass)).toEqual([]);
});

test('float16 weights on WASM, two sequences, and external data', async ({ page, lab, hub }) => {
  await lab.open();
  await test.step('float16', async () => {
    const record = await runRecipe(page, `model=${REPO_IDS.qwenTwin}&tokens=8&device=wasm&dtype=fp16`);
    expect(record.faults).toEqual([]);
    expect(record.models[0]?.cacheType).toBe('float16');
    // Qwen2.5-0.5B: 24 layers x 2 x 2 KV heads x head dim 64 x 2 bytes = 12,288 a token.
    expect(cellAt(record, 8)).toMatchObject({ tensorBytes: 98_304, ratio: 1, device: 'wasm' });
  });
  await test.step('a batch of 2', async () => {
    const record = await runRecipe(page, `${TINY}&batch=2`);
    expect(record.faults).toEqual([]);
    expect(cellAt(record, 16)).toMatchObject({ batch: 2, tensorBytes: 16_384, ratio: 1 });
    expect(record.checks.filter(({ pass }) => !pass)).toEqual([]);
  });
  await test.step('external data', async () => {
    const record = await runRecipe(page, `model=${REPO_IDS.external}&tokens=16&device=wasm`);
    expect(record.faults).toEqual([]);
    expect(cellAt(record, 16)).toMatchObject({ tensorBytes: 8192, ratio: 1 });
    expect(fileAnswers(hub, /onnx_data$/)).toHaveLength(1);
  });
});

test('C4: without num_logits_to_keep a prompt is fed in chunks whose logits stay under 256 MiB', async ({
  page,
  lab,
}) => {
  await lab.open();
  const record = await runRecipe(page, `model=${REPO_IDS.noKeep}&tokens=500&device=wasm`);
  expect(record.faults).toEqual([]);
  const cell = cellAt(record, 500);
  expect(cell).toMatchObject({ tensorBytes: 256_000, ratio: 1 });
  // 152,064 x 4 = 608,256 bytes of logits a position: 441 positions fit, and 441 x 608,256 = 268,240,896 bytes.
  expect(cell.logitsBytes).toBe(268_240_896);
});

test('C6: of a model with convolutions only the attention layers keep keys and values; its states do not grow', async ({
  page,
  lab,
}) => {
  await lab.open();
  const record = await runRecipe(page, `model=${REPO_IDS.hybrid}&tokens=8,16&device=wasm`);
  expect(record.faults).toEqual([]);
  expect(record.checks.filter(({ pass }) => !pass)).toEqual([]);
  const [model] = record.models;
  expect(model?.geometryFrom).toBe('config');
  expect(model?.notes.join(' ')).toContain('the sizes of states that do not grow are read from the graph');
  expect(model?.graphCache.map(({ name }) => name).sort()).toEqual([
    'past_conv.0',
    'past_conv.2',
    'past_key_values.1.key',
    'past_key_values.1.value',
    'past_key_values.3.key',
    'past_key_values.3.value',
  ]);
  const caches = model?.geometry.caches ?? [];
  expect(caches.filter(({ kvHeads }) => kvHeads > 0).map(({ layer }) => layer)).toEqual([1, 3]);
  // 512 bytes a token as the small model, and two states of 64 channels x 3 x 4 bytes: 1,536.
  expect(record.cells.map(({ tensorBytes, formulaBytes }) => [tensorBytes, formulaBytes])).toEqual([
    [5632, 5632],
    [9728, 9728],
  ]);
  expect(record.cells.map(({ ratio }) => ratio)).toEqual([1, 1]);
});

test('growth from a text is counted in the hub model’s own tokens', async ({ page, lab }) => {
  await lab.open();
  const id = `${OTHER_TOKENIZER_ID}@${OTHER_TOKENIZER_SHA}`;
  const query = new URLSearchParams({ experiment: 'growth', prompt: 'the cache grows', steps: '3' });
  const record = await runRecipe(page, `model=${OTHER_TOKENIZER_ID}&model=tiny&device=wasm&${String(query)}`);
  expect(record.faults).toEqual([]);
  const growth = growthOf(record);
  expect(growth).toMatchObject({ model: id, promptTokens: 3, promptBytes: 1536 });
  expect(growth.steps.map(({ tokens, deltaTensor }) => [tokens, deltaTensor])).toEqual([
    [4, 512],
    [5, 512],
    [6, 512],
  ]);
  // The built-in model in the same recipe: one token a byte.
  expect(record.growth[1]).toMatchObject({ model: 'tiny', promptTokens: 15 });
});

test('a built-in twin, a hub model by its commit, and one by its branch, in one recipe', async ({
  page,
  lab,
  hub,
}) => {
  await lab.open();
  const record = await runRecipe(
    page,
    `model=tiny&model=${TINY_PINNED}&model=${REPO_IDS.external}&tokens=8&device=wasm`,
  );
  expect(record.faults).toEqual([]);
  const external = `${REPO_IDS.external}@${REPO_SHAS.external}`;
  expect(record.recipe.model).toEqual(['tiny', TINY_PINNED, external]);
  expect(record.models.map(({ id, source }) => [id, source])).toEqual([
    ['tiny', 'built-in'],
    [TINY_PINNED, 'hub'],
    [external, 'hub'],
  ]);
  expect(record.cells.map(({ ratio }) => ratio)).toEqual([1, 1, 1]);
  expect(hub.requests.some(({ path }) => path.startsWith(`/api/models/lab/tiny/revision/main`))).toBe(false);
});

hubGpuTest('on WebGPU a hub model’s cache is in GPU buffers', async ({ page, lab }) => {
  await lab.open();
  const record = await runRecipe(page, `model=${REPO_IDS.tiny}&tokens=16`);
  expect(record.faults).toEqual([]);
  expect(record.checks.filter(({ pass }) => !pass)).toEqual([]);
  const cell = cellAt(record, 16);
  expect(cell).toMatchObject({ device: 'webgpu', tensorBytes: 8192, ratio: 1 });
  expect(cell.residentBytes).toBeGreaterThanOrEqual(8192);
  expect(record.models[0]?.cacheLocations).toEqual({ 'gpu-buffer': 4 });
});
