/** Runs after runs, runs beside runs, runs cut short: one is active at a time, all memory comes back, nothing hangs. */
import { expect, gpuTest as test } from '../support/fixtures';
import { cellAt, LabPage } from '../support/lab-page';

test('B9: Run pressed twice, and scripts that ask twice, give one run at a time and all their records', async ({
  page,
  lab,
}) => {
  await lab.open('device=wasm&tokens=8,16');
  let most = 0;
  page.on('worker', () => {
    most = Math.max(most, page.workers().filter((worker) => worker.url().includes('lab.worker')).length);
  });
  await expect(lab.part('run')).toBeEnabled();
  await lab.part('run').dblclick();
  const records = await page.evaluate(() =>
    Promise.all([window.kvlab.run('device=wasm&tokens=8'), window.kvlab.run('device=wasm&tokens=24')]),
  );
  expect(records.map((record) => record.cells.map((cell) => [cell.tokens, cell.ratio]))).toEqual([
    [[8, 1]],
    [[24, 1]],
  ]);
  expect(most).toBe(1);
  await expect.poll(() => page.workers().length).toBe(0);
});

test('two tabs: the second waits for the first, and both are right', async ({ context, lab }) => {
  const other = new LabPage(await context.newPage());
  await lab.open('tokens=8,16,24');
  await other.open('tokens=8,16');
  await lab.run();
  await lab.expectState('running');
  await other.run();
  await other.expectState('done');
  await lab.expectState('done');
  for (const tab of [lab, other]) {
    const record = await tab.record();
    expect(record.faults).toEqual([]);
    expect(record.checks.filter((check) => !check.pass)).toEqual([]);
    expect(cellAt(record, 16).ratio).toBe(1);
  }
});

test('Cancel during model load stops within two seconds, and the next run works', async ({ page, lab }) => {
  await lab.open('model=twin:openai-community/gpt2&tokens=8,16');
  await lab.run();
  await lab.expectState('running');
  await expect(lab.part('progress')).toContainText(/load/i);
  const pressed = Date.now();
  await lab.part('cancel').click();
  await lab.expectState('done');
  // Cancel asks, and after one second ends the worker; the rest is Playwright's polling on a busy machine.
  expect(Date.now() - pressed).toBeLessThan(5000);
  const record = await lab.record();
  expect(record.status).toBe('cancelled');
  expect(record.cells.every((cell) => cell.fault?.code === 'cancelled')).toBe(true);
  await expect.poll(() => page.workers().length).toBe(0);
  const next = await page.evaluate(() => window.kvlab.run('tokens=8'));
  expect(cellAt(next, 8).ratio).toBe(1);
});

test('Cancel in mid-run keeps what was measured', async ({ page, lab }) => {
  await lab.open('experiment=growth&prompt=hi&steps=400');
  await lab.run();
  await expect
    .poll(() => page.evaluate(() => window.kvlab.record()?.growth[0]?.steps.length ?? 0), { timeout: 60_000 })
    .toBeGreaterThan(1);
  await lab.part('cancel').click();
  await lab.expectState('done');
  const record = await lab.record();
  const steps = record.growth[0]?.steps ?? [];
  expect(record.status).toBe('cancelled');
  expect(steps.length).toBeGreaterThan(1);
  expect(steps.length).toBeLessThan(400);
  await expect(lab.part('growth-table')).toBeVisible();
});

test('C22: a reload in mid-run says that the run was interrupted, and the next one works', async ({
  page,
  lab,
}) => {
  await lab.open('tokens=8,16,512');
  await lab.run();
  await expect
    .poll(() => page.evaluate(() => window.kvlab.record()?.cells.length ?? 0), { timeout: 60_000 })
    .toBeGreaterThan(0);
  await page.reload();
  await expect(
    page.getByText('The page was reloaded or closed while this run was going on').first(),
  ).toBeVisible();
  expect(await lab.state()).toBe('idle');
  expect(cellAt(await lab.record(), 8).ratio).toBe(1);
  const next = await page.evaluate(() => window.kvlab.run('device=wasm&tokens=8'));
  expect(next.status).toBe('done');
});

test('B5, B6: ten loads of two models one after another; device bytes always come back', async ({
  page,
  lab,
}) => {
  test.setTimeout(300_000);
  await lab.open();
  const record = await page.evaluate(() =>
    window.kvlab.run('model=tiny&model=twin:openai-community/gpt2&tokens=4&repeats=5'),
  );
  expect(record.faults).toEqual([]);
  const released = record.checks.filter((check) => check.name === 'released');
  expect(released).toHaveLength(10);
  expect(released.filter((check) => !check.pass)).toEqual([]);
  expect(record.cells).toHaveLength(10);
  for (const model of record.models) {
    expect(model.deviceBytes.loaded).toBeGreaterThan(0);
    expect(model.deviceBytes.released).toBe(model.deviceBytes.beforeLoad);
  }
  // The same work needs the same bytes each time: a leak would show as a rising start.
  for (const id of new Set(record.cells.map((cell) => cell.model))) {
    const starts = record.cells.filter((cell) => cell.model === id).map((cell) => cell.deviceBytes.before);
    expect(new Set(starts).size, `${id}: ${starts.join(', ')}`).toBe(1);
  }
});

test('E12, E13: charts are re-used or destroyed, never piled up', async ({ page, lab }) => {
  const record = await lab.measure('device=wasm&tokens=8,16');
  const text = JSON.stringify(record);
  const canvases = await page.locator('canvas').count();
  expect(canvases).toBeGreaterThan(0);
  const session = await page.context().newCDPSession(page);
  const liveCanvases = async (): Promise<number> => {
    await session.send('HeapProfiler.collectGarbage');
    const { result } = await session.send('Runtime.evaluate', { expression: 'HTMLCanvasElement.prototype' });
    const { objects } = await session.send('Runtime.queryObjects', {
      prototypeObjectId: result.objectId ?? '',
    });
    const { result: count } = await session.send('Runtime.callFunctionOn', {
      objectId: objects.objectId ?? '',
      functionDeclaration: 'function () { return this.length; }',
    });
    return count.value as number;
  };
  const before = await liveCanvases();
  for (let round = 0; round < 20; round += 1) {
    await lab.importFile(text);
    await page.waitForTimeout(50);
  }
  expect(await page.locator('canvas').count()).toBe(canvases);
  expect(await liveCanvases()).toBeLessThanOrEqual(before + 1);
});

test('E14: a record in which nothing was measured draws no number: words, no NaN, no 0', async ({
  page,
  lab,
}) => {
  const record = await lab.measure('device=wasm&tokens=8,16');
  const empty = structuredClone(record);
  for (const cell of empty.cells) {
    Object.assign(cell, {
      tensorBytes: null,
      residentBytes: null,
      ratio: null,
      prefillMs: null,
      deviceBytes: { before: null, after: null, peak: null },
      skipped: 'Cancelled.',
      fault: { code: 'cancelled', params: {} },
    });
  }
  await lab.importFile(JSON.stringify(empty));
  await expect(lab.part('cells-table')).toContainText('Cancelled.');
  await expect(lab.part('verdict')).toContainText('No cell was measured');
  await expect(page.locator('body')).not.toContainText(/NaN|Infinity/);
});
