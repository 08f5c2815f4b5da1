/** The numbers of the first article, measured on cache twins (golden/paper-tables.json). */
import { expect, gpuTest as test } from '../support/fixtures';
import { cellAt, growthOf } from '../support/lab-page';

const QWEN = 'twin:Qwen/Qwen2.5-0.5B-Instruct';
const SMOL = 'twin:HuggingFaceTB/SmolLM2-135M-Instruct';
const GPT2 = 'twin:openai-community/gpt2';

test.describe.configure({ timeout: 240_000 });

test('Qwen2.5-0.5B: 128, 129 and 512 tokens to the byte; the GPU holds twice the tensors at 129', async ({
  lab,
}) => {
  const record = await lab.measure(`model=${QWEN}&tokens=128,129,512`);
  expect(cellAt(record, 128)).toMatchObject({ tensorBytes: 3_145_728, formulaBytes: 3_145_728, ratio: 1 });
  expect(cellAt(record, 512)).toMatchObject({ tensorBytes: 12_582_912, formulaBytes: 12_582_912, ratio: 1 });
  expect(cellAt(record, 128).residentBytes).toBe(3_145_728);
  expect(cellAt(record, 129)).toMatchObject({ tensorBytes: 3_170_304, residentBytes: 6_291_456, ratio: 1 });
  expect(record.models[0]?.bytesPerToken).toBe(24_576);
  expect(record.checks.filter((check) => !check.pass)).toEqual([]);
  await expect(lab.part('cells-table')).toContainText('12,582,912');
  await expect(lab.part('cells-table')).toContainText('1.0000');
});

test('SmolLM2 and GPT-2 in one run; GPT-2 at 2048 is skipped for its maximum position 1024', async ({
  lab,
}) => {
  // 2048 tokens of SmolLM2 would take minutes here, so the long cell is asked of GPT-2 alone, in the next test.
  const record = await lab.measure(`model=${SMOL}&model=${GPT2}&tokens=128`);
  expect(cellAt(record, 128, SMOL)).toMatchObject({
    tensorBytes: 5_898_240,
    formulaBytes: 5_898_240,
    ratio: 1,
  });
  expect(cellAt(record, 128, GPT2)).toMatchObject({
    tensorBytes: 9_437_184,
    formulaBytes: 9_437_184,
    ratio: 1,
  });
  expect(record.models.map((model) => model.bytesPerToken)).toEqual([46_080, 73_728]);
  expect(record.checks.filter((check) => !check.pass)).toEqual([]);
});

test('a GPT-2 cell at 2048 tokens is skipped in words, and the rest goes on', async ({ lab }) => {
  const record = await lab.measure(`model=${GPT2}&tokens=8,2048`);
  expect(cellAt(record, 8)).toMatchObject({ tensorBytes: 589_824, ratio: 1, skipped: null });
  const skipped = cellAt(record, 2048);
  expect(skipped).toMatchObject({ tensorBytes: null, residentBytes: null, ratio: null });
  expect(skipped.fault?.code).toBe('over-max-position');
  expect(skipped.skipped).toContain('1,024');
  expect(record.status).toBe('done');
  await expect(lab.part('cells-table').locator('tbody tr').nth(1)).toContainText('maximum position 1,024');
  await expect(lab.part('verdict')).toContainText('1 of 1 cells equal to the byte');
  await expect(lab.part('verdict')).toContainText('1 skipped');
});

test('growth of the Qwen twin: 32 steps, every one 24,576 bytes', async ({ lab }) => {
  const record = await lab.measure(`experiment=growth&model=${QWEN}&steps=32`);
  const growth = growthOf(record);
  // “KV 캐시는” is 12 bytes of UTF-8, and the twins' tokenizer makes one token of each byte.
  expect(growth.promptTokens).toBe(12);
  expect(growth.promptBytes).toBe(294_912);
  expect(growth.steps).toHaveLength(32);
  expect(new Set(growth.steps.map((step) => step.deltaTensor))).toEqual(new Set([24_576]));
  expect(growth.steps.at(-1)).toMatchObject({ tokens: 44, tensorBytes: 1_081_344, formulaBytes: 1_081_344 });
  expect(record.checks.filter((check) => !check.pass)).toEqual([]);
  await expect(lab.part('verdict')).toContainText('24,576');
  await expect(lab.part('growth-table')).toContainText('24,576');
});
