/** Bytes of a cache against its length, a line an engine: where windows fill, blocks round up and reservations lie idle. */
import type { ChartDataset, Point } from 'chart.js';
import { spanOf } from './axes';
import type { ChartText, ChartTheme } from './chart-text';
import { lineChart, type LineConfiguration } from './line-chart';

export interface EngineLine {
  name: string;
  /** Ascending tokens; bytes null where the engine refuses. */
  points: { tokens: number; bytes: number | null }[];
}

/** One look an engine, in their order: colour is never the only sign. Lines that lie on each other differ in width. */
const LOOKS = [
  { dash: [], width: 5, shape: 'circle' },
  { dash: [10, 5], width: 3, shape: 'rect' },
  { dash: [2, 4], width: 2.5, shape: 'triangle' },
  { dash: [12, 4, 2, 4], width: 2, shape: 'rectRot' },
  { dash: [5, 3], width: 1.5, shape: 'star' },
] as const;

/** CSS custom properties of the lines' colours. */
export const ENGINE_COLOURS = LOOKS.map((_, index) => `--record-${index + 1}`);
const POINT_RADIUS = 4;

/**
 * Both axes are logarithmic; a cache of no bytes is a gap.
 * @param colours resolved from {@link ENGINE_COLOURS}.
 */
export function engineChart(
  lines: readonly EngineLine[],
  theme: ChartTheme,
  text: ChartText,
  colours: readonly string[],
): LineConfiguration {
  const drawn = lines.map(({ name, points }) => ({
    name,
    points: points.map(({ tokens, bytes }) => ({
      x: tokens,
      y: bytes === null || bytes <= 0 ? null : bytes,
    })),
  }));
  const datasets = drawn.map(({ name, points }, index): ChartDataset<'line', Point[]> => {
    const look = LOOKS[index % LOOKS.length] ?? LOOKS[0];
    const colour = colours[index % LOOKS.length] ?? theme.ink;
    return {
      label: name,
      data: points,
      borderColor: colour,
      borderWidth: look.width,
      borderDash: [...look.dash],
      pointStyle: look.shape,
      pointBorderColor: colour,
      pointBackgroundColor: 'transparent',
      pointRadius: points.map((_, at) => (at % 4 === 0 ? POINT_RADIUS : 0)),
      pointHoverRadius: POINT_RADIUS + 2,
      spanGaps: false,
      clip: 2 * POINT_RADIUS,
      // Later engines are drawn over earlier ones, which are wider.
      order: lines.length - index,
    };
  });
  const axes = drawn.flatMap(({ points }) => points);
  const configuration = lineChart(
    {
      datasets,
      x: { span: spanOf(axes.map(({ x }) => x)), logarithmic: true, widen: true },
      y: { span: spanOf(axes.map(({ y }) => y)), logarithmic: true, title: text.bytes },
    },
    theme,
    text,
  );
  // In the engines' order, though later ones are drawn first.
  const { legend } = configuration.options?.plugins ?? {};
  if (legend) legend.reverse = true;
  return configuration;
}
