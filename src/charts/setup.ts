/** The only file that runs chart.js: registers the parts in use, creates and updates charts. Imported dynamically. */
import {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  type ChartConfiguration,
  type ChartType,
  Legend,
  LinearScale,
  LineController,
  LineElement,
  LogarithmicScale,
  PointElement,
  Tooltip,
} from 'chart.js';

Chart.register(
  LineController,
  LineElement,
  PointElement,
  LinearScale,
  LogarithmicScale,
  BarController,
  BarElement,
  CategoryScale,
  Legend,
  Tooltip,
);

/** A chart on a canvas. One that is on it already is destroyed first, else chart.js refuses the canvas. */
export function createChart<Type extends ChartType, Data, Label>(
  canvas: HTMLCanvasElement,
  configuration: ChartConfiguration<Type, Data, Label>,
): Chart<Type, Data, Label> {
  Chart.getChart(canvas)?.destroy();
  return new Chart(canvas, configuration);
}

/**
 * Draws a newer configuration on the same chart, at once. Lines keep their dataset objects by label, so that chart.js keeps
 * what it knows of them: one that a reader has switched off in the legend stays off.
 */
export function updateChart<Type extends ChartType, Data, Label>(
  chart: Chart<Type, Data, Label>,
  configuration: ChartConfiguration<Type, Data, Label>,
): void {
  const known = new Map(chart.data.datasets.map((dataset) => [dataset.label, dataset]));
  chart.data.datasets = configuration.data.datasets.map((newer) => {
    const before = known.get(newer.label);
    // Two lines of one label must not become one object.
    known.delete(newer.label);
    return before ? Object.assign(before, newer) : newer;
  });
  if (configuration.data.labels !== undefined) chart.data.labels = configuration.data.labels;
  if (configuration.options !== undefined) chart.options = configuration.options;
  chart.update('none');
}
