/** Names of lines at their right ends, so that none has to be looked up in a legend by its colour. */
import type { Chart, Plugin } from 'chart.js';

const FONT_PX = 12;
/** Between two names, and between a line's end and its name (CSS pixels). */
const LINE_PX = 15;
const GAP_PX = 8;
/** Of a letter, on average; Korean ones are wider. */
const LETTER_PX = 7.8;
const WIDE_LETTER_PX = 12;

/** Room to the right of the chart that its longest name needs, in CSS pixels. */
export function labelRoom(names: readonly string[]): number {
  const widths = names.map((name) =>
    Array.from(name).reduce((sum, letter) => sum + (letter > '\u1100' ? WIDE_LETTER_PX : LETTER_PX), 0),
  );
  return GAP_PX + Math.ceil(Math.max(0, ...widths));
}

/**
 * Heights of names whose lines end at `ends`, in the same order: each as near to its line's end as it can be, none nearer than a
 * line of text to another, all between `top` and `bottom` while they fit.
 */
export function spreadOut(ends: readonly number[], top: number, bottom: number): number[] {
  const order = ends.map((_, index) => index).sort((a, b) => (ends[a] ?? 0) - (ends[b] ?? 0));
  const heights = [...ends];
  let above = top - LINE_PX;
  for (const index of order) {
    above = Math.max(ends[index] ?? top, above + LINE_PX);
    heights[index] = above;
  }
  // What went below the chart is pushed up again.
  let below = bottom + LINE_PX;
  for (const index of order.toReversed()) {
    below = Math.min(heights[index] ?? bottom, below - LINE_PX);
    heights[index] = below;
  }
  return heights;
}

/** Writes the label of every line that is switched on beside its last point, in the line's colour. */
export const endLabels: Plugin<'line'> = {
  id: 'end-labels',
  afterDatasetsDraw: (chart: Chart<'line'>) => {
    const { ctx, chartArea } = chart;
    const lines = chart.data.datasets.flatMap(({ data, label, borderColor }, index) => {
      if (!chart.isDatasetVisible(index)) return [];
      const last = data.findLastIndex((point) => (point as { y: number | null }).y !== null);
      const y = chart.getDatasetMeta(index).data[last]?.y;
      return y === undefined
        ? []
        : [{ y, label: label ?? '', colour: typeof borderColor === 'string' ? borderColor : 'gray' }];
    });
    const heights = spreadOut(
      lines.map(({ y }) => y),
      chartArea.top,
      chartArea.bottom,
    );
    ctx.save();
    ctx.font = `600 ${String(FONT_PX)}px system-ui, sans-serif`;
    ctx.textBaseline = 'middle';
    for (const [index, { label, colour }] of lines.entries()) {
      ctx.fillStyle = colour;
      ctx.fillText(label, chartArea.right + GAP_PX, heights[index] ?? 0);
    }
    ctx.restore();
  },
};
