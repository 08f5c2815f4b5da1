/** Cache twins of every kind of layer cache, measured against what a transformers.js export of the family keeps. Bytes by hand. */
import type { LabRecord } from '../../src/protocol/record';
import { expect, gpuTest, test } from '../support/fixtures';
import { cellAt, type LabPage } from '../support/lab-page';

// The software adapter compiles a shader for each operator.
test.describe.configure({ timeout: 240_000 });

/** [id, tokens, bytes in float32, cache inputs]. Layers x (keys + values) x heads x dim x tokens x 4 bytes, and states. */
type Row = readonly [id: string, tokens: number, bytes: number, inputs: number];

const ON_WASM: readonly Row[] = [
  // 36 x 2 x 8 x 128 x 32 x 4
  ['twin:Qwen/Qwen3-8B', 32, 9_437_184, 72],
  // 32 x 2 x 8 x 128 x 32 x 4
  ['twin:meta-llama/Meta-Llama-3.1-8B', 32, 8_388_608, 64],
  // 26 x 2 x 1 x 256 x 520 x 4: nothing trims the window of 512.
  ['twin:google/gemma-3-1b-it', 520, 27_688_960, 52],
  // 24 x 2 x 8 x 64 x 160 x 4: nor that of 128.
  ['twin:openai/gpt-oss-20b', 160, 15_728_640, 48],
  // 2 x 128 x (192 + 128) x 32 x 4: decompressed.
  ['twin:deepseek-ai/DeepSeek-V3:layers=2', 32, 10_485_760, 4],
  // 2 x (512 + 64) x 32 x 4: one latent and one rotary key.
  ['latent:deepseek-ai/DeepSeek-V3:layers=2', 32, 147_456, 2],
  // 6 x 2 x 2 x 256 x 32 x 4, and 18 x (8,192 x 4 + 32 x 128 x 128) x 4 of state (its class's widths: the catalogue has none).
  ['twin:Qwen/Qwen3.5-2B', 32, 40_894_464, 48],
  // 6 x 2 x 8 x 64 x 32 x 4, and 10 x 2,048 x 3 x 4.
  ['twin:LiquidAI/LFM2.5-VL-1.6B', 32, 1_032_192, 22],
  // 36 x (2 x 2 x 64 x 32 + 1,792 x 4 + 24 x 64 x 128) x 4
  ['twin:tiiuae/Falcon-H1-0.5B-Instruct', 32, 30_523_392, 144],
  // Of 30 layers the last 10 read others': 20 x 2 x 2 x 256 x 32 x 4.
  ['twin:google/gemma-3n-E2B', 32, 2_621_440, 40],
];

async function measureRow(
  lab: LabPage,
  [id, tokens, bytes, inputs]: Row,
  device: string,
): Promise<LabRecord> {
  const record = await lab.measure(`model=${encodeURIComponent(id)}&tokens=${tokens}&device=${device}`);
  expect(cellAt(record, tokens)).toMatchObject({
    model: id,
    tensorBytes: bytes,
    formulaBytes: bytes,
    ratio: 1,
    skipped: null,
  });
  expect(record.models[0]).toMatchObject({ id, source: 'twin', cacheType: 'float32' });
  expect(record.models[0]?.graphCache).toHaveLength(inputs);
  expect(record.checks.filter((check) => !check.pass)).toEqual([]);
  expect(record.checks.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['ratio', 'wrong-geometry', 'graph-cache', 'cache-used', 'prefix-unchanged']),
  );
  return record;
}

for (const row of ON_WASM) {
  test(`${row[0]} on WASM: ${row[2].toLocaleString('en-US')} bytes at ${row[1]} tokens`, async ({ lab }) => {
    await measureRow(lab, row, 'wasm');
  });
}

test('two of DeepSeek-V3’s 61 layers say that they are, and give the whole by its formula alone', async ({
  lab,
}) => {
  const id = 'twin:deepseek-ai/DeepSeek-V3:layers=2';
  const record = await measureRow(lab, [id, 8, 2_621_440, 4], 'wasm');
  const [model] = record.models;
  expect(model?.geometry.layers).toBe(2);
  expect(model?.scaled).toMatchObject({ layersMeasured: 2, layersOf: 61, whole: { layers: 61 } });
  // 61 x 128 x (192 + 128) x 4.
  expect(model?.notes.join(' ')).toContain(
    'The first 2 of 61 layers were measured, and the formula beside is theirs. All 61 layers take 9,994,240 bytes per token by the formula; that was not measured.',
  );
});

gpuTest(
  'a Falcon-H1 layer on WebGPU: convolution and state stay on the GPU beside keys and values',
  async ({ lab }) => {
    // (2 x 2 x 64 x 16 + 1,792 x 4 + 24 x 64 x 128) x 4
    const id = 'twin:tiiuae/Falcon-H1-0.5B-Instruct:layers=1';
    const record = await measureRow(lab, [id, 16, 831_488, 4], 'webgpu');
    expect(record.models[0]?.cacheLocations).toEqual({ 'gpu-buffer': 4 });
    expect(record.models[0]?.graphCache.map(({ name }) => name)).toContain('past_ssm.0');
  },
);

gpuTest('DeepSeek-V3’s decompressed heads on WebGPU', async ({ lab }) => {
  const id = 'twin:deepseek-ai/DeepSeek-V3:layers=1';
  // 128 x (192 + 128) x 16 x 4
  const record = await measureRow(lab, [id, 16, 2_621_440, 2], 'webgpu');
  expect(record.models[0]?.cacheLocations).toEqual({ 'gpu-buffer': 2 });
});

gpuTest('LFM2’s convolutions on WebGPU', async ({ lab }) => {
  const id = 'twin:LiquidAI/LFM2.5-VL-1.6B';
  // 6 x 2 x 8 x 64 x 16 x 4, and 10 x 2,048 x 3 x 4.
  const record = await measureRow(lab, [id, 16, 638_976, 22], 'webgpu');
  expect(record.models[0]?.cacheLocations).toEqual({ 'gpu-buffer': 22 });
});
