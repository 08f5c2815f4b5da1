/** GPUs that fail in mid-run: rows stay, the reason is shown, the backend never changes (field reports A9 to A15, B20). */
import { expect, gpuTest as test } from '../support/fixtures';
import { hiddenTab, loseDevice, lostFromTheStart, raiseGpuError } from '../support/gpu-mocks';
import { cellAt, growthOf } from '../support/lab-page';

const GROWTH = 'experiment=growth&prompt=hello&steps=8';

test('A9: a device lost at step 5 keeps five rows, says why, and a second run succeeds on WebGPU', async ({
  page,
  lab,
  mocks,
}) => {
  await mocks.inWorker(
    loseDevice,
    { report: 'step', count: 5, reason: 'unknown', message: 'driver went away' },
    { first: true },
  );
  await lab.open(GROWTH);
  await lab.run();
  await lab.waitEnd();
  const record = await lab.record();
  const growth = growthOf(record);
  expect(growth.steps).toHaveLength(5);
  expect(growth.stepsPlanned).toBe(8);
  expect(growth.fault?.code).toBe('device-lost');
  expect(growth.interrupted).toContain('driver went away');
  expect(record.environment?.backend).toBe('webgpu');
  await expect(page.getByText('driver went away').first()).toBeVisible();
  await expect(page.getByText('[object')).toHaveCount(0);
  expect(JSON.parse(await lab.exported('export-json'))).toEqual(record);

  await lab.run();
  await lab.expectState('running');
  await lab.expectState('done');
  const second = await lab.record();
  expect(growthOf(second).steps).toHaveLength(8);
  expect(second.environment?.backend).toBe('webgpu');
  expect(second.faults).toEqual([]);
});

test('A9: after a loss a fresh worker measures the cells that are left', async ({ lab, mocks }) => {
  await mocks.inWorker(
    loseDevice,
    { report: 'cell', count: 1, reason: 'unknown', message: 'x' },
    { first: true },
  );
  await lab.open('tokens=8,16,24');
  await lab.run();
  await lab.waitEnd();
  const record = await lab.record();
  expect(mocks.hits).toBe(2);
  expect(cellAt(record, 8).ratio).toBe(1);
  expect(cellAt(record, 16).fault?.code).toBe('device-lost');
  expect(cellAt(record, 24).ratio).toBe(1);
  expect(record.environment?.backend).toBe('webgpu');
});

test('A10: two devices in a row that are lost from the start are an error in words', async ({
  page,
  lab,
  mocks,
}) => {
  await mocks.inWorker(lostFromTheStart, 2);
  await lab.open('tokens=8');
  await lab.run();
  await lab.expectState('failed');
  expect((await lab.record()).faults.map((fault) => fault.code)).toContain('webgpu-device-refused');
  await expect(page.getByText('The GPU refused to open a device').first()).toBeVisible();
});

test('A10: one lost device from the start is replaced', async ({ lab, mocks }) => {
  await mocks.inWorker(lostFromTheStart, 1);
  const record = await lab.measure('tokens=8');
  expect(cellAt(record, 8).ratio).toBe(1);
});

test('A11: out of memory stops the run in words, and no number is published', async ({
  page,
  lab,
  mocks,
}) => {
  await mocks.inWorker(raiseGpuError, {
    report: 'model',
    count: 1,
    kind: 'out-of-memory',
    message: 'no room',
  });
  await lab.open('tokens=8,16');
  await lab.run();
  await lab.waitEnd();
  const record = await lab.record();
  expect(record.faults.map((fault) => fault.code)).toContain('out-of-memory');
  expect(record.cells.every((cell) => cell.tensorBytes === null)).toBe(true);
  expect(record.cells.map((cell) => cell.fault?.code)).toContain('out-of-memory');
  await expect(page.getByText('Out of GPU memory').first()).toBeVisible();
});

test('A15: an uncaught validation error makes a check fail, so the run proves nothing', async ({
  page,
  lab,
  mocks,
}) => {
  await mocks.inWorker(raiseGpuError, {
    report: 'cell',
    count: 1,
    kind: 'validation',
    message: 'bad binding',
  });
  await lab.open('tokens=8,16');
  await lab.run();
  await lab.waitEnd();
  const record = await lab.record();
  const check = record.checks.find(({ name, pass }) => name === 'no-gpu-errors' && !pass);
  expect(check?.measured).toContain('bad binding');
  await expect(lab.part('checks').locator('[data-pass="false"]')).not.toHaveCount(0);
  await expect(page.getByText('bad binding').first()).toBeVisible();
});

test('A13: steps in a background tab are flagged, and recovery waits until the tab is back', async ({
  page,
  lab,
  mocks,
}) => {
  await mocks.inPage(hiddenTab, undefined);
  await mocks.inWorker(
    loseDevice,
    { report: 'cell', count: 2, reason: 'unknown', message: 'asleep' },
    { first: true },
  );
  const setHidden = (value: boolean): Promise<void> =>
    page.evaluate((hidden) => {
      (window as unknown as { setHidden: (hidden: boolean) => void }).setHidden(hidden);
    }, value);
  await lab.open('tokens=8,16,24,32');
  await lab.run();
  await lab.expectState('running');
  await setHidden(true);
  await expect
    .poll(() => page.evaluate(() => window.kvlab.record()?.faults.map((fault) => fault.code) ?? []), {
      timeout: 60_000,
    })
    .toContain('device-lost');
  await page.waitForTimeout(2000);
  expect(mocks.hits).toBe(1);
  expect(await lab.state()).toBe('running');
  await setHidden(false);
  await lab.expectState('done');
  const record = await lab.record();
  expect(mocks.hits).toBe(2);
  expect(cellAt(record, 16).background).toBe(true);
  expect(cellAt(record, 32)).toMatchObject({ ratio: 1, background: false });
  await expect(page.getByText('background tab').first()).toBeVisible();
});

test('B20: an allocator mode that fails ends cleanly, and the next run works', async ({ page, lab }) => {
  await lab.open('allocator=disabled&tokens=8,16');
  await lab.run();
  await lab.waitEnd();
  const failed = await lab.record();
  expect(failed.faults.map((fault) => fault.code)).toEqual(['allocator-failed']);
  await expect(page.getByText('The allocator mode “disabled” failed').first()).toBeVisible();
  const record = await page.evaluate(() => window.kvlab.run('tokens=8'));
  expect(cellAt(record, 8).ratio).toBe(1);
});

test('the simple allocator holds what the tensors are, to the byte', async ({ page, lab }) => {
  await lab.open();
  // What `bucket` does at 129 tokens is in default-run.spec.ts.
  const record = await page.evaluate(() => window.kvlab.run('allocator=simple&tokens=129'));
  const { tensorBytes, residentBytes, ratio } = cellAt(record, 129);
  expect(ratio).toBe(1);
  expect(residentBytes).toBe(tensorBytes);
  expect(record.environment?.allocator).toBe('simple');
});
