/** `npm run verify` and `npm run merge` as a script calls them: exit codes, table on stdout, one sentence where it could not run. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { LabRecord } from '../../src/protocol/record';
import { REPO_IDS } from '../fake-hub/repo-ids';
import { readyMadeRepos } from '../fake-hub/repos';
import { startFakeHub } from '../fake-hub/server';
import { expect, gpuTest, test } from '../support/fixtures';
import { ROOT } from '../support/site';

interface Result {
  code: number | null;
  stdout: string;
  stderr: string;
}

function verify(...args: string[]): Promise<Result> {
  return command('verify', args);
}

function command(script: 'verify' | 'merge', args: string[]): Promise<Result> {
  return new Promise((resolve) => {
    const child = spawn('npm', ['run', '--silent', script, '--', ...args], {
      cwd: ROOT,
      env: { ...process.env, KVLAB_ADAPTER: 'swiftshader' },
    });
    const result: Result = { code: null, stdout: '', stderr: '' };
    child.stdout.on('data', (text: Buffer) => (result.stdout += text.toString()));
    child.stderr.on('data', (text: Buffer) => (result.stderr += text.toString()));
    child.on('close', (code) => {
      resolve({ ...result, code });
    });
  });
}

gpuTest('0: all checks pass; the table, the record and the Markdown come out', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kvlab-verify-'));
  const [json, markdown] = [join(folder, 'record.json'), join(folder, 'table.md')];
  const result = await verify('--recipe', 'tokens=8,16', '--json', json, '--markdown', markdown);
  expect(result, result.stderr).toMatchObject({ code: 0 });
  expect(result.stdout).toContain('1.0000');
  const record = JSON.parse(readFileSync(json, 'utf8')) as LabRecord;
  expect(record.cells.map((cell) => [cell.tokens, cell.ratio])).toEqual([
    [8, 1],
    [16, 1],
  ]);
  expect(readFileSync(markdown, 'utf8').trim()).toBe(result.stdout.trim());
});

gpuTest('0 for a results link that holds, 1 for one that was tampered with', async ({ lab, baseURL }) => {
  const record = await lab.measure('device=wasm&tokens=8');
  const link = new URL(await lab.copied('copy-results-link'));
  const same = await verify('--recipe', link.href, '--url', baseURL ?? '');
  expect(same, same.stderr).toMatchObject({ code: 0 });

  const [, packed = ''] = /^#r=1\.(.*)$/.exec(link.hash) ?? [];
  const bytes = String(record.cells[0]?.tensorBytes);
  const text = inflateRawSync(Buffer.from(packed, 'base64url')).toString().replace(bytes, `${bytes}0`);
  link.hash = `#r=1.${deflateRawSync(text).toString('base64url')}`;
  const different = await verify('--recipe', link.href, '--url', baseURL ?? '');
  expect(different, different.stderr).toMatchObject({ code: 1 });
  expect(different.stderr).toContain('different');
});

test('0 for a plan, which needs no GPU; 2 for one of a model that nobody knows', async ({ baseURL }) => {
  const plan = await verify('--recipe', 'experiment=capacity&model=Qwen/Qwen3-8B', '--url', baseURL ?? '');
  expect(plan, plan.stderr).toMatchObject({ code: 0 });
  // The second article: 57 sessions of 8,192 tokens.
  expect(plan.stdout).toContain('| Qwen3-8B | as planned | 8,192 | 1,207,959,552 | 1.13 GiB | 57 |');
  const unknown = await verify(
    '--recipe',
    'experiment=capacity&model=nobody/nothing',
    '--url',
    baseURL ?? '',
  );
  expect(unknown.code, unknown.stderr).toBe(2);
  expect(unknown.stderr).toContain('The catalogue has no model “nobody/nothing”');
});

const IMPOSSIBLE: [what: string, args: string[], sentence: RegExp][] = [
  ['an unknown option', ['--fast'], /--fast/],
  ['an option without its value', ['--recipe'], /--recipe/],
  ['a bad recipe', ['--recipe', 'tokens=abc'], /“abc” is not a valid value for tokens/],
  ['an unknown model', ['--recipe', 'model=nothing'], /There is no model “nothing”/],
  [
    'a bad plan',
    ['--recipe', 'experiment=capacity&gpu=moon'],
    /“moon” is not a valid value for gpu: use bytes/,
  ],
  ['a damaged link', ['--recipe', 'tokens=8#r=1.AAAA'], /damaged/],
  ['an address that is none', ['--url', 'page'], /is not an http\(s\) address/],
  ['a page that is not there', ['--url', 'http://localhost:9/'], /could not be opened/],
  ['a part that is none', ['--shard', '5/4'], /--shard 5\/4 is no part/],
  ['two parts at once', ['--recipe', 'shard=1/4', '--shard', '2/4'], /--shard 2\/4 .*shard=1\/4/],
  ['a hub that is no address', ['--hub', 'hub.example'], /“hub.example” is no address of a model hub/],
  ['a folder that is not there', ['--json', '/no/such/folder/x.json'], /cannot be written/],
];

for (const [what, args, sentence] of IMPOSSIBLE) {
  test(`2: ${what}`, async () => {
    const { code, stdout, stderr } = await verify(...args);
    expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: '' });
    expect(stderr.trim().split('\n').at(-1)).toMatch(sentence);
  });
}

test('2: nothing could be measured', async ({ baseURL }) => {
  const { code, stderr } = await verify('--recipe', 'dtype=fp16&tokens=8', '--url', baseURL ?? '');
  expect(code, stderr).toBe(2);
  expect(stderr).toContain('This GPU does not offer shader-f16');
});

test('parts of a plan merge into one record, also one with nothing to do; a missing one is named', async ({
  baseURL,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'kvlab-merge-'));
  const file = (name: string): string => join(folder, `${name}.json`);
  const recipe = ['--recipe', 'device=wasm&tokens=8,16', '--url', baseURL ?? ''];
  for (const part of [1, 2, 3]) {
    const measured = await verify(...recipe, '--shard', `${part}/3`, '--json', file(String(part)));
    expect(measured, measured.stderr).toMatchObject({ code: 0 });
    if (part === 3) expect(measured.stderr).toContain('Part 3/3 of the plan has nothing to measure');
  }
  const merged = await command('merge', [file('3'), file('1'), file('2'), '--json', file('all')]);
  expect(merged, merged.stderr).toMatchObject({ code: 0 });
  expect(merged.stdout).toContain('1.0000');
  const record = JSON.parse(readFileSync(file('all'), 'utf8')) as LabRecord;
  expect(record.cells.map((cell) => [cell.tokens, cell.ratio])).toEqual([
    [8, 1],
    [16, 1],
  ]);
  expect(record).toMatchObject({ status: 'done', recipe: { shard: '' }, parts: { length: 3 } });
  expect(record.environment?.backend).toBe('wasm');

  const incomplete = await command('merge', [file('1'), file('3')]);
  expect(incomplete.code, incomplete.stderr).toBe(2);
  expect(incomplete.stderr).toContain('missing of the plan: 2/3');

  const other = { ...record, recipe: { ...record.recipe, tokens: [8] } };
  writeFileSync(file('other'), JSON.stringify(other));
  writeFileSync(file('text'), 'no record');
  const cases: [args: string[], sentence: string][] = [
    [[], 'Name the records to merge'],
    [[file('1')], 'One record alone'],
    [[file('1'), file('none')], `${file('none')} cannot be read: there is no such file.`],
    [[file('1'), file('text')], `${file('text')}: This file is not JSON`],
    [[file('1'), file('other')], `${file('other')} have different recipes (tokens is “8, 16” in the first`],
  ];
  for (const [args, sentence] of cases) {
    const { code, stdout, stderr } = await command('merge', args);
    expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: '' });
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toContain(sentence);
  }
});

test('models come from a hub only with --download, and from the one that --hub names', async ({
  baseURL,
}) => {
  const hub = await startFakeHub({ repos: await readyMadeRepos() });
  try {
    const args = ['--recipe', `model=${REPO_IDS.tiny}&device=wasm&tokens=8`, '--url', baseURL ?? '', '--hub'];
    const refused = await verify(...args, hub.url);
    expect(refused.code, refused.stderr).toBe(2);
    expect(refused.stderr).toMatch(/has to be downloaded first \([\d,]+ bytes\)/);
    const measured = await verify(...args, hub.url, '--download');
    expect(measured, measured.stderr).toMatchObject({ code: 0 });
    expect(measured.stdout).toContain('1.0000');
  } finally {
    await hub.close();
  }
});
