/** What a hub can do wrong: one clear sentence each, the rest of the recipe is measured, the page stays usable. */
import { REPO_IDS, REPO_SHAS } from '../fake-hub/repo-ids';
import type { Fault } from '../fake-hub/types';
import { expect } from '../support/fixtures';
import { WITHOUT_DATA_ID } from '../support/hub-repos';
import { expectFault, fileAnswers, hubTest as test, runRecipe } from '../support/hub-test';
import { cellAt } from '../support/lab-page';

const MODEL_FILE = /onnx\/model\.onnx$/;
const CONFIG_FILE = /\/config\.json$/;

interface Case {
  name: string;
  repo: string;
  /** Set on the hub; without it the repository itself is what is wrong. */
  fault?: Fault;
  query?: string;
  sentence: (hub: { host: string }) => string | RegExp;
  /** Files (below the repository) that are asked for: nothing is downloaded in vain, and no try is repeated. */
  asked: string[];
  /** A file that is asked for beside the bad one, unless that one's answer comes first. */
  maybeAsked?: string;
}

const CASES: Case[] = [
  {
    name: '401, a gated repository',
    repo: REPO_IDS.gated,
    sentence: ({ host }) =>
      `${host} does not give out lab/gated without access (HTTP 401): it is gated, private or misspelt. This page never asks for a token; choose a public repository, or load a local folder.`,
    asked: ['config.json'],
  },
  {
    name: '403, a gated repository without permission',
    repo: REPO_IDS.gatedForbidden,
    sentence: ({ host }) =>
      `${host} does not give out lab/gated-forbidden without access (HTTP 403): it is gated, private or misspelt. This page never asks for a token; choose a public repository, or load a local folder.`,
    asked: ['config.json'],
  },
  {
    name: 'a repository that is not there (the hub says 401)',
    repo: 'lab/no-such-model',
    sentence: ({ host }) =>
      `${host} does not give out lab/no-such-model without access (HTTP 401): it is gated, private or misspelt. This page never asks for a token; choose a public repository, or load a local folder.`,
    asked: [],
  },
  {
    name: '404, a repository that is not there (as mirrors say it)',
    repo: REPO_IDS.tiny,
    fault: { kind: 'status', status: 404, path: /^\/api\// },
    sentence: ({ host }) =>
      `There is no repository lab/tiny with the revision “main” at ${host}. Check its spelling, or choose one from the list.`,
    asked: [],
  },
  {
    name: 'a revision that is not there',
    repo: `${REPO_IDS.tiny}@no-such-branch`,
    sentence: ({ host }) =>
      `There is no repository lab/tiny with the revision “no-such-branch” at ${host}. Check its spelling, or choose one from the list.`,
    asked: [],
  },
  {
    name: 'C10: a variant that the repository does not have',
    repo: REPO_IDS.smollmTwin,
    query: '&dtype=bnb4',
    sentence: () => 'lab/smollm2-135m-twin has no variant “bnb4”. Choose one of: fp32, fp16, q8, q4, q4f16.',
    asked: ['config.json'],
  },
  {
    name: 'no ONNX file',
    repo: REPO_IDS.noOnnx,
    sentence: () =>
      'This repository has no onnx/model….onnx that transformers.js loads. Choose one with ONNX files, such as those of onnx-community.',
    asked: ['config.json'],
  },
  {
    name: 'an encoder-decoder',
    repo: REPO_IDS.encoderDecoder,
    sentence: () =>
      'This is an encoder-decoder model; this version runs decoders only. Choose a text-generation model.',
    asked: ['config.json'],
  },
  {
    name: 'B11: external data that the list does not have',
    repo: WITHOUT_DATA_ID,
    sentence: () =>
      'lab/without-data lacks the file onnx/model.onnx_data. Choose another dtype or another repository.',
    asked: ['config.json'],
  },
  {
    name: 'B11: external data that is listed and not there',
    repo: REPO_IDS.external,
    fault: { kind: 'missing-file', path: /onnx_data$/ },
    sentence: ({ host }) =>
      `${host}/lab/external-data@${REPO_SHAS.external} lacks the file onnx/model.onnx_data. Choose another dtype or another repository.`,
    asked: ['config.json', 'onnx/model.onnx_data', 'tokenizer.json', 'tokenizer_config.json'],
    maybeAsked: 'onnx/model.onnx',
  },
  {
    name: 'a file that is shorter than listed, twice',
    repo: REPO_IDS.tiny,
    fault: { kind: 'truncated', mode: 'short', path: MODEL_FILE },
    sentence: () =>
      /^The file onnx\/model\.onnx ended after [\d,]+ of [\d,]+ bytes\. Start the download again; if it ends there again, the host has a damaged copy\.$/,
    asked: ['config.json', 'onnx/model.onnx', 'onnx/model.onnx', 'tokenizer.json', 'tokenizer_config.json'],
  },
  {
    name: 'a garbled ONNX file',
    repo: REPO_IDS.tiny,
    fault: { kind: 'corrupt', mode: 'garbled', path: MODEL_FILE },
    sentence: () =>
      /^The model file “onnx\/model\.onnx” is no ONNX file, or is damaged: .+\. Delete its stored copy and load it again\.$/,
    asked: ['config.json', 'onnx/model.onnx', 'tokenizer.json', 'tokenizer_config.json'],
  },
  {
    name: 'half an ONNX file',
    repo: REPO_IDS.tiny,
    fault: { kind: 'corrupt', mode: 'cut', path: MODEL_FILE },
    sentence: () =>
      /^The model file “onnx\/model\.onnx” is no ONNX file, or is damaged: .+\. Delete its stored copy and load it again\.$/,
    asked: ['config.json', 'onnx/model.onnx', 'tokenizer.json', 'tokenizer_config.json'],
  },
  {
    name: 'A6: a model that no ONNX Runtime in a browser can load',
    repo: REPO_IDS.huge,
    sentence: () =>
      'The file onnx/model.onnx has 6,000,000,000 bytes; an ONNX file has at most 2,147,483,647. Choose a smaller dtype, or an export with external data.',
    asked: ['config.json'],
  },
];

for (const { name, repo, fault, query = '', sentence, asked, maybeAsked } of CASES) {
  test(`${name}: one sentence, and the next model of the recipe is measured`, async ({
    page,
    lab,
    hub,
    watch,
  }) => {
    watch.allow(/Failed to load resource/);
    if (fault) hub.setFault(repo, fault);
    await lab.open();
    const recipe = `model=${repo}&model=tiny&tokens=8&device=wasm${query}`;
    // The built-in model has no such variant either: it is measured in another one of the same run.
    const record = await runRecipe(page, query === '' ? recipe : recipe.replace('dtype=', 'dtype=fp32,'));
    if (query === '') await expectFault(page, record, sentence({ host: hub.url }));
    else {
      const cells = record.cells.filter(({ model }) => model.startsWith(repo));
      expect(cells.map(({ dtype, ratio, skipped }) => [dtype, ratio, skipped])).toEqual([
        ['fp32', 1, null],
        ['bnb4', null, sentence({ host: hub.url })],
      ]);
      expect(cellAt(record, 8, 'tiny').ratio).toBe(1);
      await expect(page.getByText(sentence({ host: hub.url })).first()).toBeVisible();
    }
    if (query === '') {
      const files = fileAnswers(hub).map(({ file }) => file?.replace(/^\w+\/[\w.-]+\//, ''));
      expect(files.filter((file) => file !== maybeAsked).sort()).toEqual(asked);
      if (maybeAsked !== undefined)
        expect(files.filter((file) => file === maybeAsked).length).toBeLessThan(2);
    }
    // C11: nothing like a token goes out, or is asked for.
    expect(hub.requests.filter(({ path }) => /token=|hf_/.test(path))).toEqual([]);
  });
}

for (const [name, file, found] of [
  ['config.json', CONFIG_FILE, 'config.json'],
  ['the ONNX file', MODEL_FILE, 'onnx/model.onnx'],
] as const) {
  test(`C14: a web page in place of ${name} is not stored; with a good server the same link works`, async ({
    page,
    lab,
    hub,
  }) => {
    hub.setFault(REPO_IDS.tiny, { kind: 'html', path: file });
    await lab.open();
    const recipe = `model=${REPO_IDS.tiny}&model=tiny&tokens=8&device=wasm`;
    await expectFault(
      page,
      await runRecipe(page, recipe),
      `In place of ${found} came HTML; nothing of it was stored. Check the host in the settings, then try again.`,
    );
    hub.setFault(REPO_IDS.tiny, null);
    const good = await runRecipe(page, recipe);
    expect(good.faults).toEqual([]);
    expect(good.cells.map(({ ratio }) => ratio)).toEqual([1, 1]);
  });
}

test('a config.json that lies about its graph: both are in the record, and the checks fail', async ({
  page,
  lab,
}) => {
  await lab.open();
  const record = await runRecipe(page, `model=${REPO_IDS.lyingConfig}&tokens=8&device=wasm`);
  expect(record.status).toBe('done');
  const [model] = record.models;
  expect(model?.geometryFrom).toBe('config');
  expect(model?.geometry.kvHeads).toBe(4);
  expect(model?.graphCache.find(({ name }) => name === 'past_key_values.0.key')?.dims[1]).toBe(2);
  // 8 tokens x 2 layers x 2 x 4 (or in truth 2) KV heads x head dim 16 x 4 bytes.
  expect(cellAt(record, 8)).toMatchObject({ formulaBytes: 8192, tensorBytes: 4096, ratio: 0.5 });
  const failed = record.checks.filter(({ pass }) => !pass).map(({ name }) => name);
  expect(failed).toContain('graph-cache');
  expect(failed).toContain('ratio');
  const graph = record.checks.find((check) => check.name === 'graph-cache');
  expect(graph?.expected).toContain('4 KV heads');
  expect(graph?.detail).toContain('2 x 16');
  await expect(lab.part('checks').locator('[data-pass="false"]')).not.toHaveCount(0);
});

test('E1: what is no model id makes no request at all, from a link or from a script', async ({
  page,
  lab,
  hub,
}) => {
  const ids = ['<img src=x>', '../../x', 'a/../b', 'javascript:1', 'lab/tiny/..', 'https://evil.example/x'];
  for (const id of ids) {
    await test.step(id, async () => {
      await lab.open(`model=${encodeURIComponent(id)}&device=wasm&run=1`);
      await expect(page.getByText('is not a valid value for model').first()).toBeVisible();
      const said = await page.evaluate(
        (model) =>
          window.kvlab.run(`model=${encodeURIComponent(model)}&device=wasm`, { download: true }).then(
            () => null,
            (error: unknown) => String(error),
          ),
        id,
      );
      expect(said).toContain('is not a valid value for model');
    });
  }
  // A whole run later nobody was asked, for a built-in model neither.
  const record = await runRecipe(page, 'tokens=8&device=wasm');
  expect(cellAt(record, 8, 'tiny').ratio).toBe(1);
  expect(hub.requests).toEqual([]);
});
