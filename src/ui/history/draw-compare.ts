/** Draws several records in one chart. Imported dynamically with Chart.js, when there is something to compare. */
import { compareChart, RECORD_COLOURS, type NamedRecord } from '../../charts/compare-chart';
import { createChart, updateChart } from '../../charts/setup';
import type { Lang } from '../../protocol/recipe';
import type { ComparedLevel } from '../../record/compare-many';
import { readColours, textOf, themeOf } from '../draw-charts';

export interface DrawnComparison {
  update: (records: NamedRecord[], level: ComparedLevel, lang: Lang) => void;
  destroy: () => void;
}

/** Draws on a canvas that has no chart yet. Colours are read from the page's styles at every update. */
export function drawComparison(
  canvas: HTMLCanvasElement,
  ...first: Parameters<DrawnComparison['update']>
): DrawnComparison {
  const build = (...[records, level, lang]: Parameters<DrawnComparison['update']>) =>
    compareChart(records, level, themeOf(canvas), textOf(lang), readColours(canvas, RECORD_COLOURS));
  const chart = createChart(canvas, build(...first));
  return {
    update: (...newer) => {
      updateChart(chart, build(...newer));
    },
    destroy: () => {
      chart.destroy();
    },
  };
}
