/** Axes with ticks at powers of two and their multiples, as bytes and token counts come. */
import type { Scale } from 'chart.js';
import type { ChartTheme } from './chart-text';

const MOST_TICKS = 8;
/** From this ratio of largest to smallest on, small values would all sit at the edge of a linear axis. */
const LOGARITHMIC_FROM = 16;

export interface Span {
  min: number;
  max: number;
}

/** Smallest and largest of the values that can be drawn; null when there is none. */
export function spanOf(values: Iterable<number | null>): Span | null {
  let span: Span | null = null;
  for (const value of values) {
    if (value === null) continue;
    span = span
      ? { min: Math.min(span.min, value), max: Math.max(span.max, value) }
      : { min: value, max: value };
  }
  return span;
}

/** Whether a logarithmic axis fits better: all positive, and spread over a factor of 16 or more. */
export function wantsLogarithmic(span: Span | null): boolean {
  return span !== null && span.min > 0 && span.max / span.min >= LOGARITHMIC_FROM;
}

/** The distance of ticks: the smallest power of two, at least 1, that needs at most 8 of them. */
function tickStep({ min, max }: Span): number {
  return Math.max(1, 2 ** Math.ceil(Math.log2(Math.max(max - min, 1) / MOST_TICKS)));
}

/** Multiples of a power of two within the span. */
export function linearTicks(span: Span): number[] {
  const step = tickStep(span);
  const first = Math.ceil(span.min / step);
  const count = Math.max(0, Math.floor(span.max / step) - first + 1);
  return Array.from({ length: count }, (_, index) => (first + index) * step);
}

/** Powers of two within the span, at most nine. */
export function logarithmicTicks({ min, max }: Span): number[] {
  const first = Math.ceil(Math.log2(min));
  const last = Math.floor(Math.log2(max));
  const stride = Math.max(1, Math.ceil((last - first) / MOST_TICKS));
  const count = Math.max(0, Math.floor((last - first) / stride) + 1);
  return Array.from({ length: count }, (_, index) => 2 ** (first + index * stride));
}

/** The span widened to whole ticks (linear) or powers of two (logarithmic), never empty. */
function widened(span: Span, logarithmic: boolean): Span {
  if (logarithmic) {
    const min = 2 ** Math.floor(Math.log2(span.min));
    return { min, max: Math.max(2 * min, 2 ** Math.ceil(Math.log2(span.max))) };
  }
  const step = tickStep(span);
  const min = Math.floor(span.min / step) * step;
  return { min, max: Math.max(min + step, Math.ceil(span.max / step) * step) };
}

interface AxisOptions {
  /** What the axis must show; null when there is nothing yet. */
  span: Span | null;
  logarithmic: boolean;
  /** Whether the axis ends at whole ticks; else exactly at the span. */
  widen: boolean;
  title: string;
  format: (value: number) => string;
  theme: ChartTheme;
}

/** Chart.js options of one axis. */
export function axis({ span, logarithmic, widen, title, format, theme }: AxisOptions) {
  const known = span ?? { min: 0, max: 1 };
  const shown = widen || known.max <= known.min ? widened(known, logarithmic) : known;
  const values = logarithmic ? logarithmicTicks(shown) : linearTicks(shown);
  return {
    type: logarithmic ? ('logarithmic' as const) : ('linear' as const),
    min: shown.min,
    max: shown.max,
    title: { display: true, text: title, color: theme.ink },
    grid: { color: theme.grid },
    border: { color: theme.grid },
    ticks: {
      color: theme.ink,
      maxRotation: 0,
      autoSkipPadding: 12,
      callback: (value: number | string) => format(Number(value)),
    },
    afterBuildTicks: (scale: Scale) => {
      scale.ticks = values.map((value) => ({ value }));
    },
  };
}
