/** Draws the engines' chart. Imported dynamically with Chart.js, when the chart is opened. */
import { engineChart, ENGINE_COLOURS, type EngineLine } from '../../charts/engine-chart';
import { createChart, updateChart } from '../../charts/setup';
import type { Lang } from '../../protocol/recipe';
import { readColours, textOf, themeOf } from '../draw-charts';

export interface DrawnEngines {
  update: (lines: readonly EngineLine[], lang: Lang) => void;
  destroy: () => void;
}

/** Draws on a canvas that has no chart yet. Colours are read from the page's styles at every update. */
export function drawEngines(
  canvas: HTMLCanvasElement,
  ...first: Parameters<DrawnEngines['update']>
): DrawnEngines {
  const build = (...[lines, lang]: Parameters<DrawnEngines['update']>) =>
    engineChart(lines, themeOf(canvas), textOf(lang), readColours(canvas, ENGINE_COLOURS));
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
