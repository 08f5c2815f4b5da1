/** GPUs that are missing, weak or modest: what the page says before and after a run (field reports A1 to A8, A12). */
import { expect, gpuTest, test } from '../support/fixtures';
import {
  defaultLimits,
  noAdapter,
  refuseDevice,
  withoutAdapterInfo,
  withoutDeviceInfo,
  withoutFallbackFlag,
} from '../support/gpu-mocks';
import { cellAt } from '../support/lab-page';

const NO_ADAPTER = 'The browser has WebGPU, but no GPU adapter is available.';

test('A1: without an adapter the page says so, the calculator works, and WASM measures what it can', async ({
  page,
  lab,
  mocks,
}) => {
  await mocks.inPage(noAdapter, undefined);
  await lab.open('tokens=8,16');
  await expect(page.getByText(NO_ADAPTER).first()).toBeVisible();
  await expect(lab.part('run')).toBeDisabled();
  await lab
    .part('config-input')
    .fill(
      '{"model_type":"llama","num_hidden_layers":32,"num_attention_heads":32,"num_key_value_heads":8,"hidden_size":4096}',
    );
  await page.getByRole('button', { name: 'Compute' }).click();
  // Llama-3.1-8B: 32 layers x 2 x 8 KV heads x 128 x 4 bytes.
  await expect(lab.part('config-result')).toContainText('262,144');

  await page.getByRole('button', { name: 'Use the WASM backend instead' }).click();
  await lab.run();
  await lab.expectState('done');
  const record = await lab.record();
  expect(record.environment?.backend).toBe('wasm');
  for (const tokens of [8, 16]) {
    expect(cellAt(record, tokens)).toMatchObject({ ratio: 1, residentBytes: null });
    expect(cellAt(record, tokens).deviceBytes).toEqual({ before: null, after: null, peak: null });
  }
  expect(record.notMeasured.resident).toMatch(/wasm/i);
  expect(record.checks.filter((check) => !check.pass)).toEqual([]);
  await expect(lab.part('cells-table')).toContainText(/not measured/i);
  await expect(lab.part('cells-table').getByText(/^0$/)).toHaveCount(0);
});

test('A1: a script that asks for WebGPU without an adapter gets a failed record with the reason', async ({
  page,
  lab,
  mocks,
}) => {
  await mocks.inPage(noAdapter, undefined);
  await lab.open();
  const record = await page.evaluate(() => window.kvlab.run('tokens=8'));
  expect(record.status).toBe('failed');
  expect(record.faults.map((fault) => fault.code)).toEqual(['webgpu-no-adapter']);
  expect(record.environment).toBeNull();
  await lab.expectState('failed');
});

test('A2: on an insecure origin the page asks for HTTPS, and does not blame the browser', async ({
  page,
  lab,
  watch,
  baseURL,
}) => {
  const origin = 'http://kv-cache-lab.test';
  watch.allowOrigin(origin);
  // Chromium says in the console that it ignores COOP on such an origin.
  watch.allow(/Cross-Origin-Opener-Policy header has been ignored/);
  await page.context().route(`${origin}/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    await route.fulfill({ response: await route.fetch({ url: new URL(pathname, baseURL).href }) });
  });
  await lab.open('', { path: `${origin}/` });
  expect(await page.evaluate(() => isSecureContext)).toBe(false);
  await expect(page.getByText('WebGPU needs a secure page').first()).toBeVisible();
  await expect(page.getByText('This browser has no WebGPU')).toHaveCount(0);
});

gpuTest(
  'A4: SwiftShader wears the software badge even when its flag is missing',
  async ({ lab, page, mocks }) => {
    await mocks.inPage(withoutFallbackFlag, undefined);
    await mocks.inWorker(withoutFallbackFlag, undefined);
    const record = await lab.measure('tokens=8');
    expect(record.environment?.adapter?.fallback).toBe(true);
    await expect(page.getByText('software adapter').first()).toBeVisible();
  },
);

test('A5: float16 without shader-f16 is refused in words before anything is built', async ({ page, lab }) => {
  await lab.open('dtype=fp16&tokens=8');
  await expect(page.getByText('This GPU does not offer shader-f16').first()).toBeVisible();
  const record = await page.evaluate(() => window.kvlab.run('dtype=fp16&tokens=8,16'));
  expect(record.cells.map((cell) => cell.fault?.code)).toEqual(['fp16-unsupported', 'fp16-unsupported']);
  expect(record.cells.every((cell) => cell.tensorBytes === null && cell.ratio === null)).toBe(true);
  expect(page.workers()).toHaveLength(0);
});

test('float16 on WASM halves the bytes', async ({ page, lab }) => {
  await lab.open();
  const record = await page.evaluate(() => window.kvlab.run('dtype=fp16&device=wasm&tokens=16'));
  const perToken = record.models[0]?.bytesPerToken ?? Number.NaN;
  expect(record.faults).toEqual([]);
  expect(cellAt(record, 16)).toMatchObject({ tensorBytes: 16 * perToken, ratio: 1 });
  const full = await page.evaluate(() => window.kvlab.run('dtype=fp32&device=wasm&tokens=16'));
  expect(cellAt(full, 16).tensorBytes).toBe(32 * perToken);
});

gpuTest(
  'A7: the panel shows the limits of the device beside those of the adapter',
  async ({ lab, mocks }) => {
    await mocks.inWorker(defaultLimits, undefined);
    const { environment } = await lab.measure('tokens=8');
    // WebGPU's default limit, and SwiftShader's own.
    expect(environment?.limits['maxBufferSize']).toBe(268_435_456);
    expect(environment?.adapterLimits['maxBufferSize']).toBe(1_073_741_824);
    await expect(lab.part('environment')).toContainText('268,435,456');
    await expect(lab.part('environment')).toContainText('1,073,741,824');
  },
);

gpuTest('A8: a refused device is reported with the browser’s reason', async ({ lab, mocks, page }) => {
  const reason = 'Required limit maxStorageBuffersPerShaderStage (10) is above the supported 8';
  await mocks.inWorker(refuseDevice, reason);
  await lab.open('tokens=8');
  await lab.run();
  await lab.expectState('failed');
  const record = await lab.record();
  expect(record.faults.map((fault) => fault.code)).toContain('webgpu-device-refused');
  expect(record.environment?.backend).not.toBe('wasm');
  await expect(page.getByText(reason).first()).toBeVisible();
});

gpuTest('A12: adapters and devices that do not say what they are still measure', async ({ lab, mocks }) => {
  await mocks.inPage(withoutAdapterInfo, undefined);
  await mocks.inWorker(withoutDeviceInfo, undefined);
  const record = await lab.measure('tokens=8');
  expect(cellAt(record, 8).ratio).toBe(1);
});
