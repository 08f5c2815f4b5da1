/** The third article's experiment on `tiny`: keys and values read from the GPU, solver workers, controls. */
import { expect, gpuTest as test } from '../support/fixtures';
import type { LabRecord } from '../../src/protocol/record';

test.describe.configure({ timeout: 240_000 });

const SMALL = 'experiment=redundancy&skip=8&keep=192';

/** R² by pair: `K 0→1` and so on. */
function r2Of({ redundancy }: LabRecord): Record<string, number> {
  const pairs = redundancy?.pairs ?? [];
  return Object.fromEntries(pairs.map(({ kind, from, to, r2 }) => [`${kind} ${from}→${to}`, r2.mean ?? NaN]));
}

test('on WebGPU: every pair with its controls; on WASM the same R² within 0.001', async ({ lab }) => {
  const onGpu = await lab.measure(SMALL);
  expect(onGpu.checks.filter((check) => !check.pass)).toEqual([]);
  expect(onGpu.checks.map(({ name }) => name).sort()).toEqual([
    'backends-agree',
    'cache-used',
    'graph-cache',
    'method',
    'noise-floor',
    'prefix-unchanged',
    'ratio',
    'released',
    'shuffled-control',
    'wrong-geometry',
  ]);
  const found = onGpu.redundancy;
  expect(found).toMatchObject({ layers: [0, 1, 2, 3], skip: 8, keep: 192, leak: false, noiseFloor: 0 });
  expect(found?.documents).toHaveLength(4);
  // tiny, fp32: 2,048 bytes a token, 200 tokens.
  expect(onGpu.cells[0]).toMatchObject({ tokens: 200, tensorBytes: 409_600, ratio: 1 });
  // 4 layers x (64 + 64) channels x 2 bytes.
  expect(found?.savings).toMatchObject({ bytesPerTokenF16: 1024, cacheBytesF16: 33_554_432 });
  expect(found?.savings?.weightBytes).toBeNull();
  expect(onGpu.models[0]?.notes.join(' '), 'solver workers ran').not.toContain('No solver worker');

  // What the page shows of it; redundancy-views.spec.ts looks at more, with records from files.
  const { page } = lab;
  await expect(lab.part('verdict')).toContainText('K of a layer predicts');
  await expect(lab.part('verdict')).toContainText('shuffled tokens predict nothing');
  await expect(lab.part('pairs-table').locator('tbody tr')).toHaveCount(8);
  await expect(page.locator('.report canvas').first()).toBeVisible();
  await expect(page.getByTestId('random-weights')).toBeVisible();
  await expect(page.getByTestId('documents-table').locator('tbody tr')).toHaveCount(4);
  await expect(page.locator('[data-answer]')).toHaveText(['Yes', 'Not known']);

  const onWasm = await lab.measure(`${SMALL}&device=wasm`);
  expect(onWasm.checks.filter((check) => !check.pass)).toEqual([]);
  const there = r2Of(onWasm);
  expect(Object.keys(there)).toHaveLength(8);
  for (const [pair, r2] of Object.entries(r2Of(onGpu))) {
    expect(Math.abs(r2 - (there[pair] ?? NaN)), pair).toBeLessThan(1e-3);
  }
});

test('a hybrid on WASM: only layers with a full KV cache, by their true numbers; halves of one document', async ({
  lab,
}) => {
  const model = encodeURIComponent('twin:Qwen/Qwen3.5-2B');
  const record = await lab.measure(
    `experiment=redundancy&model=${model}&device=wasm&split=halves&documents=model-card&skip=0&keep=64`,
  );
  expect(record.checks.filter((check) => !check.pass)).toEqual([]);
  const found = record.redundancy;
  // The article's model: 6 of 24 layers, 2 KV heads x 256.
  expect(found?.layers).toEqual([3, 7, 11, 15, 19, 23]);
  expect(found?.channels).toEqual(Array.from({ length: 6 }, () => ({ K: 512, V: 512 })));
  expect(found?.pairs.map(({ kind, from, to, adjacent }) => `${kind} ${from}→${to} ${adjacent}`)).toEqual(
    ['K', 'V'].flatMap((kind) => [
      `${kind} 3→7 true`,
      `${kind} 3→23 false`,
      `${kind} 7→11 true`,
      `${kind} 11→15 true`,
      `${kind} 15→19 true`,
      `${kind} 19→23 true`,
    ]),
  );
  // 32 tokens to train 512 channels on.
  expect(found?.pairs[0]?.notes).toContainEqual({ code: 'fewer-tokens-than-channels', count: 32 });
  expect(found?.savings).toMatchObject({
    bytesPerTokenF16: 12_288,
    cacheBytesF16: 402_653_184,
    cacheBytes4Bit: 100_663_296,
  });
});
