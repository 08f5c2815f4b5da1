/** The length chart: formula, tensor, resident and device bytes against tokens, for each model. */
import type { LabRecord } from '../protocol/record';
import { spanOf, wantsLogarithmic } from './axes';
import type { ChartText, ChartTheme } from './chart-text';
import { LEVELS } from './level-style';
import { dataset, lineChart, type LineConfiguration } from './line-chart';
import { chartRows, seriesOf } from './rows';

/**
 * Both axes are linear from 0, or both logarithmic when the lengths spread over a factor of 16: then what is
 * proportional to the tokens stays a straight line. Skipped and unmeasured points are gaps; a level that was measured
 * nowhere has no line.
 */
export function lengthChart(record: LabRecord, theme: ChartTheme, text: ChartText): LineConfiguration {
  const series = seriesOf(chartRows(record).length);
  const drawn = series.flatMap(({ rows }) =>
    rows.filter((row) => LEVELS.some((level) => row.levels[level] !== null)),
  );
  const tokens = spanOf(drawn.map((row) => row.tokens));
  const logarithmic = wantsLogarithmic(tokens);
  // No logarithm of 0: such a point is a gap there.
  const y = (value: number | null): number | null =>
    logarithmic && value !== null && value <= 0 ? null : value;
  const lines = series
    .flatMap(({ rows }, index) =>
      LEVELS.map((level) => ({
        level,
        index,
        name: text.levels[level],
        points: rows.map((row) => ({ x: row.tokens, y: y(row.levels[level]) })),
      })),
    )
    .filter((line) => line.points.some((point) => point.y !== null));
  const bytes = spanOf(lines.flatMap((line) => line.points.map((point) => point.y)));
  return lineChart(
    {
      datasets: lines.map((line) => dataset(line, series, theme, text)),
      x: { span: tokens && !logarithmic ? { ...tokens, min: 0 } : tokens, logarithmic, widen: true },
      y: { span: bytes && !logarithmic ? { ...bytes, min: 0 } : bytes, logarithmic, title: text.bytes },
    },
    theme,
    text,
  );
}
