/** Draws records with Chart.js. Imported dynamically, so that the first paint loads none of it. */
import type { ChartText, ChartTheme } from '../charts/chart-text';
import { deltaChart, growthChart } from '../charts/growth-chart';
import { lengthChart } from '../charts/length-chart';
import { LEVEL_STYLES, LEVELS } from '../charts/level-style';
import { createChart, updateChart } from '../charts/setup';
import { t } from '../i18n';
import { findModel } from '../model/catalog';
import { formatBytes, formatInteger } from '../protocol/format';
import type { Lang } from '../protocol/recipe';
import type { LabRecord } from '../protocol/record';

const BUILDERS = { length: lengthChart, growth: growthChart, delta: deltaChart };
export type ChartKind = keyof typeof BUILDERS;

/** A drawn chart: one Chart.js instance on one canvas. */
export interface DrawnChart {
  update: (record: LabRecord, lang: Lang) => void;
  destroy: () => void;
}

/** Draws a record on a canvas that has no chart yet. Colours are read from the page's styles at every update. */
export function drawChart(
  canvas: HTMLCanvasElement,
  kind: ChartKind,
  record: LabRecord,
  lang: Lang,
): DrawnChart {
  const build = BUILDERS[kind];
  const chart = createChart(canvas, build(record, themeOf(canvas), textOf(lang)));
  return {
    update: (newer, language) => {
      updateChart(chart, build(newer, themeOf(canvas), textOf(language)));
    },
    destroy: () => {
      chart.destroy();
    },
  };
}

/** Colours of custom properties as a canvas understands them: they hold `light-dark(…)`, a computed colour is plain. */
export function readColours(canvas: HTMLCanvasElement, variables: readonly string[]): string[] {
  const probe = document.createElement('span');
  probe.hidden = true;
  canvas.after(probe);
  const colours = variables.map((variable) => {
    probe.style.color = `var(${variable})`;
    return getComputedStyle(probe).color;
  });
  probe.remove();
  return colours;
}

/** The page's colours. */
export function themeOf(canvas: HTMLCanvasElement): ChartTheme {
  const variables = [
    ...LEVELS.map((level) => LEVEL_STYLES[level].cssVariable),
    '--ink-muted',
    '--line',
    '--paper',
  ];
  const [formula = '', tensor = '', resident = '', device = '', ink = '', grid = '', background = ''] =
    readColours(canvas, variables);
  return { levels: { formula, tensor, resident, device }, ink, grid, background };
}

/** The page's words and number formats. */
export function textOf(lang: Lang): ChartText {
  const levels = Object.fromEntries(LEVELS.map((level) => [level, t(lang, `level.${level}.long`)]));
  return {
    levels: levels as ChartText['levels'],
    tokens: t(lang, 'chart.tokens'),
    bytes: t(lang, 'chart.bytes'),
    deltaTensor: t(lang, 'chart.deltaTensor'),
    deltaResident: t(lang, 'chart.deltaResident'),
    bytesPerStep: t(lang, 'unit.bytesPerStep'),
    modelName: (id) => findModel(id)?.name ?? id,
    formatInteger: (value) => formatInteger(value, lang),
    formatBytes: (bytes) => formatBytes(bytes, lang),
  };
}
