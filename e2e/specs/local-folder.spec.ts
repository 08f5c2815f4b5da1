/** A model from a folder of this computer: measured like one of a hub, without any request; the record names no path. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { REPO_IDS } from '../fake-hub/repo-ids';
import { readyMadeRepos } from '../fake-hub/repos';
import { expect } from '../support/fixtures';
import { hubTest as test } from '../support/hub-test';
import { cellAt } from '../support/lab-page';

/** Writes files of a ready-made repository into a fresh folder of that name. */
async function folderOf(name: string, keep: (path: string) => string | null): Promise<string> {
  const repo = (await readyMadeRepos()).find(({ id }) => id === REPO_IDS.tiny);
  const folder = join(mkdtempSync(join(tmpdir(), 'kvlab-folder-')), name);
  for (const [path, content] of repo?.files ?? []) {
    const place = keep(path);
    if (place === null) continue;
    mkdirSync(dirname(join(folder, place)), { recursive: true });
    writeFileSync(join(folder, place), content);
  }
  return folder;
}

/** Gives the page a folder, as its button "Choose a folder" does. */
async function chooseFolder(page: Page, folder: string): Promise<void> {
  const others = page.getByTestId('other-models');
  if ((await others.getAttribute('open')) === null) await others.locator('summary').first().click();
  await page.getByTestId('hub-folder-input').setInputFiles(folder);
}

for (const [layout, place] of [
  ['as in a repository', (path: string) => path],
  ['with the ONNX file beside config.json', (path: string) => path.replace('onnx/', '')],
] as const) {
  test(`a folder ${layout} is measured, and nobody is asked for anything`, async ({ page, lab, hub }) => {
    await lab.open('tokens=8&device=wasm');
    const folder = await folderOf('my model (v2)', place);
    await chooseFolder(page, folder);
    await expect(page.getByTestId('outside-card')).toHaveAttribute('data-id', 'local:my model _v2_');
    await expect(page.getByTestId('outside-card').locator('input[type="radio"]:checked')).toHaveCount(1);
    await lab.run();
    await lab.expectState('done');
    const record = await lab.record();
    expect(record.faults).toEqual([]);
    expect(record.checks.filter(({ pass }) => !pass)).toEqual([]);
    // The small model: 512 bytes a token (e2e/fake-hub/build-repos.ts).
    expect(cellAt(record, 8, 'local:my model _v2_')).toMatchObject({ tensorBytes: 4096, ratio: 1 });
    expect(record.models.find(({ source }) => source === 'local')).toMatchObject({ revision: 'local' });
    expect(JSON.stringify(record)).not.toContain(dirname(folder));
    expect(hub.requests).toEqual([]);
  });
}

const BAD: [name: string, keep: (path: string) => string | null, sentence: string][] = [
  [
    'without config.json',
    (path) => (path.endsWith('config.json') ? null : path),
    'The folder “bad” has no config.json. Choose the folder of a model: config.json with the ONNX files beside it or in “onnx”.',
  ],
  [
    'without an ONNX file',
    (path) => (path.endsWith('.onnx') ? null : path),
    'The folder “bad” has a config.json, but no .onnx file beside it or in “onnx”. Add the ONNX files.',
  ],
  [
    'of two models',
    (path) => `one/${path}`,
    'Here are several models (bad/one, bad/two). Choose the folder of one.',
  ],
];

for (const [name, keep, sentence] of BAD) {
  test(`a folder ${name} is refused in words, and a good one is then taken`, async ({ page, lab }) => {
    await lab.open('tokens=8&device=wasm');
    const folder = await folderOf('bad', keep);
    if (sentence.includes('several')) {
      mkdirSync(join(folder, 'two'));
      writeFileSync(join(folder, 'two/config.json'), '{}');
    }
    await chooseFolder(page, folder);
    await expect(page.getByTestId('folder-fault')).toHaveText(sentence);
    await expect(page.getByTestId('outside-card')).toHaveCount(0);
    await chooseFolder(page, await folderOf('good', (path) => path));
    await expect(page.getByTestId('outside-card')).toHaveAttribute('data-id', 'local:good');
    await expect(page.getByTestId('folder-fault')).toHaveCount(0);
  });
}

test('a link to a folder asks for it, and measures once it is chosen', async ({ page, lab, hub }) => {
  await lab.open('model=local:shared&tokens=8&device=wasm&run=1');
  const asks = page.getByText(
    'The folder “shared” has to be chosen again: a page cannot keep or share the place of a folder.',
  );
  await expect(asks.first()).toBeVisible();
  await lab.expectState('failed');
  expect((await lab.record()).faults.map(({ code }) => code)).toEqual(['local-needs-folder']);
  await chooseFolder(page, await folderOf('shared', (path) => path));
  await expect(page.getByTestId('outside-card').locator('input[type="radio"]:checked')).toHaveCount(1);
  await lab.run();
  await lab.expectState('running', 'done');
  await lab.expectState('done');
  expect(cellAt(await lab.record(), 8, 'local:shared').ratio).toBe(1);
  expect(hub.requests).toEqual([]);
});
