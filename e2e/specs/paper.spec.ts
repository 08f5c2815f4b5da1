/** A short cut of `npm run verify:paper`: the article's tables beyond its lengths and growth, which twins.spec.ts has. */
import { expect, gpuTest, test } from '../support/fixtures';
import type { LabPage } from '../support/lab-page';
import { differences, PAPER } from '../support/paper';
import type { LabRecord } from '../../src/protocol/record';

const QWEN = 'twin:Qwen/Qwen2.5-0.5B-Instruct';

test.describe.configure({ timeout: 300_000 });

/** Runs a recipe by the automation contract, which waits as long as the test may take. */
async function measure(lab: LabPage, query: string): Promise<LabRecord> {
  await lab.open();
  return await lab.page.evaluate((recipe) => window.kvlab.run(recipe), query);
}

gpuTest('element types at 512 tokens: float32 and float16 measured, bfloat16 by formula', async ({ lab }) => {
  const record = await measure(lab, `experiment=dtype&model=${QWEN}&tokens=512&dtype=fp32,fp16,bf16`);
  expect(differences(PAPER.dtype.rows(record))).toEqual([]);
  const float16 = record.environment?.features.includes('shader-f16') === true ? 'webgpu' : 'wasm';
  expect(record.cells).toMatchObject([
    { dtype: 'fp32', device: 'webgpu', tensorBytes: 12_582_912, ratio: 1 },
    { dtype: 'fp16', device: float16, tensorBytes: 6_291_456, ratio: 1 },
    { dtype: 'bf16', formulaBytes: 6_291_456, tensorBytes: null, fault: { code: 'bf16-unsupported' } },
  ]);
  expect(record.models.map(({ dtype, cacheType }) => [dtype, cacheType])).toEqual([
    ['fp32', 'float32'],
    ['fp16', 'float16'],
  ]);
  expect(record.checks.filter((check) => !check.pass)).toEqual([]);
  const rows = lab.part('cells-table').locator('tbody tr');
  await expect(rows.nth(1)).toContainText('6,291,456');
  await expect(rows.nth(1)).toContainText(float16 === 'wasm' ? 'WASM' : 'WebGPU');
  await expect(rows.nth(2)).toContainText('not measurable in onnxruntime-web');
});

gpuTest('two batches in two repeats: bytes identical, process bytes beside them', async ({ lab }) => {
  const record = await measure(lab, `experiment=batch&model=${QWEN}&tokens=64&batch=1,2&repeats=2`);
  // 64 x 24,576 bytes a sequence.
  const cell = (batch: number, tensorBytes: number, repeat: number): object => ({
    batch,
    tensorBytes,
    repeat,
  });
  expect(record.cells).toMatchObject([
    cell(1, 1_572_864, 0),
    cell(1, 1_572_864, 1),
    cell(2, 3_145_728, 0),
    cell(2, 3_145_728, 1),
  ]);
  for (const { processBytesBefore, processBytes, deviceBytes } of record.cells) {
    // Whole pages of a browser: some megabytes at least, whatever the cache.
    expect(processBytesBefore).toBeGreaterThan(1_000_000);
    expect(processBytes).toBeGreaterThan(1_000_000);
    expect(deviceBytes.after).toBeGreaterThan(deviceBytes.before ?? Infinity);
  }
  expect(record.growth.map(({ batch, steps }) => [batch, steps.map((step) => step.deltaTensor)])).toEqual([
    [1, [24_576]],
    [1, [24_576]],
    [2, [49_152]],
    [2, [49_152]],
  ]);
  const repeats = record.checks.find((check) => check.name === 'repeats-identical');
  expect(repeats).toMatchObject({ pass: true, measured: 'identical in every repeat of 4 points' });
  expect(record.checks.filter((check) => !check.pass)).toEqual([]);
});

test('the article’s batches of 1, 2, 4 and 8 at 512 tokens, on WASM', async ({ lab }) => {
  const record = await measure(lab, `experiment=batch&model=${QWEN}&device=wasm&repeats=1`);
  expect(
    record.cells.map(({ batch, tokens, tensorBytes, ratio }) => [batch, tokens, tensorBytes, ratio]),
  ).toEqual([
    [1, 512, 12_582_912, 1],
    [2, 512, 25_165_824, 1],
    [4, 512, 50_331_648, 1],
    [8, 512, 100_663_296, 1],
  ]);
  expect(record.checks.filter((check) => !check.pass)).toEqual([]);
});

test('a KV head for every head takes 7.0 times the bytes, on WASM', async ({ lab }) => {
  const record = await measure(lab, `${PAPER.gqa.query ?? ''}&device=wasm`);
  expect(differences(PAPER.gqa.rows(record))).toEqual([]);
  expect(record.checks.filter((check) => !check.pass)).toEqual([]);
});
