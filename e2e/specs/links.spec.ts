/** Links and files: what one person measured, another can open, run and compare. */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { LabRecord } from '../../src/protocol/record';
import { expect, gpuTest as test } from '../support/fixtures';
import { cellAt } from '../support/lab-page';

const RECIPE = 'tokens=8,16,24&seed=7';
/** What needs no GPU runs where a run is quick. */
const WASM_RECIPE = `${RECIPE}&device=wasm`;

/** A results link with its hash changed by `edit`, which gets the JSON text inside. */
function tampered(link: string, edit: (json: string) => string): string {
  const url = new URL(link);
  const [, version = '', packed = ''] = /^#r=(\d+)\.(.*)$/.exec(url.hash) ?? [];
  const json = inflateRawSync(Buffer.from(packed, 'base64url')).toString('utf8');
  const changed = edit(json);
  expect(changed).not.toBe(json);
  url.hash = `#r=${version}.${deflateRawSync(changed).toString('base64url')}`;
  return url.href;
}

test('a results link says “the same” where the bytes are, and “different” where they are not', async ({
  page,
  lab,
}) => {
  const record = await lab.measure(RECIPE);
  const bytes = String(cellAt(record, 16).tensorBytes);
  const recipeLink = await lab.copied('copy-link');
  expect(new URL(recipeLink).hash).toBe('');
  expect(new URL(recipeLink).searchParams.get('tokens')).toBe('8,16,24');
  expect(new URL(recipeLink).searchParams.get('seed')).toBe('7');
  const link = await lab.copied('copy-results-link');
  expect(link.length).toBeLessThanOrEqual(2000);
  expect(link).toMatch(/^[\w:/?&=.,%@#~+-]+$/);

  await test.step('the same', async () => {
    await page.goto('about:blank');
    await page.goto(link);
    await expect(lab.part('comparison')).toBeVisible();
    await lab.run();
    await lab.expectState('running');
    await lab.expectState('done');
    await expect(lab.part('comparison')).toContainText(/same/i);
    await expect(lab.part('comparison')).not.toContainText(/different/i);
  });

  await test.step('different', async () => {
    await page.goto('about:blank');
    await page.goto(tampered(link, (json) => json.replace(bytes, String(Number(bytes) + 4))));
    await lab.run();
    await lab.expectState('running');
    await lab.expectState('done');
    await expect(lab.part('comparison')).toContainText(/different/i);
    await expect(lab.part('comparison')).toContainText(Number(bytes).toLocaleString('en-US'));
    await expect(lab.part('comparison')).toContainText((Number(bytes) + 4).toLocaleString('en-US'));
  });
});

test('an exported record imported elsewhere shows the same numbers, and compares with the next run', async ({
  page,
  lab,
}) => {
  const record = await lab.measure(WASM_RECIPE);
  const text = await lab.exported('export-json');
  await page.goto('about:blank');
  await lab.open();
  await lab.importFile(text);
  await expect(lab.part('cells-table')).toContainText(
    (cellAt(record, 24).tensorBytes ?? 0).toLocaleString('en-US'),
  );
  expect(await lab.record()).toEqual(record);
  await page.evaluate((recipe) => window.kvlab.run(recipe), WASM_RECIPE);
  await expect(lab.part('comparison')).toContainText(/same/i);
});

test('names in an imported record stay text', async ({ page, lab }) => {
  const record = await lab.measure('device=wasm&tokens=8');
  const evil = '<img src=x onerror=alert(1)>';
  const bad: LabRecord = structuredClone(record);
  for (const model of bad.models) model.notes = [evil];
  if (bad.environment) bad.environment.browser = evil;
  for (const check of bad.checks) check.detail = evil;
  await lab.importFile(JSON.stringify(bad));
  await expect(page.getByText(evil).first()).toBeAttached();
  expect(await page.locator('img[src="x"]').count()).toBe(0);
});

test('a 15-cell run fits into a link of 2,000 characters; back and forward keep the settings', async ({
  page,
  lab,
}) => {
  await lab.open();
  const tokens = Array.from({ length: 15 }, (_, index) => index + 1).join(',');
  await page.evaluate((list) => window.kvlab.run(`device=wasm&tokens=${list}`), tokens);
  const link = await lab.copied('copy-results-link');
  expect(link.length).toBeLessThanOrEqual(2000);
  expect(new URL(link).hash.length).toBeGreaterThan(20);
  await page.goto('about:blank');
  await page.goBack();
  await expect(lab.part('run')).toBeVisible();
  expect(new URL(page.url()).searchParams.get('tokens')).toBe(tokens);
});
