/** The built-in texts of public/texts: long enough for the experiment under a real tokenizer, and real text throughout. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { BUILT_IN_DOCUMENTS, defaultRedundancy } from '../../src/protocol/redundancy';
import { ROOT } from './site';

const FOLDER = join(ROOT, 'public/texts');
/** What a default run takes of each text: 200 tokens that are skipped and 1,536 that are kept. */
const NEEDED_TOKENS = 1736;
/** With room for tokenizers that need fewer tokens than o200k_base, one of the thriftiest, above all in Korean. */
const O200K_TOKENS = 2200;
/** Lines as short as a closing bracket may come again, and a few longer ones, as they do in code. */
const SHORT_LINE = 12;
const MOST_REPEATS = 3;

const hasNumpy = spawnSync('python3', ['-c', 'import numpy']).status === 0;

const bytesOf = (name: string): Uint8Array => readFileSync(join(FOLDER, `${name}.txt`));
/** @throws TypeError when the bytes are no UTF-8. */
const textOf = (name: string): string => new TextDecoder('utf-8', { fatal: true }).decode(bytesOf(name));

describe('the built-in texts', () => {
  it('are the four that the experiment names, each in a file', () => {
    const files = readdirSync(FOLDER);
    expect(files.sort()).toEqual(
      ['korean-changelog.txt', 'korean-report.txt', 'model-card.txt', 'python-code.txt'].sort(),
    );
    expect([...BUILT_IN_DOCUMENTS].map((name) => `${name}.txt`).sort()).toEqual(files);
    const { skip, keep } = defaultRedundancy();
    expect(skip + keep).toBe(NEEDED_TOKENS);
  });

  it.each(BUILT_IN_DOCUMENTS)('%s is long enough under a byte-level and a real tokenizer', (name) => {
    expect(bytesOf(name).length).toBeGreaterThanOrEqual(NEEDED_TOKENS);
    expect(countTokens(textOf(name))).toBeGreaterThanOrEqual(O200K_TOKENS);
  });

  it.each(BUILT_IN_DOCUMENTS)('%s is composed UTF-8 with plain line ends', (name) => {
    const text = textOf(name);
    expect(text.normalize('NFC')).toBe(text);
    expect(text).not.toMatch(/\r|\ufeff|\ufffd|\t/);
    expect(text).toMatch(/[^\n]\n$/);
  });

  it.each(BUILT_IN_DOCUMENTS)('%s repeats no line more than a few times', (name) => {
    const counts = new Map<string, number>();
    for (const line of textOf(name)
      .split('\n')
      .map((one) => one.trim())) {
      if (line.length > SHORT_LINE) counts.set(line, (counts.get(line) ?? 0) + 1);
    }
    expect([...counts].filter(([, count]) => count > MOST_REPEATS)).toEqual([]);
    expect([...counts].filter(([, count]) => count > 1).length).toBeLessThanOrEqual(counts.size / 20);
  });

  it('is in the language that its name says', () => {
    const hangul = (name: string): number => (textOf(name).match(/[가-힣]/g) ?? []).length;
    expect(hangul('korean-report')).toBeGreaterThan(2000);
    expect(hangul('korean-changelog')).toBeGreaterThan(2000);
    expect(hangul('model-card')).toBe(0);
    expect(hangul('python-code')).toBe(0);
  });

  it('has no HTML tags in the model card', () => {
    expect(textOf('model-card')).not.toMatch(/<\/?[a-z][^>]*>/i);
  });

  it.skipIf(!hasNumpy)('has Python code that runs and finds what it planted', () => {
    const ran = spawnSync('python3', [join(FOLDER, 'python-code.txt')], { encoding: 'utf8' });
    expect(ran.stderr).toBe('');
    expect(ran.status).toBe(0);
    expect(ran.stdout.match(/ ok \(/g)).toHaveLength(4);
  });
});
