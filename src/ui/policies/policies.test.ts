/** The policies report's sentences, from records whose numbers are known. */
import { beforeAll, describe, expect, it } from 'vitest';
import { loadCatalog, loadPart, t } from '../../i18n';
import { formatBytes, formatInteger } from '../../protocol/format';
import { policiesRecord } from '../../protocol/policies-record.fixture';
import type { Recommendation } from '../../protocol/policies';
import type { Lang } from '../../protocol/recipe';
import type { LabRecord } from '../../protocol/record';
import { policiesSummary } from '../../record/policies-summary';
import { recommendationSentence, takeHome } from './sentences';
import { blocksInUse } from './summary-table';
import { milliseconds, times, type PoliciesWords } from './words';

const words = (language: Lang): PoliciesWords => ({
  tr: (key, params) => t(language, key, params),
  int: (value) => formatInteger(value, language),
  size: (bytes) => formatBytes(bytes, language),
  language,
});

beforeAll(async () => {
  await loadCatalog('ko');
  for (const lang of ['en', 'ko'] as const)
    for (const part of ['report', 'policies'] as const) await loadPart(lang, part);
});

const say = (record: LabRecord, language: Lang = 'en') =>
  takeHome(record, policiesSummary(record), words(language));
const best = (recommendation: Recommendation, language: Lang = 'en') =>
  recommendationSentence(recommendation, 'webgpu', words(language));

describe('the sentence', () => {
  it('tells what takes least, against what, and what that costs; and what failed', () => {
    expect(say(policiesRecord())).toEqual([
      'At 512 tokens quantised with lazyRelease takes least: the device’s peak is 3.57 MiB, against 9 MiB of dynamic with bucket (2.5×). Per decode step, it takes 19.2 ms against 26.2 ms and it copies 288.84 KiB of old keys and values against 1 MiB. Its logits are not quite those of floats; the check below says how near they are.',
      '48 of 48 measured cells hold exactly the formula’s bytes. Failed: 4 of 16 (disabled with dynamic, static, quantised, paged).',
    ]);
  });

  it('compares tensor bytes where the device was not measured, and says so', () => {
    const none = { before: null, after: null, peak: null };
    const record = policiesRecord();
    const cells = record.cells
      .filter(({ allocator }) => allocator === 'bucket')
      .map((cell) => ({ ...cell, device: 'wasm' as const, residentBytes: null, deviceBytes: none }));
    const sentences = say({ ...record, cells, growth: [] });
    // 512 x 576 bytes against 512 x 2,048; the largest room is that of paged, but dynamic is what is compared with.
    expect(sentences[0]).toBe(
      'At 512 tokens the cache tensors of quantised take least: 288 KiB, against 1 MiB of dynamic (3.6×); device bytes were not measured. Its logits are not quite those of floats; the check below says how near they are.',
    );
  });

  it('counts a cell that does not hold the formula’s bytes, and says when nothing was measured', () => {
    const record = policiesRecord();
    const [first, ...others] = record.cells;
    const wrong = { ...(first as (typeof others)[number]), tensorBytes: 131_071 };
    expect(say({ ...record, cells: [wrong, ...others] })[1]).toContain('47 of 48 measured cells');
    const failed = record.cells.filter(({ allocator }) => allocator === 'disabled');
    expect(say({ ...record, cells: failed, growth: [] })).toEqual(['No policy could be measured.']);
  });

  it('is whole in Korean', () => {
    const text = say(policiesRecord(), 'ko').join(' ');
    expect(text).toContain('512토큰에서 가장 적게 쓰는 것은 quantised·lazyRelease입니다.');
    expect(text).not.toMatch(/\{|policies\./);
  });
});

describe('the recommendation', () => {
  const hold = (
    policy: 'dynamic' | 'static',
    allocator: 'bucket' | 'simple',
    tokens: number,
    peak = 100,
  ) => ({
    ...{ policy, allocator, tokens, peakBytes: tokens === 0 ? null : peak },
  });

  it('names the best, what it is compared with, and by how much', () => {
    const { recommendation = null } = policiesRecord().policies ?? {};
    expect(best(recommendation as Recommendation)).toBe(
      'Within 3.56 MiB of device bytes, quantised with lazyRelease holds 512 tokens, dynamic with bucket 64: 8.0 times as many.',
    );
  });

  it.each([
    [[hold('static', 'simple', 64)], 'Within 200 bytes of device bytes, static with simple holds 64 tokens.'],
    [
      [hold('static', 'simple', 64), hold('dynamic', 'bucket', 0)],
      'Within 200 bytes of device bytes, static with simple holds 64 tokens, dynamic with bucket none of the measured lengths.',
    ],
    [
      [hold('dynamic', 'bucket', 64), hold('static', 'bucket', 32)],
      'Within 200 bytes of device bytes the default, dynamic with bucket, already holds the most: 64 tokens; the least, static with bucket, holds 32.',
    ],
    [
      [hold('static', 'simple', 64, 90), hold('dynamic', 'bucket', 64)],
      'Within 200 bytes of device bytes, static with simple holds 64 tokens, as dynamic with bucket does, with 90 bytes against 100 bytes at the peak.',
    ],
  ])('%# is said as it is', (holds, sentence) => {
    expect(best({ budgetBytes: 200, holds })).toBe(sentence);
    expect(best({ budgetBytes: 200, holds }, 'ko')).not.toMatch(/\{|policies\./);
  });
});

it('finds the blocks in use and what their last ones lose', () => {
  const record = policiesRecord();
  const cells = record.cells.map((cell) =>
    cell.policy === 'paged' && cell.allocator === 'bucket' && cell.tokens === 512
      ? // 500 tokens in 32 blocks of 16: 12 tokens of 2,048 bytes are lost.
        { ...cell, usedBytes: 1_024_000 }
      : cell,
  );
  const row = policiesSummary({ ...record, cells }).find(
    ({ policy, allocator }) => policy === 'paged' && allocator === 'bucket',
  );
  expect(row && blocksInUse({ ...record, cells }, row)).toEqual({ blocks: 32, lostBytes: 24_576 });
  const dynamic = policiesSummary(record)[0];
  expect(dynamic && blocksInUse(record, dynamic)).toBeNull();
});

it.each([
  [0.837, '0.84 ms'],
  [12.34, '12.3 ms'],
  [1912.4, '1,912 ms'],
])('%d ms is %s', (ms, text) => {
  expect(milliseconds(ms, 'en')).toBe(text);
});

it.each([
  [516, 64, '8.1'],
  [101, 100, '1.01'],
  [1200, 100, '12'],
])('%d is so many times %d: %s', (larger, smaller, text) => {
  expect(times(larger, smaller)).toBe(text);
});
