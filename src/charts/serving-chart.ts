/** Pools that requests share: what each one holds on average, as stacked bars, and how full each one is over the steps. */
import type { Chart, ChartDataset, Plugin, Point } from 'chart.js';
import type { ServingSystem } from '../protocol/serving';
import { spanOf, axis } from './axes';
import type { BarsConfiguration } from './bars-chart';
import type { ChartTheme } from './chart-text';
import { legend, POINT_RADIUS, type LineConfiguration } from './line-chart';

/** What a row of a pool is: holds a token; will before its request ends; never will; not handed out. In the order of the bars. */
export const POOL_PARTS = ['used', 'reserved', 'wasted', 'free'] as const;
export type PoolPart = (typeof POOL_PARTS)[number];

/** Shares of a pool, together 1. */
export type PoolShares = Record<PoolPart, number>;

export interface ServingBar {
  /** Its name, in the lines under each other that it is written in. */
  name: string[];
  /** Null where nothing was measured while requests waited: a gap. */
  shares: PoolShares | null;
}

export interface ServingBarsText {
  axis: string;
  part: (part: PoolPart) => string;
  /** The sign of a part, before its share in the bar: colour is never the only sign. */
  sign: (part: PoolPart) => string;
  percent: (share: number) => string;
}

/** Colours of the parts but `used`, which has that of the level. */
export const PART_COLOURS = ['--serving-reserved', '--serving-wasted', '--serving-free'] as const;
/** Parts whose colour is dark on light paper and light on dark, so that the paper's own colour is read on it. */
const STRONG: readonly PoolPart[] = ['used', 'reserved'];
/** CSS pixels around the text of a bar's part. */
const TEXT_MARGIN = 6;

/** @param colours resolved from {@link PART_COLOURS}. */
export function servingBarsChart(
  bars: readonly ServingBar[],
  theme: ChartTheme,
  words: ServingBarsText,
  colours: readonly string[],
): BarsConfiguration {
  const fills = [theme.levels.used, ...colours];
  const label = (part: PoolPart): string => `${words.sign(part)} ${words.part(part)}`;
  const datasets = POOL_PARTS.map((part, index): ChartDataset<'bar', Point[]> => ({
    type: 'bar',
    label: label(part),
    // Lying bars: the share is x, the pool is y. What is unknown is a gap.
    data: bars.map(({ shares }, y) => ({ x: shares?.[part] ?? NaN, y })),
    backgroundColor: fills[index] ?? theme.grid,
    borderColor: theme.ink,
    borderWidth: 1,
    borderSkipped: false,
    maxBarThickness: 44,
  }));
  return {
    type: 'bar',
    data: { labels: bars.map(({ name }) => name), datasets },
    plugins: [partLabels(theme, words)],
    options: {
      indexAxis: 'y',
      animation: false,
      parsing: false,
      normalized: true,
      responsive: true,
      maintainAspectRatio: false,
      interaction: { mode: 'index', axis: 'y', intersect: false },
      scales: {
        x: { ...shareAxis(words.axis, words.percent, theme), stacked: true },
        y: {
          type: 'category',
          stacked: true,
          grid: { display: false },
          border: { color: theme.grid },
          ticks: { color: theme.ink, autoSkip: false },
        },
      },
      plugins: {
        legend: { ...legend(theme), labels: { color: theme.ink, boxHeight: 10, boxWidth: 18 } },
        tooltip: {
          callbacks: {
            title: ([item]) => bars[item?.dataIndex ?? 0]?.name.join(' ') ?? '',
            label: ({ dataset, parsed }) => `${dataset.label ?? ''}: ${words.percent(parsed.x ?? 0)}`,
          },
        },
      },
    },
  };
}

/** Writes sign and share into every part of a bar that is wide enough for it. */
function partLabels(theme: ChartTheme, words: ServingBarsText): Plugin<'bar' | 'line'> {
  return {
    id: 'part-labels',
    afterDatasetsDraw: (chart: Chart<'bar' | 'line'>) => {
      const { ctx } = chart;
      ctx.save();
      ctx.textAlign = 'center';
      ctx.textBaseline = 'middle';
      ctx.font = '600 12px system-ui, sans-serif';
      POOL_PARTS.forEach((part, index) => {
        if (!chart.isDatasetVisible(index)) return;
        const points = chart.data.datasets[index]?.data as Point[];
        chart.getDatasetMeta(index).data.forEach((bar, at) => {
          const share = points[at]?.x ?? NaN;
          if (!(share > 0)) return;
          const { x, y, base } = bar.getProps(['x', 'y', 'base'], true) as {
            x: number;
            y: number;
            base: number;
          };
          const text = `${words.sign(part)} ${words.percent(share)}`;
          if (ctx.measureText(text).width + TEXT_MARGIN > Math.abs(x - base)) return;
          ctx.fillStyle = STRONG.includes(part) ? theme.background : theme.ink;
          ctx.fillText(text, (x + base) / 2, y);
        });
      });
      ctx.restore();
    },
  };
}

export interface ServingLine {
  system: ServingSystem;
  /** Step, and share of the pool's bytes that hold tokens; ascending. */
  points: { x: number; y: number }[];
}

export interface ServingLinesText {
  steps: string;
  share: string;
  name: (system: ServingSystem) => string;
  percent: (share: number) => string;
  formatInteger: (value: number) => string;
}

/** Colours of the systems, by their index in {@link LOOKS}; none is a byte level's. */
export const SYSTEM_COLOURS = ['--record-2', '--record-3', '--record-4', '--record-1'] as const;
const LOOKS: Readonly<
  Record<ServingSystem, { colour: number; dash: number[]; shape: string; width: number }>
> = {
  'reserve-max': { colour: 0, dash: [2, 3], shape: 'triangle', width: 2 },
  'reserve-pow2': { colour: 1, dash: [7, 5], shape: 'rect', width: 2 },
  'reserve-oracle': { colour: 2, dash: [10, 4, 2, 4], shape: 'rectRot', width: 2 },
  paged: { colour: 3, dash: [], shape: 'circle', width: 2.5 },
};

/** @param colours resolved from {@link SYSTEM_COLOURS}. */
export function servingLinesChart(
  lines: readonly ServingLine[],
  theme: ChartTheme,
  words: ServingLinesText,
  colours: readonly string[],
): LineConfiguration {
  const datasets = lines.map(({ system, points }): ChartDataset<'line', Point[]> => {
    const { colour: index, dash, shape, width } = LOOKS[system];
    const colour = colours[index] ?? theme.ink;
    return {
      label: words.name(system),
      data: points,
      borderColor: colour,
      borderWidth: width,
      borderDash: dash,
      pointStyle: shape,
      pointBorderColor: colour,
      pointBackgroundColor: colour,
      pointRadius: POINT_RADIUS,
      pointHoverRadius: POINT_RADIUS + 2,
      clip: 2 * POINT_RADIUS,
    };
  });
  const steps = spanOf([0, ...lines.flatMap(({ points }) => points.map(({ x }) => x))]);
  return {
    type: 'line',
    data: { datasets },
    options: {
      animation: false,
      parsing: false,
      normalized: true,
      responsive: true,
      maintainAspectRatio: false,
      interaction: { mode: 'nearest', axis: 'x', intersect: false },
      scales: {
        x: axis({
          span: steps,
          logarithmic: false,
          widen: false,
          title: words.steps,
          format: words.formatInteger,
          theme,
        }),
        y: shareAxis(words.share, words.percent, theme),
      },
      plugins: {
        legend: legend(theme),
        tooltip: {
          usePointStyle: true,
          callbacks: {
            title: ([item]) => `${words.steps}: ${words.formatInteger(item?.parsed.x ?? 0)}`,
            label: ({ dataset: { label }, parsed }) => `${label ?? ''}: ${words.percent(parsed.y ?? 0)}`,
          },
        },
      },
    },
  };
}

/** From nothing to all of a pool. */
function shareAxis(title: string, percent: (share: number) => string, theme: ChartTheme) {
  return {
    type: 'linear' as const,
    min: 0,
    max: 1,
    title: { display: true, text: title, color: theme.ink },
    grid: { color: theme.grid },
    border: { color: theme.grid },
    ticks: {
      color: theme.ink,
      maxRotation: 0,
      stepSize: 0.2,
      callback: (value: number | string) => percent(Number(Number(value).toFixed(1))),
    },
  };
}
