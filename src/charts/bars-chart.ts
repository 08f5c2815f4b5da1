/** Bytes side by side, one group a category: dtypes, batches, or a model and its counterfactual. */
import type { ChartConfiguration, ChartDataset, Point } from 'chart.js';
import type { Cell, LabRecord, MaybeBytes } from '../protocol/record';
import { axis, spanOf } from './axes';
import type { ChartText, ChartTheme } from './chart-text';
import { LEVEL_STYLES, type Level } from './level-style';
import { POINT_RADIUS, legend } from './line-chart';

/** Points are `x` = index of the category; a mixed chart of bars and points. */
export type BarsConfiguration = ChartConfiguration<'bar' | 'line', Point[], string | string[]>;

/** The words of this chart that the others do not have. */
export interface BarsText {
  /** Title of the axis of categories. */
  axis: string;
  /** Name of what the process figure moved by. */
  process: string;
  /** The lines under a category, for instance `["float16", "WASM"]`. */
  category: (cell: Cell) => string[];
}

const valueOf: Record<Level, (cell: Cell) => MaybeBytes> = {
  formula: (cell) => cell.formulaBytes,
  used: (cell) => cell.usedBytes ?? null,
  tensor: (cell) => cell.tensorBytes,
  resident: (cell) => cell.residentBytes,
  device: (cell) => cell.deviceBytes.after,
};

/** What the repeats of a point have in common. */
function keyOf({ model, dtype, batch, tokens }: Cell): string {
  return JSON.stringify([model, dtype, batch, tokens]);
}

/** Of repeats the last that was measured, in the record's order; a point that was never measured keeps its formula. */
function categoriesOf(record: LabRecord): Cell[] {
  const points = new Map<string, Cell>();
  for (const cell of record.cells) {
    const key = keyOf(cell);
    const before = points.get(key);
    if (before === undefined || cell.tensorBytes !== null || before.tensorBytes === null)
      points.set(key, cell);
  }
  return [...points.values()];
}

/**
 * Tensor bytes as bars, the other levels as points over them in their own shape, so that colour is never the only sign. A
 * formula without a measurement (bfloat16) is a point without a bar. `process`: also what the process figure moved by, once a repeat.
 */
export function barsChart(
  record: LabRecord,
  theme: ChartTheme,
  text: ChartText,
  words: BarsText,
  show: { levels: readonly Level[]; process: boolean },
): BarsConfiguration {
  const cells = categoriesOf(record);
  const levels = show.levels.map((level) => ({
    level,
    points: cells.map((cell, x) => ({ x, y: drawable(valueOf[level](cell)) })),
  }));
  // Every repeat is a point of its own: that they lie apart is what the figure shows.
  const moved = cells.flatMap((cell, x) =>
    record.cells
      .filter((repeat) => show.process && keyOf(repeat) === keyOf(cell))
      .map((repeat) => ({ x, y: processMoved(repeat) })),
  );
  const datasets: ChartDataset<'bar' | 'line', Point[]>[] = levels
    .filter(({ points }) => hasPoint(points))
    .map(({ level, points }) =>
      level === 'tensor'
        ? bars(text.levels.tensor, points, theme.levels.tensor)
        : dots(
            text.levels[level],
            points,
            theme.levels[level],
            LEVEL_STYLES[level].pointStyle,
            level === 'formula',
          ),
    );
  if (hasPoint(moved)) datasets.push(dots(words.process, moved, theme.ink, 'crossRot'));
  const span = spanOf([0, ...datasets.flatMap(({ data }) => data.map((point) => point.y))]);
  return {
    type: 'bar',
    data: { labels: cells.map(words.category), datasets },
    options: {
      animation: false,
      parsing: false,
      normalized: true,
      responsive: true,
      maintainAspectRatio: false,
      interaction: { mode: 'index', intersect: false },
      scales: {
        x: {
          type: 'category',
          title: { display: true, text: words.axis, color: theme.ink },
          grid: { display: false },
          border: { color: theme.grid },
          ticks: { color: theme.ink, maxRotation: 60, autoSkip: false },
        },
        y: axis({
          span,
          logarithmic: false,
          widen: true,
          title: text.bytes,
          format: text.formatBytes,
          theme,
        }),
      },
      plugins: {
        legend: legend(theme),
        tooltip: {
          usePointStyle: true,
          callbacks: {
            title: ([item]) => words.category(cells[item?.dataIndex ?? 0] as Cell).join(' · '),
            label: ({ dataset: { label }, parsed }) =>
              `${label ?? ''}: ${text.formatInteger(parsed.y ?? 0)} (${text.formatBytes(parsed.y ?? 0)})`,
          },
        },
      },
    },
  };
}

type MaybePoint = { x: number; y: number | null };

function hasPoint(points: readonly MaybePoint[]): boolean {
  return points.some(({ y }) => y !== null);
}

function drawable(value: MaybeBytes): number | null {
  return value !== null && Number.isFinite(value) ? value : null;
}

function processMoved({ processBytes, processBytesBefore }: Cell): number | null {
  return processBytes === null || processBytesBefore === null
    ? null
    : drawable(processBytes - processBytesBefore);
}

function bars(label: string, points: MaybePoint[], colour: string): ChartDataset<'bar', Point[]> {
  return {
    type: 'bar',
    label,
    data: points,
    backgroundColor: colour,
    borderColor: colour,
    pointStyle: LEVEL_STYLES.tensor.pointStyle,
    maxBarThickness: 72,
    order: 1,
  };
}

function dots(
  label: string,
  points: MaybePoint[],
  colour: string,
  pointStyle: string,
  filled = false,
): ChartDataset<'line', Point[]> {
  return {
    type: 'line',
    label,
    data: points,
    showLine: false,
    borderColor: colour,
    pointStyle,
    pointBorderColor: colour,
    // Equal levels lie on each other: only the formula is filled and small, so that all stay visible.
    pointBackgroundColor: filled ? colour : 'transparent',
    pointBorderWidth: filled ? 1 : 2.5,
    pointRadius: POINT_RADIUS + (filled ? 1 : 4),
    pointHoverRadius: POINT_RADIUS + 4,
    clip: 2 * POINT_RADIUS,
    order: 0,
  };
}
