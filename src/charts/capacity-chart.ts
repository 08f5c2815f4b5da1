/** Sessions by context length, one line a model: told apart by colour, dash and the shape of the points. */
import type { ChartDataset, Point } from 'chart.js';
import { spanOf, wantsLogarithmic } from './axes';
import type { ChartText, ChartTheme } from './chart-text';
import { LEVEL_STYLES, LEVELS } from './level-style';
import { lineChart, POINT_RADIUS, type LineConfiguration } from './line-chart';

export interface CapacityPicture {
  models: {
    name: string;
    /** Tokens of a session, and sessions that fit; ascending. */
    points: { x: number; y: number }[];
  }[];
}

export interface CapacityChartText {
  sessions: string;
  context: string;
}

/** The context on a logarithmic axis; sessions too where they are far apart. */
export function capacityChart(
  { models }: CapacityPicture,
  theme: ChartTheme,
  text: ChartText,
  words: CapacityChartText,
): LineConfiguration {
  const points = models.flatMap((model) => model.points);
  const x = spanOf(points.map((point) => point.x));
  const y = spanOf(points.map((point) => point.y));
  const logarithmic = wantsLogarithmic(y);
  const span = y === null ? null : { min: logarithmic ? y.min : 0, max: y.max };
  return lineChart(
    {
      datasets: models.map((model, index) => line(model, index, theme)),
      x: { span: x, logarithmic: true, widen: true },
      y: { span, logarithmic, title: words.sessions, counts: true },
    },
    theme,
    { ...text, tokens: words.context },
  );
}

function line(
  { name, points }: CapacityPicture['models'][number],
  index: number,
  theme: ChartTheme,
): ChartDataset<'line', Point[]> {
  // The levels' styles serve as four distinct ones here; from the fifth model on the points are hollow.
  const level = LEVELS[(index + 1) % LEVELS.length] ?? 'tensor';
  const { dash, pointStyle } = LEVEL_STYLES[level];
  const colour = theme.levels[level];
  return {
    label: name,
    data: points,
    borderColor: colour,
    borderWidth: 2,
    borderDash: [...dash],
    pointStyle,
    pointBorderColor: colour,
    pointBackgroundColor: index < LEVELS.length ? colour : theme.background,
    pointRadius: POINT_RADIUS,
    pointHoverRadius: POINT_RADIUS + 2,
    spanGaps: false,
    clip: 2 * POINT_RADIUS,
  };
}
