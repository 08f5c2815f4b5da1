/** Several records over one axis of tokens: one level of bytes, a line a record (and a model, where there are several). */
import type { ChartDataset, Point } from 'chart.js';
import type { LabRecord } from '../protocol/record';
import { spanOf, wantsLogarithmic } from './axes';
import type { ChartText, ChartTheme } from './chart-text';
import { lineChart, type LineConfiguration } from './line-chart';
import { LOOKS, SHAPES } from './looks';
import { chartRows, seriesOf, type LevelRow, type Series } from './rows';

export interface NamedRecord {
  /** What the record is called in the legend. */
  name: string;
  record: LabRecord;
}

/** Points of a line that get a shape; a longer line has one at every so many points. */
const MOST_SHAPES = 12;

interface Line {
  /** Index of the record. */
  of: number;
  subject: string;
  label: string;
  points: { x: number; y: number | null }[];
}

function linesOf(records: readonly NamedRecord[], level: 'tensor' | 'resident', text: ChartText): Line[] {
  const rowsOf = ({ record }: NamedRecord): LevelRow[] => {
    const { length, growth } = chartRows(record);
    return [...length, ...growth];
  };
  const subjectOf = ({ model, rows: [first] }: Series<LevelRow>): string[] => [
    text.modelName(model),
    ...(first === undefined ? [] : [first.dtype, `batch ${first.batch}`]),
  ];
  const found = records
    .flatMap((named, of) =>
      seriesOf(rowsOf(named)).map((series) => ({
        of,
        name: named.name,
        parts: subjectOf(series),
        points: series.rows.map((row) => ({ x: row.tokens, y: row.levels[level] })),
      })),
    )
    .filter(({ points }) => points.some(({ y }) => y !== null));
  // Only what sets lines apart is said in the legend.
  const differs = [0, 1, 2].filter((part) => new Set(found.map(({ parts }) => parts[part])).size > 1);
  return found.map(({ of, name, parts, points }) => {
    const subject = differs.map((part) => parts[part] ?? '').join(', ');
    return { of, subject, label: subject === '' ? name : `${name} · ${subject}`, points };
  });
}

/**
 * The chart of one level. Axes are linear from 0, or logarithmic when the tokens spread over a factor of 16, as in the
 * length chart; unmeasured points are gaps.
 * The look is the record's, the shape of the points the model's (or of whatever else sets lines of one record apart).
 * @param colours Colours of the records, resolved from {@link LOOK_COLOURS}.
 */
export function compareChart(
  records: readonly NamedRecord[],
  level: 'tensor' | 'resident',
  theme: ChartTheme,
  text: ChartText,
  colours: readonly string[],
): LineConfiguration {
  const lines = linesOf(records, level, text);
  const tokens = spanOf(lines.flatMap(({ points }) => points.map(({ x }) => x)));
  const logarithmic = wantsLogarithmic(tokens);
  // No logarithm of 0: such a point is a gap there.
  const drawn = lines.map((line) => ({
    ...line,
    points: line.points.map(({ x, y }) => ({ x, y: logarithmic && y !== null && y <= 0 ? null : y })),
  }));
  const bytes = spanOf(drawn.flatMap(({ points }) => points.map(({ y }) => y)));
  const subjects = [...new Set(drawn.map(({ subject }) => subject))];
  const datasets = drawn.map(({ of, subject, label, points }): ChartDataset<'line', Point[]> => {
    const look = LOOKS[of % LOOKS.length] ?? LOOKS[0];
    const colour = colours[of % LOOKS.length] ?? theme.ink;
    const every = Math.max(1, Math.ceil(points.length / MOST_SHAPES));
    return {
      label,
      data: points,
      borderColor: colour,
      borderWidth: look.width,
      borderDash: [...look.dash],
      pointStyle: SHAPES[subjects.indexOf(subject) % SHAPES.length] ?? 'circle',
      pointBorderColor: colour,
      pointBorderWidth: 1.5,
      pointBackgroundColor: 'transparent',
      pointRadius: points.map((_, index) => (index % every === 0 ? look.radius : 0)),
      pointHoverRadius: look.radius + 2,
      spanGaps: false,
      // A point on the edge of the axes is whole.
      clip: look.radius + 3,
      // Later records are drawn over earlier ones.
      order: records.length - of,
    };
  });
  const configuration = lineChart(
    {
      datasets,
      x: { span: tokens && !logarithmic ? { ...tokens, min: 0 } : tokens, logarithmic, widen: true },
      y: {
        span: bytes && !logarithmic ? { ...bytes, min: 0 } : bytes,
        logarithmic,
        title: text.levels[level],
      },
    },
    theme,
    text,
  );
  const legend = configuration.options?.plugins?.legend;
  if (legend?.labels) {
    // A box without height is a line, with the dash and width that tell the records apart; in the records' order.
    legend.labels = { ...legend.labels, usePointStyle: false, boxWidth: 40, boxHeight: 0 };
    legend.reverse = true;
  }
  return configuration;
}
