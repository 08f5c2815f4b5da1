/** The serving report's sentences, numbers and pictures, from a record with literals. */
import { beforeAll, describe, expect, it } from 'vitest';
import { servingBarsChart, servingLinesChart } from '../../charts/serving-chart';
import { theme } from '../../charts/testing.fixture';
import { loadCatalog, loadPart, t } from '../../i18n';
import { formatInteger } from '../../protocol/format';
import { defaultRecipe, type Lang } from '../../protocol/recipe';
import { SAMPLE_RUNS, sampleServing } from '../../protocol/serving-record.fixture';
import type { ServingRun } from '../../protocol/serving';
import { halves, servingBars, servingBarsText, servingLines, servingLinesText } from './chart-text';
import { besidePaper, meansOf } from './numbers';
import { verdictSentences } from './sentences';
import type { ServingWords } from './words';

const words = (lang: Lang): ServingWords => ({
  tr: (key, params) => t(lang, key, params),
  int: (value) => formatInteger(value, lang),
});
const en = words('en');

beforeAll(async () => {
  await loadCatalog('ko');
  for (const lang of ['en', 'ko'] as const)
    for (const part of ['report', 'serving'] as const) await loadPart(lang, part);
});

const only = (...systems: string[]): ServingRun[] =>
  SAMPLE_RUNS.filter(({ system }) => systems.includes(system));
/** A run during which nobody had to wait. */
const idle = (run: ServingRun): ServingRun => ({
  ...run,
  utilisation: null,
  insideUse: null,
  samples: run.samples.map((sample) => ({ ...sample, waiting: 0 })),
});

const END = { running: false, ofPaper: true };

describe('the verdict', () => {
  it('says what filled the pools beside the paper, and how many requests that is', () => {
    // Means by hand: running 38.5 = (41 + 36) / 2 beside 8 = (8 + 8) / 2.
    expect(verdictSentences(sampleServing(), en, END)).toEqual([
      'Tokens filled 95.4 % of the pool that is given out in blocks of 16 tokens, and 23.5 to 40.1 % of the pools that are reserved in one piece.',
      'The PagedAttention paper reports 96.3 % for blocks and 20.4 to 38.2 % for reservations.',
      'In the same bytes, 38.5 requests ran at one time with blocks and 8.0 with a reservation for the longest (means): 4.8 times as many.',
    ]);
    expect(verdictSentences(sampleServing(), words('ko'), END)).toEqual([
      '16토큰 블록으로 나누어 주는 풀은 95.4%가, 한 덩어리로 예약하는 풀은 23.5~40.1%가 토큰으로 찼습니다.',
      'PagedAttention 논문은 블록 96.3%, 예약 20.4~38.2%로 보고합니다.',
      '같은 바이트에서 한 번에 도는 요청은 블록이면 38.5개, 최대 길이로 예약하면 8.0개였습니다(평균). 4.8배입니다.',
    ]);
  });

  it('says no more than what was measured', () => {
    const first = (runs: ServingRun[], running = false) =>
      verdictSentences(sampleServing({ runs }), en, { ...END, running });
    expect(first(only('paged'))[0]).toBe(
      'Tokens filled 95.4 % of the pool that is given out in blocks of 16 tokens.',
    );
    expect(first(only('reserve-max'))[0]).toBe(
      'Tokens filled 23.5 % of the pools that are reserved in one piece.',
    );
    expect(first(only('paged'))).toHaveLength(2);
    expect(first(SAMPLE_RUNS.map(idle))).toEqual([
      'Nothing can be said: the pool was never full while it was looked at, so nobody waited. Choose more requests or a smaller pool.',
    ]);
    expect(first([], true)).toEqual(['No system has run to its end yet.']);
  });
});

it('leaves the paper out beside other lengths than its own', () => {
  const sentences = verdictSentences(sampleServing(), en, { ...END, ofPaper: false });
  expect(sentences).toHaveLength(2);
  expect(sentences.join()).not.toContain('paper');
  const { serving } = defaultRecipe('serving');
  expect(serving && besidePaper({ serving })).toBe(true);
  expect(serving && besidePaper({ serving: { ...serving, lengths: 'alpaca' } })).toBe(false);
});

describe('means while requests wait', () => {
  it('are shares of the pool that make up all of it', () => {
    const [max, pow2, oracle, paged] = meansOf(sampleServing());
    // (10,686 + 11,308) / 2 of 16,384 are never used; nothing is free.
    expect(max?.shares).toEqual({
      used: 0.235260009765625,
      reserved: 0.093536376953125,
      wasted: 0.67120361328125,
      free: 0,
    });
    // (2,048 + 512) / 2 of 16,384 are not handed out.
    expect(oracle?.shares?.free).toBe(0.078125);
    expect([max, pow2, oracle, paged].map((one) => one?.running)).toEqual([8, 11, 13, 38.5]);
    expect(paged?.samples).toBe(2);
  });

  it('are unknown where nobody waited, and missing where a system was not run', () => {
    const [paged, ...more] = meansOf(sampleServing({ runs: only('paged').map(idle) }));
    expect(paged).toMatchObject({ system: 'paged', shares: null, running: null, samples: 0 });
    expect(more).toEqual([]);
  });
});

describe('the pictures', () => {
  it('stack the parts of each pool, with a sign each', () => {
    const result = sampleServing();
    const { data, options } = servingBarsChart(servingBars(result, en.tr), theme, servingBarsText(en.tr), [
      '#aa0000',
      '#00aa00',
      '#0000aa',
    ]);
    expect(data.labels).toEqual([
      ['Reserved for', 'the longest'],
      ['Reserved to a', 'power of two'],
      ['Reserved for', 'the true length'],
      ['Blocks as', 'tokens come'],
    ]);
    expect(data.datasets.map(({ label }) => label)).toEqual([
      '① holds tokens',
      '② reserved for later',
      '③ never used inside',
      '④ free, but unusable',
    ]);
    expect(data.datasets.map(({ data: points }) => points[2])).toEqual([
      { x: 0.400543212890625, y: 2 },
      { x: 0.207275390625, y: 2 },
      { x: 0.314056396484375, y: 2 },
      { x: 0.078125, y: 2 },
    ]);
    expect(options?.scales?.['x']).toMatchObject({ stacked: true, min: 0, max: 1 });
    expect(data.datasets[0]?.backgroundColor).toBe(theme.levels.used);
  });

  it('leave a gap for what was not measured', () => {
    const result = sampleServing({ runs: only('paged').map(idle) });
    const { data } = servingBarsChart(servingBars(result, en.tr), theme, servingBarsText(en.tr), []);
    expect(data.datasets.map(({ data: points }) => points)).toEqual(
      Array.from({ length: 4 }, () => [{ x: NaN, y: 0 }]),
    );
  });

  it('draw each system in a look of its own, by bytes that were read', () => {
    const { data, options } = servingLinesChart(servingLines(sampleServing()), theme, servingLinesText(en), [
      '#1',
      '#2',
      '#3',
      '#4',
    ]);
    expect(data.datasets[3]?.data.map(({ x, y }) => [x, y])).toEqual([
      [212, 0.9320068359375],
      [721, 0.9765625],
      [1994, 0.07666015625],
    ]);
    const looks = data.datasets.map(({ borderDash, pointStyle }) => JSON.stringify([borderDash, pointStyle]));
    expect(new Set(looks).size).toBe(4);
    expect(options?.scales?.['y']).toMatchObject({ min: 0, max: 1 });
  });

  it('break a name in two lines where it has a space', () => {
    expect(halves('블록')).toEqual(['블록']);
    expect(halves('토큰이 올 때마다 블록')).toEqual(['토큰이 올', '때마다 블록']);
  });
});
