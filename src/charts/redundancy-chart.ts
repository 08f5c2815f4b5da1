/** R² by pair of layers: keys, values and their shuffled controls on the same axes, with whiskers over the documents. */
import type { Chart, ChartDataset, Plugin, Point } from 'chart.js';
import type { RedundancyResult } from '../protocol/redundancy';
import type { Kind, PairResult, Spread } from '../redundancy/types';
import { spanOf, type Span } from './axes';
import type { ChartTheme } from './chart-text';
import { legend, POINT_RADIUS, type LineConfiguration } from './line-chart';

/** A mean with the smallest and the largest of its documents; the point is a gap where there is no mean. */
interface RangePoint extends Point {
  y: number | null;
  min: number | null;
  max: number | null;
}

export interface RedundancyChartText {
  pairAxis: string;
  valueAxis: string;
  /** Names of the lines. */
  line: (kind: Kind, shuffled: boolean) => string;
  /** Under the pair that is set apart. */
  notAdjacent: string;
  /** A mean with its ends, for the tooltip. */
  range: (mean: number, min: number | null, max: number | null) => string;
}

/** Signs of the lines: keys and values differ in dash and shape, controls are hollow and thin. */
const LOOKS = {
  K: { dash: [], shape: 'circle', shift: -0.09 },
  V: { dash: [7, 5], shape: 'rect', shift: 0.09 },
} as const;
const KINDS: readonly Kind[] = ['K', 'V'];
/** CSS custom properties of the colours of keys and values. */
export const KIND_COLOURS = ['--kind-k', '--kind-v'] as const;
/** How far a pair that is not adjacent stands from the last adjacent one. */
const APART = 1.5;
const WHISKER = 4;

/** The pairs that the chart shows, in order: adjacent ones, then the first layer with the last. */
export function chartPairs({ layers, pairs }: Pick<RedundancyResult, 'layers' | 'pairs'>): PairResult[] {
  const [first] = layers;
  const last = layers.at(-1);
  const shown = pairs.filter(({ adjacent, from, to }) => adjacent || (from === first && to === last));
  return shown.sort((a, b) => Number(b.adjacent) - Number(a.adjacent) || a.from - b.from);
}

/** Where a pair stands on the axis of pairs: adjacent ones at 0, 1, 2 …, the one that is not adjacent apart from them. */
function placesOf(pairs: readonly PairResult[]): { x: number; label: string; adjacent: boolean }[] {
  const places = new Map<string, { x: number; label: string; adjacent: boolean }>();
  let next = 0;
  for (const { from, to, adjacent } of pairs) {
    const label = pairName({ from, to });
    if (places.has(label)) continue;
    if (!adjacent && places.size > 0) next += APART - 1;
    places.set(label, { x: next, label, adjacent });
    next += 1;
  }
  return [...places.values()];
}

export function pairName({ from, to }: Pick<PairResult, 'from' | 'to'>): string {
  return `${String(from)}→${String(to)}`;
}

/**
 * Points are means over documents. R² that is not known (no variance, not yet there) is a gap, never 0.
 * @param colours resolved from {@link KIND_COLOURS}.
 */
export function redundancyChart(
  result: Pick<RedundancyResult, 'layers' | 'pairs'>,
  theme: ChartTheme,
  words: RedundancyChartText,
  colours: readonly string[],
): LineConfiguration {
  const pairs = chartPairs(result);
  const places = placesOf(pairs);
  const lines = [false, true].flatMap((shuffled) => KINDS.map((kind) => ({ kind, shuffled })));
  const datasets = lines.map(({ kind, shuffled }) => {
    const points = places.map((place) => {
      const pair = pairs.find((one) => one.kind === kind && pairName(one) === place.label);
      return pointOf(
        place.x + LOOKS[kind].shift,
        pair === undefined ? null : pair[shuffled ? 'shuffled' : 'r2'],
      );
    });
    return dataset(points, {
      label: words.line(kind, shuffled),
      colour: colours[KINDS.indexOf(kind)] ?? theme.ink,
      look: LOOKS[kind],
      shuffled,
      // The line joins adjacent pairs only.
      until: places.findIndex(({ adjacent }) => !adjacent),
      background: theme.background,
    });
  });
  const ends = datasets.flatMap(({ data }) => data.flatMap(({ y, min, max }) => [y, min, max]));
  return {
    type: 'line',
    data: { datasets },
    plugins: [whiskers],
    options: {
      animation: false,
      parsing: false,
      normalized: true,
      responsive: true,
      maintainAspectRatio: false,
      interaction: { mode: 'nearest', axis: 'xy', intersect: false },
      scales: {
        x: {
          type: 'linear',
          min: -0.5,
          max: (places.at(-1)?.x ?? 0) + 0.5,
          title: { display: true, text: words.pairAxis, color: theme.ink },
          grid: { display: false },
          border: { color: theme.grid },
          ticks: {
            color: theme.ink,
            maxRotation: 0,
            autoSkipPadding: 6,
            callback: (value) => {
              const place = places.find(({ x }) => x === Number(value));
              if (place === undefined) return '';
              return place.adjacent ? place.label : [place.label, words.notAdjacent];
            },
          },
          afterBuildTicks: (scale) => {
            scale.ticks = places.map(({ x }) => ({ value: x }));
          },
        },
        y: valueAxis(spanOf([0, ...ends]), words.valueAxis, theme),
      },
      plugins: {
        legend: legend(theme),
        tooltip: {
          usePointStyle: true,
          callbacks: {
            title: ([item]) =>
              places.find(({ x }) => Math.abs(x - (item?.parsed.x ?? NaN)) < 0.5)?.label ?? '',
            label: ({ dataset: { label }, raw }) => {
              const { y, min, max } = raw as RangePoint;
              return y === null ? '' : `${label ?? ''}: ${words.range(y, min, max)}`;
            },
          },
        },
      },
    },
  };
}

function pointOf(x: number, spread: Spread | null): RangePoint {
  const known = (value: number | null | undefined): number | null =>
    value != null && Number.isFinite(value) ? value : null;
  const y = known(spread?.mean);
  return y === null
    ? { x, y, min: null, max: null }
    : { x, y, min: known(spread?.min), max: known(spread?.max) };
}

interface Look {
  label: string;
  colour: string;
  look: (typeof LOOKS)[Kind];
  shuffled: boolean;
  /** Index of the first point to which no line leads; -1 where all are joined. */
  until: number;
  background: string;
}

function dataset(points: RangePoint[], { label, colour, look, shuffled, until, background }: Look) {
  return {
    label,
    data: points,
    borderColor: colour,
    borderWidth: shuffled ? 1 : 2,
    borderDash: shuffled ? [1, 4] : [...look.dash],
    pointStyle: look.shape,
    pointBorderColor: colour,
    pointBackgroundColor: shuffled ? background : colour,
    pointRadius: POINT_RADIUS,
    pointHoverRadius: POINT_RADIUS + 2,
    spanGaps: false,
    clip: 2 * POINT_RADIUS,
    segment: {
      borderColor: ({ p1DataIndex }) => (until >= 0 && p1DataIndex >= until ? 'transparent' : undefined),
    },
  } satisfies ChartDataset<'line', Point[]>;
}

/** Distances of ticks of R². */
const STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000] as const;
const MOST_TICKS = 9;

/** The axis of R²: from whole steps below the smallest value to whole ones above the largest; the line of 0 is drawn stronger. */
function valueAxis(known: Span | null, title: string, theme: ChartTheme) {
  const span = { min: known?.min ?? 0, max: Math.max(known?.max ?? 0, 0.1) };
  const step = STEPS.find((one) => (span.max - span.min) / one <= MOST_TICKS) ?? span.max - span.min;
  const first = Math.floor(span.min / step + 1e-9);
  const last = Math.ceil(span.max / step - 1e-9);
  // A multiple of a decimal step is rounded back to it: 3 x 0.1 is not 0.3.
  const at = (index: number): number => Number((index * step).toFixed(4));
  const values = Array.from({ length: last - first + 1 }, (_, index) => at(first + index));
  const isZero = (value: number | undefined): boolean => value === 0;
  return {
    type: 'linear' as const,
    min: at(first),
    max: at(last),
    title: { display: true, text: title, color: theme.ink },
    border: { color: theme.grid },
    grid: {
      color: ({ tick }: { tick?: { value: number } }) => (isZero(tick?.value) ? theme.ink : theme.grid),
      lineWidth: ({ tick }: { tick?: { value: number } }) => (isZero(tick?.value) ? 2 : 1),
    },
    ticks: { color: theme.ink, callback: (value: number | string) => String(Number(value)) },
    afterBuildTicks: (scale: { ticks: { value: number }[] }) => {
      scale.ticks = values.map((value) => ({ value }));
    },
  };
}

/** Whiskers from the smallest to the largest document, under the points; none where a line is switched off. */
export const whiskers: Plugin<'line'> = {
  id: 'whiskers',
  beforeDatasetsDraw: (chart: Chart<'line'>) => {
    const { ctx } = chart;
    const y = chart.scales['y'];
    if (y === undefined) return;
    ctx.save();
    for (const [index, { data, borderColor }] of chart.data.datasets.entries()) {
      if (!chart.isDatasetVisible(index)) continue;
      ctx.strokeStyle = typeof borderColor === 'string' ? borderColor : 'gray';
      ctx.lineWidth = 1.5;
      ctx.beginPath();
      const drawn = chart.getDatasetMeta(index).data;
      for (const [at, point] of (data as RangePoint[]).entries()) {
        const x = drawn[at]?.x;
        if (x === undefined || point.min === null || point.max === null) continue;
        const [low, high] = [y.getPixelForValue(point.min), y.getPixelForValue(point.max)];
        ctx.moveTo(x - WHISKER, low);
        ctx.lineTo(x + WHISKER, low);
        ctx.moveTo(x, low);
        ctx.lineTo(x, high);
        ctx.moveTo(x - WHISKER, high);
        ctx.lineTo(x + WHISKER, high);
      }
      ctx.stroke();
    }
    ctx.restore();
  },
};
