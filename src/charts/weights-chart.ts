/** Weights against cache of one model: a level line and a rising one, and the tokens at which they cross. */
import type { ChartDataset, Point } from 'chart.js';
import type { Span } from './axes';
import type { ChartText, ChartTheme } from './chart-text';
import { LEVEL_STYLES } from './level-style';
import { lineChart, POINT_RADIUS, type LineConfiguration } from './line-chart';

export interface Spot {
  x: number;
  y: number;
}

/** What one chart shows. Bytes at tokens in the cache, of all sequences together. */
export interface WeightsPicture {
  weightBytes: number;
  /** Points of the cache's line, ascending, from the left end of the axis to the right one. */
  line: Spot[];
  /** Tokens at which cache and weights are equal; null when they never are. */
  crossing: number | null;
  /** Tokens that one sequence has at most; null without a limit. */
  maxPositions: number | null;
  /** Measured tensor bytes of one sequence. */
  measured: Spot[];
  /** Axes that all charts of a view share. */
  x: Span;
  y: Span;
}

/** The words of this chart that the others do not have. */
export interface WeightsText {
  weights: string;
  /** The cache within the maximum position, and beyond it. */
  oneSequence: string;
  severalSequences: string;
  crossing: string;
  axis: string;
}

/**
 * Both axes logarithmic. The cache's line is drawn as the formula's; beyond the model's maximum position, where only several
 * sequences get, it is dotted.
 */
export function weightsChart(
  { weightBytes, line, crossing, maxPositions, measured, x, y }: WeightsPicture,
  theme: ChartTheme,
  text: ChartText,
  words: WeightsText,
): LineConfiguration {
  const within = line.filter((point) => point.x <= (maxPositions ?? Infinity));
  const last = within.at(-1);
  const beyond = line.filter((point) => last === undefined || point.x >= last.x);
  const formula = LEVEL_STYLES.formula;
  const plain = { pointRadius: 0, pointHoverRadius: 0, spanGaps: false, borderWidth: 2 };
  const datasets: ChartDataset<'line', Point[]>[] = [
    {
      ...plain,
      label: words.weights,
      data: line.map((point) => ({ x: point.x, y: weightBytes })),
      borderColor: theme.ink,
      pointStyle: 'line',
      borderWidth: 3,
    },
    {
      ...plain,
      label: words.oneSequence,
      data: within,
      borderColor: theme.levels.formula,
      borderDash: [...formula.dash],
      pointStyle: formula.pointStyle,
      // The end of the line within the maximum position is marked.
      pointRadius: within.map((_, index) =>
        index === within.length - 1 && beyond.length > 1 ? POINT_RADIUS + 1 : 0,
      ),
      pointBackgroundColor: theme.levels.formula,
    },
  ];
  if (beyond.length > 1) {
    datasets.push({
      ...plain,
      label: words.severalSequences,
      data: beyond,
      borderColor: theme.levels.formula,
      borderDash: [1, 4],
      pointStyle: 'line',
    });
  }
  if (measured.length > 0) {
    datasets.push({
      ...plain,
      label: text.levels.tensor,
      data: measured,
      showLine: false,
      borderColor: theme.levels.tensor,
      pointStyle: LEVEL_STYLES.tensor.pointStyle,
      pointBackgroundColor: theme.levels.tensor,
      pointRadius: POINT_RADIUS,
      clip: 2 * POINT_RADIUS,
    });
  }
  if (crossing !== null) {
    datasets.push({
      ...plain,
      label: words.crossing,
      data: [{ x: crossing, y: weightBytes }],
      showLine: false,
      borderColor: theme.levels.resident,
      pointStyle: 'crossRot',
      pointBorderWidth: 3,
      pointRadius: POINT_RADIUS + 4,
      order: -1,
    });
  }
  return lineChart(
    {
      datasets,
      x: { span: x, logarithmic: true, widen: true, title: words.axis },
      y: { span: y, logarithmic: true, title: text.bytes },
    },
    theme,
    text,
  );
}
