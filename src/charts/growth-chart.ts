/** The growth charts: bytes by level after each decode step, and what each step added. Drawn while the run goes on. */
import type { LabRecord } from '../protocol/record';
import { spanOf, type Span } from './axes';
import type { ChartText, ChartTheme } from './chart-text';
import { LEVELS } from './level-style';
import { dataset, lineChart, type LineConfiguration } from './line-chart';
import { chartRows, seriesOf } from './rows';

/** The tokens of all steps that are planned, so that the axis stands still while they come. */
function plannedTokens(record: LabRecord): Span | null {
  const started = record.growth.filter((growth) => growth.promptTokens > 0 || growth.steps.length > 0);
  return spanOf(
    started.flatMap(({ promptTokens, stepsPlanned, steps }) => [
      promptTokens,
      steps.at(-1)?.tokens ?? promptTokens,
      promptTokens + stepsPlanned,
    ]),
  );
}

/** Formula, tensor, resident and device bytes over the tokens in the cache, from the prompt on. */
export function growthChart(record: LabRecord, theme: ChartTheme, text: ChartText): LineConfiguration {
  const series = seriesOf(chartRows(record).growth);
  const lines = series
    .flatMap(({ rows }, index) =>
      LEVELS.map((level) => ({
        level,
        index,
        name: text.levels[level],
        points: rows.map((row) => ({ x: row.tokens, y: row.levels[level] })),
      })),
    )
    .filter((line) => line.points.some((point) => point.y !== null));
  const bytes = spanOf(lines.flatMap((line) => line.points.map((point) => point.y)));
  return lineChart(
    {
      datasets: lines.map((line) => dataset(line, series, theme, text)),
      x: { span: plannedTokens(record), logarithmic: false, widen: false },
      y: { span: bytes && { ...bytes, min: 0 }, logarithmic: false, title: text.bytes },
    },
    theme,
    text,
  );
}

/** Tensor bytes and resident bytes that each decode step added, and used bytes of a preallocated cache; resident bytes may also fall. */
export function deltaChart(record: LabRecord, theme: ChartTheme, text: ChartText): LineConfiguration {
  const series = seriesOf(chartRows(record).growth.filter((row) => row.step > 0));
  const lines = series
    .flatMap(({ rows }, index) => [
      {
        level: 'used' as const,
        index,
        name: text.deltaUsed,
        points: rows.map((row) => ({ x: row.tokens, y: row.deltaUsed })),
      },
      {
        level: 'tensor' as const,
        index,
        name: text.deltaTensor,
        points: rows.map((row) => ({ x: row.tokens, y: row.deltaTensor })),
      },
      {
        level: 'resident' as const,
        index,
        name: text.deltaResident,
        points: rows.map((row) => ({ x: row.tokens, y: row.deltaResident })),
      },
    ])
    .filter((line) => line.points.some((point) => point.y !== null));
  const bytes = spanOf([0, ...lines.flatMap((line) => line.points.map((point) => point.y))]);
  return lineChart(
    {
      datasets: lines.map((line) => dataset(line, series, theme, text)),
      x: { span: plannedTokens(record), logarithmic: false, widen: false },
      y: { span: lines.length > 0 ? bytes : null, logarithmic: false, title: text.bytesPerStep },
    },
    theme,
    text,
  );
}
