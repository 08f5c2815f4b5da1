/** The default run of a stranger: open, press Run, read true numbers. One run, looked at from all sides. */
import { expect, gpuTest as test } from '../support/fixtures';
import { cellAt } from '../support/lab-page';

/** Bytes per token of `tiny` come from its card in the picker, so this file states only what follows from them. */
const DEFAULT_TOKENS = [64, 128, 129, 256, 257];

test('the page starts idle, with the built-in model chosen, and says so to scripts', async ({
  page,
  lab,
}) => {
  await lab.open();
  expect(await lab.state()).toBe('idle');
  expect(await page.evaluate(() => window.kvlab.record())).toBeNull();
  await expect(lab.part('model-picker').getByRole('checkbox', { checked: true })).toHaveCount(1);
});

test('default run on WebGPU: every cell equal to the byte, every check passes', async ({ page, lab }) => {
  const started = Date.now();
  await page.addInitScript(() => {
    const states: string[] = [];
    Object.assign(window, { labStates: states });
    new MutationObserver(() => {
      const state = document.documentElement.dataset['lab'] ?? '';
      if (states.at(-1) !== state) states.push(state);
    }).observe(document, { attributes: true, subtree: true, attributeFilter: ['data-lab'] });
  });
  const record = await lab.measure();
  const seconds = Math.round((Date.now() - started) / 1000);
  const { environment } = record;
  console.log(`default run: ${seconds} s; adapter ${JSON.stringify(environment?.adapter)}`);

  await test.step('states', async () => {
    const states = await page.evaluate(() => (window as unknown as { labStates: string[] }).labStates);
    expect(states).toEqual(['idle', 'running', 'done']);
  });

  await test.step('record', () => {
    expect(record.status).toBe('done');
    expect(record.faults).toEqual([]);
    expect(environment?.backend).toBe('webgpu');
    expect(environment?.adapter?.fallback).toBe(true);
    expect(environment?.crossOriginIsolated).toBe(true);
    expect(environment?.allocator).toBe('bucket');
    expect(record.cells.map((cell) => cell.tokens)).toEqual(DEFAULT_TOKENS);
    const perToken = record.models[0]?.bytesPerToken ?? Number.NaN;
    for (const cell of record.cells) {
      expect(cell.tensorBytes).toBe(cell.tokens * perToken);
      expect(cell.formulaBytes).toBe(cell.tensorBytes);
      expect(cell.ratio).toBe(1);
      expect(cell.residentBytes ?? 0).toBeGreaterThanOrEqual(cell.tensorBytes ?? 0);
      expect(cell.deviceBytes.peak ?? 0).toBeGreaterThanOrEqual(cell.deviceBytes.after ?? 0);
      expect(cell.deviceBytes.after ?? 0).toBeGreaterThan(cell.residentBytes ?? 0);
    }
    // The bucket allocator: nothing to spare at 128 tokens, twice the buffer one token later.
    expect(cellAt(record, 128).residentBytes).toBe(128 * perToken);
    expect(cellAt(record, 129).residentBytes).toBe(256 * perToken);
  });

  await test.step('checks', async () => {
    // `no-gpu-errors` is in a record only when it failed.
    const names = [...new Set(record.checks.map((check) => check.name))].sort();
    expect(names).toEqual([
      'cache-used',
      'graph-cache',
      'prefix-unchanged',
      'ratio',
      'released',
      'wrong-geometry',
    ]);
    expect(record.checks.filter((check) => !check.pass)).toEqual([]);
    await expect(lab.part('checks').locator('[data-pass="true"]')).toHaveCount(record.checks.length);
    await expect(lab.part('checks').locator('[data-pass="false"]')).toHaveCount(0);
  });

  await test.step('views', async () => {
    await expect(lab.part('verdict')).toContainText('5 of 5 cells equal to the byte');
    const rows = lab.part('cells-table').locator('tbody tr');
    await expect(rows).toHaveCount(DEFAULT_TOKENS.length);
    await expect(rows.nth(2)).toContainText((cellAt(record, 129).tensorBytes ?? 0).toLocaleString('en-US'));
    await expect(rows.nth(2)).toContainText('1.0000');
    await expect(page.locator('canvas')).not.toHaveCount(0);
    await expect(lab.part('environment')).toContainText('swiftshader');
  });

  await test.step('exports', async () => {
    expect(JSON.parse(await lab.exported('export-json'))).toEqual(record);
    const csv = await lab.exported('export-csv');
    expect(csv.split('\n').filter((line) => line.includes('tiny'))).toHaveLength(DEFAULT_TOKENS.length);
    const markdown = await lab.copied('copy-markdown');
    expect(markdown).toContain('| ');
    expect(markdown).toContain((cellAt(record, 257).tensorBytes ?? 0).toLocaleString('en-US'));
  });
});
