/** Policy paged in the browser: blocks in buffers made once, gathered for each pass; blocks, use and copies told apart; the pool used up. */
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
  'on WebGPU the pool stands still while blocks are handed out, and every copy is counted',
  async ({ lab }) => {
    const record = await lab.measure(
      'experiment=growth&tokens=20&steps=9&policy=paged&block=8&room=24&overflow=move',
    );
    const { steps, promptBytes, promptUsedBytes } = growthOf(record);
    expect([promptBytes, promptUsedBytes]).toEqual([24 * PER_TOKEN, 20 * PER_TOKEN]);
    // Tokens, bytes in use, blocks of 8 tokens, room, moves: three blocks are full at 24 tokens.
    expect(
      steps.map(({ tokens, usedBytes = 0, blockBytes = 0, roomTokens, moves }) => [
        ...[tokens, usedBytes / PER_TOKEN, blockBytes / PER_TOKEN / 8, roomTokens, moves],
      ]),
    ).toEqual([
      ...[21, 22, 23, 24].map((tokens) => [tokens, tokens, 3, 24, 0]),
      ...[25, 26, 27, 28, 29].map((tokens) => [tokens, tokens, 4, 48, 1]),
    ]);
    for (const { tensorBytes, residentBytes, roomTokens = 0 } of steps)
      expect([tensorBytes, residentBytes]).toEqual([roomTokens * PER_TOKEN, roomTokens * PER_TOKEN]);
    // Gathered: the tokens that were there. Put back: the new one. The move copied the old pool, 24 tokens.
    expect(steps.map(({ copiedBytes = 0 }) => copiedBytes / PER_TOKEN)).toEqual([
      ...[21, 22, 23, 24],
      ...[24 + 25, 26, 27, 28, 29],
    ]);
    // The working buffers live as long as the pass: they are in its peak, and in no device bytes after it.
    const device = steps.map(({ deviceBytes }) => deviceBytes ?? NaN);
    expect(new Set(device.slice(1, 4)).size).toBe(1);
    expect(new Set(device.slice(5)).size).toBe(1);
    for (const { tokens, deviceBytes, peakDeviceBytes } of steps.slice(5))
      expect((peakDeviceBytes ?? 0) - (deviceBytes ?? 0)).toBeGreaterThanOrEqual(tokens * PER_TOKEN);
    expect(failed(record)).toEqual([]);
    expect(checksOf(record)).toMatchObject({
      'paged-same-logits': '0',
      'prefix-unchanged': 'unchanged',
      'growth-delta': '2,048 bytes',
      'static-flat': expect.stringMatching(/^[\d,]+ bytes$/),
      released: '0 bytes',
    });
    // 29 tokens x 2,048 bytes.
    expect(record.models[0]?.notes).toContainEqual(
      expect.stringContaining('working buffers, 59,392 bytes for the largest pass'),
    );
  },
);

gpuTest('on WebGPU the sequences of a batch have blocks of their own', async ({ lab }) => {
  const record = await lab.measure('tokens=20,40&batch=2&policy=paged&room=50');
  // Room for 50 tokens is 4 blocks of 16 a sequence; 20 tokens take 2 of them, 40 take 3.
  expect(
    record.cells.map(({ usedBytes, blockBytes, tensorBytes, residentBytes }) => [
      ...[usedBytes, blockBytes, tensorBytes, residentBytes],
    ]),
  ).toEqual([
    [2 * 20 * PER_TOKEN, 2 * 32 * PER_TOKEN, 2 * 64 * PER_TOKEN, 2 * 64 * PER_TOKEN],
    [2 * 40 * PER_TOKEN, 2 * 48 * PER_TOKEN, 2 * 64 * PER_TOKEN, 2 * 64 * PER_TOKEN],
  ]);
  expect(failed(record)).toEqual([]);
  expect(checksOf(record)).toMatchObject({ 'paged-same-logits': '0' });
});

gpuTest(
  'on WebGPU a growing cache copies all of itself at each step, a static one nothing',
  async ({ lab }) => {
    const copied = async (policy: string) =>
      growthOf(await lab.measure(`experiment=growth&tokens=20&steps=3&policy=${policy}`)).steps.map(
        ({ copiedBytes = NaN }) => copiedBytes / PER_TOKEN,
      );
    expect(await copied('dynamic')).toEqual([20, 21, 22]);
    expect(await copied('static')).toEqual([0, 0, 0]);
  },
);

test('float16 on WASM: the same logits, half the bytes', async ({ lab }) => {
  const record = await lab.measure('tokens=60&policy=paged&block=32&room=100&dtype=fp16&device=wasm');
  expect(cellAt(record, 60)).toMatchObject({
    ...{ formulaBytes: 61_440, usedBytes: 61_440, blockBytes: 65_536, ratio: 1 },
    ...{ tensorBytes: 131_072, roomTokens: 128, roomFormulaBytes: 131_072, residentBytes: null },
  });
  expect(failed(record)).toEqual([]);
  expect(checksOf(record)).toMatchObject({
    'paged-same-logits': '0',
    'static-capacity': '131,072 bytes at a room of 128 tokens',
  });
});

hubGpuTest('a hub model whose graph has GroupQueryAttention is served on WebGPU', async ({ page, lab }) => {
  await lab.open();
  const record = await runRecipe(page, `model=${REPO_IDS.tiny}&tokens=16,20&policy=paged`);
  expect(record.faults).toEqual([]);
  // 512 bytes a token (e2e/fake-hub/build-repos.ts, SMALL); two blocks of 16 tokens.
  expect(record.cells.map(({ usedBytes, tensorBytes }) => [usedBytes, tensorBytes])).toEqual([
    [16 * 512, 32 * 512],
    [20 * 512, 32 * 512],
  ]);
  expect(failed(record)).toEqual([]);
  expect(checksOf(record)).toMatchObject({ 'paged-same-logits': '0' });
});

test('a growth past its last block is refused in words, and what fits is measured', async ({ lab }) => {
  const record = await lab.measure(
    'experiment=growth&tokens=20&steps=12&policy=paged&block=8&room=21&device=wasm',
  );
  const growth = growthOf(record);
  expect(growth.steps.map(({ tokens, usedBytes }) => [tokens, usedBytes])).toEqual(
    [21, 22, 23, 24].map((tokens) => [tokens, tokens * PER_TOKEN]),
  );
  expect(growth.fault).toMatchObject({ code: 'paged-full', params: { room: 24, tokens: 32, block: 8 } });
  expect(failed(record)).toEqual([]);
});

test('a graph whose attention joins tokens is refused by name', async ({ lab }) => {
  await lab.open('model=twin:deepseek-ai/DeepSeek-V2-Lite:layers=2&tokens=16&device=wasm&policy=paged');
  await lab.run();
  await lab.expectState('failed');
  expect((await lab.record()).faults).toMatchObject([{ code: 'paged-not-grouped' }]);
});
