/** The only file that runs chart.js: registers the parts in use, creates and updates charts. Imported dynamically. */
import {
  Chart,
  Legend,
  LinearScale,
  LineController,
  LineElement,
  LogarithmicScale,
  PointElement,
  type Point,
  Tooltip,
} from 'chart.js';
import type { LineConfiguration } from './line-chart';

Chart.register(LineController, LineElement, PointElement, LinearScale, LogarithmicScale, Legend, Tooltip);

export type LineChart = Chart<'line', Point[]>;

/** A chart on a canvas. One that is on it already is destroyed first, else chart.js refuses the canvas. */
export function createChart(canvas: HTMLCanvasElement, configuration: LineConfiguration): LineChart {
  Chart.getChart(canvas)?.destroy();
  return new Chart(canvas, configuration);
}

/**
 * Draws a newer configuration on the same chart, at once. Lines keep their dataset objects by label, so that chart.js keeps
 * what it knows of them: one that a reader has switched off in the legend stays off.
 */
export function updateChart(chart: LineChart, configuration: LineConfiguration): void {
  const known = new Map(chart.data.datasets.map((dataset) => [dataset.label, dataset]));
  chart.data.datasets = configuration.data.datasets.map((newer) => {
    const before = known.get(newer.label);
    // Two lines of one label must not become one object.
    known.delete(newer.label);
    return before ? Object.assign(before, newer) : newer;
  });
  chart.options = configuration.options ?? {};
  chart.update('none');
}
