/** What the charts of lines share: lines of a level's style, gaps for null, tooltips with exact integers. */
import type { ChartConfiguration, ChartDataset, Point } from 'chart.js';
import { axis, type Span } from './axes';
import type { ChartText, ChartTheme } from './chart-text';
import { LEVEL_STYLES, type Level } from './level-style';
import type { LevelRow, Series } from './rows';

export type LineConfiguration = ChartConfiguration<'line', Point[]>;

/** Line widths (CSS pixels) of the first, second and further models: told apart also without colour. */
const WIDTHS = [2.5, 1.75, 1.25] as const;
export const POINT_RADIUS = 4;
/** Points of a line that get a shape; a longer line has one at every so many points. */
const MOST_SHAPES = 24;

interface Line {
  level: Level;
  /** What the line is called, before the model. */
  name: string;
  /** Index of its series. */
  index: number;
  points: Point[];
}

/** The dataset of one line. Further series are thinner and have hollow points. */
export function dataset(line: Line, series: readonly Series<LevelRow>[], theme: ChartTheme, text: ChartText) {
  const style = LEVEL_STYLES[line.level];
  const of = series[line.index];
  const colour = theme.levels[line.level];
  const suffix = of && series.length > 1 ? ` · ${[text.modelName(of.model), ...of.traits].join(', ')}` : '';
  const every = Math.max(1, Math.ceil(line.points.length / MOST_SHAPES));
  const radius = (index: number): number => (index % every === 0 ? POINT_RADIUS : 0);
  return {
    label: line.name + suffix,
    data: line.points,
    borderColor: colour,
    borderWidth: WIDTHS[Math.min(line.index, WIDTHS.length - 1)] ?? 1,
    borderDash: [...style.dash],
    pointStyle: style.pointStyle,
    pointBorderColor: colour,
    pointBackgroundColor: line.index === 0 ? colour : theme.background,
    pointRadius: line.points.map((_, index) => radius(index)),
    pointHoverRadius: POINT_RADIUS + 2,
    spanGaps: false,
    // Points at the edge of the chart are drawn whole.
    clip: 2 * POINT_RADIUS,
    // The formula lies on the tensor bytes where both are equal: its dashes are drawn over the solid line.
    order: line.level === 'formula' ? 0 : 1,
  } satisfies ChartDataset<'line', Point[]>;
}

interface Shape {
  datasets: ChartDataset<'line', Point[]>[];
  x: { span: Span | null; logarithmic: boolean; widen: boolean; title?: string };
  /** `counts`: of something else than bytes. */
  y: { span: Span | null; logarithmic: boolean; title: string; counts?: boolean };
}

/** The legend of every chart: below it, with the shapes of the points. */
export function legend(theme: ChartTheme) {
  return {
    position: 'bottom' as const,
    labels: { color: theme.ink, usePointStyle: true, boxHeight: 8 },
  };
}

/** The configuration around the lines. Data come as `{ x, y }` in order, so nothing is parsed and nothing is animated. */
export function lineChart(
  { datasets, x, y: { counts = false, ...y } }: Shape,
  theme: ChartTheme,
  text: ChartText,
): LineConfiguration {
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
        x: axis({ ...x, title: x.title ?? text.tokens, format: text.formatInteger, theme }),
        y: axis({ ...y, widen: true, format: counts ? text.formatInteger : text.formatBytes, theme }),
      },
      plugins: {
        legend: legend(theme),
        tooltip: {
          usePointStyle: true,
          callbacks: {
            title: ([item]) => `${text.tokens}: ${text.formatInteger(item?.parsed.x ?? 0)}`,
            label: ({ dataset: { label }, parsed }) => {
              const value = parsed.y ?? 0;
              const inUnits = counts ? '' : ` (${text.formatBytes(value)})`;
              return `${label ?? ''}: ${text.formatInteger(value)}${inUnits}`;
            },
          },
        },
      },
    },
  };
}
