/** Policy quantised in the browser: rows of integers to the byte on both backends, and both builds of ONNX Runtime. */
import { expect, gpuTest, test } from '../support/fixtures';
import { cellAt, growthOf } from '../support/lab-page';
import type { LabRecord } from '../../src/protocol/record';

/** tiny: 4 layers x 2 (keys and values) x 2 KV heads, each row 32 elements. */
const ROWS_PER_TOKEN = 16;

const failed = (record: LabRecord) => record.checks.filter(({ pass }) => !pass);
const measured = (record: LabRecord, name: string) =>
  record.checks.find((check) => check.name === name)?.measured;

for (const [bits, rowBytes, words] of [
  // onnxruntime pull request 32284, "KV-Cache Layout": 1 + 32 x bits / 32 words of 4 bytes.
  ['8', 36, 9],
  ['4', 20, 5],
] as const) {
  gpuTest(`on WebGPU ${bits} bits take rows of ${rowBytes} bytes, scale included`, async ({ lab }) => {
    const record = await lab.measure(`experiment=growth&tokens=20&steps=3&policy=quantised&bits=${bits}`);
    const perToken = ROWS_PER_TOKEN * rowBytes;
    const { promptBytes, steps } = growthOf(record);
    expect(promptBytes).toBe(20 * perToken);
    expect(steps.map(({ tensorBytes, formulaBytes }) => [tensorBytes, formulaBytes])).toEqual(
      [21, 22, 23].map((tokens) => [tokens * perToken, tokens * perToken]),
    );
    expect(record.models).toMatchObject([
      { bytesPerToken: perToken, cacheType: 'float32', quantised: { bits, scaleBytesBeside: 0 } },
    ]);
    expect(record.models[0]?.graphCache[0]?.dims.at(-1)).toBe(words);
    expect(failed(record)).toEqual([]);
    expect(measured(record, 'quantised-logits')).toMatch(/^smallest cosine 0\.9\d+; /);
    expect(measured(record, 'prefix-unchanged')).toBe('unchanged');
    expect(measured(record, 'released')).toBe('0 bytes');
  });
}

test('on WASM 4 bits are bytes of two elements, in float16 too; the scales stand beside', async ({ lab }) => {
  const record = await lab.measure('tokens=16,40&policy=quantised&bits=4&dtype=fp16&device=wasm');
  // Rows of 16 bytes.
  expect([16, 40].map((tokens) => cellAt(record, tokens).tensorBytes)).toEqual([4096, 10_240]);
  expect(record.cells.map(({ ratio }) => ratio)).toEqual([1, 1]);
  // 4 layers x 2 scales of 4 bytes.
  expect(record.models).toMatchObject([{ cacheType: 'uint8', quantised: { scaleBytesBeside: 32 } }]);
  expect(failed(record)).toEqual([]);
});

gpuTest('without JSPI the other build is loaded, and takes the option as well', async ({ lab, mocks }) => {
  await mocks.inWorker(() => {
    Reflect.deleteProperty(WebAssembly, 'Suspending');
  }, null);
  const record = await lab.measure('tokens=16&policy=quantised');
  expect(record.environment?.runtimeBuild).toBe('asyncify');
  expect(cellAt(record, 16)).toMatchObject({ tensorBytes: 9216, ratio: 1 });
  expect(failed(record)).toEqual([]);
});

test('where the browser has JSPI that build is loaded, and WASM has its threads', async ({ lab, mocks }) => {
  // ONNX Runtime takes half of the processors, at most 4.
  await mocks.inWorker(() => {
    Object.defineProperty(navigator, 'hardwareConcurrency', { value: 8 });
  }, null);
  const record = await lab.measure('tokens=16&device=wasm');
  expect(record.environment).toMatchObject({ runtimeBuild: 'jspi', threads: 4 });
  expect(failed(record)).toEqual([]);
});

test('a graph without GroupQueryAttention is refused by name', async ({ lab }) => {
  await lab.open('model=twin:deepseek-ai/DeepSeek-V2-Lite:layers=2&tokens=16&device=wasm&policy=quantised');
  await lab.run();
  await lab.expectState('failed');
  expect((await lab.record()).faults).toMatchObject([{ code: 'quantised-not-grouped' }]);
});
