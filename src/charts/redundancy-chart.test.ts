/** The chart of R² by pair: what is drawn where, gaps, whiskers, the line of 0, the pair that is set apart. */
import type { Chart } from 'chart.js';
import { expect, it } from 'vitest';
import { sampleRedundancy, SAMPLE_PAIRS } from '../protocol/redundancy-record.fixture';
import type { PairResult } from '../redundancy/types';
import { chartPairs, redundancyChart, whiskers, type RedundancyChartText } from './redundancy-chart';
import { theme } from './testing.fixture';

const COLOURS = ['#0000ff', '#ff8800'];
const WORDS: RedundancyChartText = {
  pairAxis: 'pair',
  valueAxis: 'R2',
  line: (kind, shuffled) => (shuffled ? `${kind} shuffled` : kind),
  notAdjacent: 'apart',
  range: (mean, min, max) => `${String(mean)} (${String(min)} to ${String(max)})`,
};
const draw = (patch: Parameters<typeof sampleRedundancy>[0] = {}) =>
  redundancyChart(sampleRedundancy(patch), theme, WORDS, COLOURS);

/** What chart.js would make of an axis's ticks: values and their labels. */
function ticksOf(axis: unknown): { values: number[]; labels: unknown[] } {
  const { afterBuildTicks, ticks } = axis as {
    afterBuildTicks: (scale: { ticks: { value: number }[] }) => void;
    ticks: { callback: (value: number) => unknown };
  };
  const scale = { ticks: [] as { value: number }[] };
  afterBuildTicks(scale);
  const values = scale.ticks.map(({ value }) => value);
  return { values, labels: values.map((value) => ticks.callback(value)) };
}

it('draws keys, values and their controls, each with its own sign', () => {
  const { data } = draw();
  expect(data.datasets.map(({ label }) => label)).toEqual(['K', 'V', 'K shuffled', 'V shuffled']);
  expect(data.datasets.map(({ data: points }) => points.map(({ y }) => y))).toEqual([
    [0.34, 0.69, 0.32],
    [0.29, 0.6, 0.22],
    [-0.1, -0.08, -0.11],
    [-0.1, -0.09, -0.1],
  ]);
  const signs = data.datasets.map(({ pointStyle, pointBackgroundColor, borderDash }) =>
    JSON.stringify([pointStyle, pointBackgroundColor === theme.background, borderDash]),
  );
  expect(new Set(signs).size).toBe(4);
  expect(data.datasets.map(({ borderColor }) => borderColor)).toEqual([...COLOURS, ...COLOURS]);
});

it('sets the pair that is not adjacent apart, without a line to it', () => {
  const { data, options } = draw();
  expect(ticksOf(options?.scales?.['x'])).toEqual({
    values: [0, 1, 2.5],
    labels: ['3→7', '7→11', ['3→11', 'apart']],
  });
  const { borderColor: line } = data.datasets[0]?.segment as unknown as {
    borderColor: (at: { p1DataIndex: number }) => string | undefined;
  };
  expect([line({ p1DataIndex: 1 }), line({ p1DataIndex: 2 })]).toEqual([undefined, 'transparent']);
});

it('has the documents’ smallest and largest as whiskers', () => {
  const [k] = draw().data.datasets;
  expect(k?.data[1]).toMatchObject({ y: 0.69, min: 0.6, max: 0.75 });
});

it('never draws what is not known as 0', () => {
  const [first, ...others] = SAMPLE_PAIRS;
  const unknown = { mean: null, min: null, max: null, perDocument: [null, null, null, null] };
  const nan = { mean: NaN, min: NaN, max: NaN, perDocument: [NaN] };
  const pairs = [{ ...first, r2: unknown, shuffled: nan } as PairResult, ...others];
  const { data } = draw({ pairs });
  expect(data.datasets[0]?.data[0]).toMatchObject({ y: null, min: null, max: null });
  expect(data.datasets[2]?.data[0]).toMatchObject({ y: null, min: null, max: null });
  // A kind whose pair has not come yet is a gap as well.
  const coming = draw({ pairs: SAMPLE_PAIRS.slice(0, 3) });
  expect(coming.data.datasets[1]?.data.map(({ y }) => y)).toEqual([0.29, null]);
});

it('has an axis of whole tenths around all whiskers, with a stronger line at 0', () => {
  const y = draw().options?.scales?.['y'];
  // -0.22 to 0.75
  expect(y).toMatchObject({ min: -0.4, max: 0.8 });
  expect(ticksOf(y).values).toEqual([-0.4, -0.2, 0, 0.2, 0.4, 0.6, 0.8]);
  const { color, lineWidth } = (y as { grid: Record<'color' | 'lineWidth', (of: unknown) => unknown> }).grid;
  expect([0, 0.2].map((value) => color({ tick: { value } }))).toEqual([theme.ink, theme.grid]);
  expect([0, 0.2].map((value) => lineWidth({ tick: { value } }))).toEqual([2, 1]);
});

it('shows the article’s failure whole: a control of -1.3', () => {
  const pairs = SAMPLE_PAIRS.map((pair) => ({
    ...pair,
    shuffled: { mean: -1.3, min: -1.62, max: -1.1, perDocument: [-1.1, -1.62, -1.2, -1.28] },
  }));
  expect(draw({ pairs }).options?.scales?.['y']).toMatchObject({ min: -2, max: 1 });
});

it('shows adjacent pairs and first to last of a run of all pairs', () => {
  const back = SAMPLE_PAIRS.map((pair) => ({ ...pair, from: pair.to, to: pair.from, adjacent: false }));
  const shown = chartPairs(sampleRedundancy({ pairs: [...back, ...SAMPLE_PAIRS] }));
  expect(shown.map(({ from, to, kind }) => `${String(from)} ${String(to)} ${kind}`)).toEqual([
    '3 7 K',
    '3 7 V',
    '7 11 K',
    '7 11 V',
    '3 11 K',
    '3 11 V',
  ]);
});

it('draws axes where there is nothing to draw', () => {
  const { data, options } = draw({ pairs: [] });
  expect(data.datasets.every(({ data: points }) => points.length === 0)).toBe(true);
  expect(options?.scales?.['y']).toMatchObject({ min: 0 });
});

it('draws whiskers of visible lines only, and none where there is no range', () => {
  const { data } = draw({ pairs: SAMPLE_PAIRS.slice(0, 3) });
  const lines: number[][] = [];
  let at: number[] = [];
  const ctx = {
    save: () => undefined,
    restore: () => undefined,
    beginPath: () => undefined,
    stroke: () => undefined,
    moveTo: (...point: number[]) => {
      at = point;
    },
    lineTo: (...point: number[]) => {
      lines.push([...at, ...point]);
    },
  };
  const chart = {
    ctx,
    data,
    scales: { y: { getPixelForValue: (value: number) => 100 * value } },
    isDatasetVisible: (index: number) => index === 1,
    getDatasetMeta: () => ({ data: [{ x: 10 }, { x: 20 }] }),
  } as unknown as Chart<'line'>;
  whiskers.beforeDatasetsDraw?.(chart, { cancelable: true }, {});
  // V of 3→7, from 0.25 to 0.33; V of 7→11 has not come yet.
  expect(lines).toEqual([
    [6, 25, 14, 25],
    [10, 25, 10, 33],
    [6, 33, 14, 33],
  ]);
});
