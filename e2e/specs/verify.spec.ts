/** `npm run verify` as a script calls it: exit codes, table on stdout, one sentence where it could not run. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { LabRecord } from '../../src/protocol/record';
import { expect, gpuTest, test } from '../support/fixtures';
import { ROOT } from '../support/site';

interface Result {
  code: number | null;
  stdout: string;
  stderr: string;
}

function verify(...args: string[]): Promise<Result> {
  return new Promise((resolve) => {
    const child = spawn('npm', ['run', '--silent', 'verify', '--', ...args], {
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

const IMPOSSIBLE: [what: string, args: string[], sentence: RegExp][] = [
  ['an unknown option', ['--fast'], /--fast/],
  ['an option without its value', ['--recipe'], /--recipe/],
  ['a bad recipe', ['--recipe', 'tokens=abc'], /“abc” is not a valid value for tokens/],
  ['an unknown model', ['--recipe', 'model=nobody/nothing'], /There is no model “nobody\/nothing”/],
  ['a damaged link', ['--recipe', 'tokens=8#r=1.AAAA'], /damaged/],
  ['an address that is none', ['--url', 'page'], /is not an http\(s\) address/],
  ['a page that is not there', ['--url', 'http://localhost:9/'], /could not be opened/],
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
