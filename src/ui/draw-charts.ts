/** Draws charts with Chart.js. Imported dynamically, so that the first paint loads none of it. */
import { barsChart, type BarsConfiguration } from '../charts/bars-chart';
import { capacityChart, type CapacityPicture } from '../charts/capacity-chart';
import type { ChartText, ChartTheme } from '../charts/chart-text';
import { compareChart, type NamedRecord } from '../charts/compare-chart';
import { engineChart, ENGINE_COLOURS, type EngineLine } from '../charts/engine-chart';
import { deltaChart, growthChart } from '../charts/growth-chart';
import { lengthChart } from '../charts/length-chart';
import { LEVEL_STYLES, LEVELS, type Level } from '../charts/level-style';
import type { LineConfiguration } from '../charts/line-chart';
import { LOOK_COLOURS } from '../charts/looks';
import { policiesChart, policyCostChart, type PolicyPicture } from '../charts/policies-chart';
import { KIND_COLOURS, redundancyChart } from '../charts/redundancy-chart';
import { PART_COLOURS, servingBarsChart, servingLinesChart, SYSTEM_COLOURS } from '../charts/serving-chart';
import { createChart, updateChart } from '../charts/setup';
import { weightsChart, type WeightsPicture } from '../charts/weights-chart';
import { t } from '../i18n';
import { findModel } from '../model/catalog';
import { formatBytes, formatInteger } from '../protocol/format';
import type { Lang } from '../protocol/recipe';
import type { RedundancyResult } from '../protocol/redundancy';
import type { Cell, LabRecord } from '../protocol/record';
import type { ServingResult } from '../protocol/serving';
import type { ComparedLevel } from '../record/compare-many';
import { modelName } from './model-name';
import { policiesChartText } from './policies/chart-text';
import { redundancyChartText } from './redundancy/chart-text';
import { severalOf } from './points';
import { servingBars, servingBarsText, servingLines, servingLinesText } from './serving/chart-text';
import type { ServingTranslate } from './serving/words';
import type { Words } from './verdict-text';

/** What each kind of chart is drawn from. */
export interface ChartInput {
  length: LabRecord;
  growth: LabRecord;
  delta: LabRecord;
  dtype: LabRecord;
  batch: LabRecord;
  gqa: LabRecord;
  weights: WeightsPicture;
  capacity: CapacityPicture;
  engines: readonly EngineLine[];
  compare: { records: readonly NamedRecord[]; level: ComparedLevel };
  redundancy: RedundancyResult;
  policies: PolicyPicture;
  policyTimes: PolicyPicture;
  policyCopies: PolicyPicture;
  servingShares: ServingResult;
  servingTime: ServingResult;
}
export type ChartKind = keyof ChartInput;

/** @param colours what custom properties of the page hold. */
type Builder<Input> = (
  input: Input,
  theme: ChartTheme,
  lang: Lang,
  colours: (variables: readonly string[]) => string[],
) => LineConfiguration | BarsConfiguration;

const BUILDERS: { [Kind in ChartKind]: Builder<ChartInput[Kind]> } = {
  length: (record, theme, lang) => lengthChart(record, theme, textOf(lang)),
  growth: (record, theme, lang) => growthChart(record, theme, textOf(lang)),
  delta: (record, theme, lang) => deltaChart(record, theme, textOf(lang)),
  dtype: (record, theme, lang) => barsOf(record, theme, lang, 'dtype', ['formula', 'tensor', 'resident']),
  batch: (record, theme, lang) =>
    barsOf(record, theme, lang, 'batch', ['formula', 'tensor', 'resident', 'device']),
  gqa: (record, theme, lang) => barsOf(record, theme, lang, 'gqa', ['formula', 'tensor', 'resident']),
  weights: (picture, theme, lang) =>
    weightsChart(picture, theme, textOf(lang), {
      weights: t(lang, 'weights.weightBytes'),
      oneSequence: t(lang, 'weights.line.one'),
      severalSequences: t(lang, 'weights.line.several'),
      crossing: t(lang, 'weights.line.crossing'),
      axis: t(lang, 'weights.axis'),
    }),
  capacity: (picture, theme, lang) =>
    capacityChart(picture, theme, textOf(lang), {
      sessions: t(lang, 'cap.chart.sessions'),
      context: t(lang, 'cap.col.tokens'),
    }),
  engines: (lines, theme, lang, colours) => engineChart(lines, theme, textOf(lang), colours(ENGINE_COLOURS)),
  compare: ({ records, level }, theme, lang, colours) =>
    compareChart(records, level, theme, textOf(lang), colours(LOOK_COLOURS)),
  policies: (picture, theme, lang, colours) =>
    policiesChart(picture, theme, textOf(lang), policiesChartText(lang), colours(LOOK_COLOURS)),
  policyTimes: (picture, theme, lang, colours) =>
    policyCostChart(picture, 'ms', theme, textOf(lang), policiesChartText(lang), colours(LOOK_COLOURS)),
  policyCopies: (picture, theme, lang, colours) =>
    policyCostChart(
      ...([picture, 'copiedBytes', theme, textOf(lang)] as const),
      ...([policiesChartText(lang), colours(LOOK_COLOURS)] as const),
    ),
  redundancy: (result, theme, lang, colours) =>
    redundancyChart(
      result,
      theme,
      redundancyChartText(result.split, (key, params) => t(lang, key, params)),
      colours(KIND_COLOURS),
    ),
  servingShares: (result, theme, lang, colours) => {
    const tr: ServingTranslate = (key, params) => t(lang, key, params);
    return servingBarsChart(servingBars(result, tr), theme, servingBarsText(tr), colours(PART_COLOURS));
  },
  servingTime: (result, theme, lang, colours) =>
    servingLinesChart(
      servingLines(result),
      theme,
      servingLinesText({
        tr: (key, params) => t(lang, key, params),
        int: (value) => formatInteger(value, lang),
      }),
      colours(SYSTEM_COLOURS),
    ),
};

/** A drawn chart: one Chart.js instance on one canvas. */
export interface DrawnChart<Input> {
  update: (input: Input, lang: Lang) => void;
  destroy: () => void;
}

/** Draws on a canvas that has no chart yet. Colours are read from the page's styles at every update. */
export function drawChart<Kind extends ChartKind>(
  canvas: HTMLCanvasElement,
  kind: Kind,
  input: ChartInput[Kind],
  lang: Lang,
): DrawnChart<ChartInput[Kind]> {
  // One kind of chart stays one kind of configuration; the two kinds have no common type in Chart.js.
  const build = BUILDERS[kind] as Builder<ChartInput[Kind]> as (
    ...of: Parameters<Builder<ChartInput[Kind]>>
  ) => LineConfiguration;
  const configure = (newest: ChartInput[Kind], language: Lang) =>
    build(newest, themeOf(canvas), language, (variables) => readColours(canvas, variables));
  const chart = createChart(canvas, configure(input, lang));
  return {
    update: (newer, language) => {
      updateChart(chart, configure(newer, language));
    },
    destroy: () => {
      chart.destroy();
    },
  };
}

/** The chart of an experiment that sets caches side by side; a category says only what differs in this record. */
function barsOf(
  record: LabRecord,
  theme: ChartTheme,
  lang: Lang,
  experiment: 'dtype' | 'batch' | 'gqa',
  levels: readonly Level[],
): BarsConfiguration {
  const tr: Words['tr'] = (key, params) => t(lang, key, params);
  const several = (of: (cell: Cell) => unknown): boolean => severalOf(record, of);
  const parts: ((cell: Cell) => string[])[] = [
    ({ model }) =>
      experiment === 'gqa'
        ? gqaLines(record, model, tr)
        : several((cell) => cell.model)
          ? [modelName(model, tr)]
          : [],
    ({ dtype }) => (experiment === 'dtype' || several((cell) => cell.dtype) ? [dtype] : []),
    ({ batch }) =>
      experiment === 'batch' || several((cell) => cell.batch)
        ? [`${t(lang, 'setting.batch')} ${formatInteger(batch, lang)}`]
        : [],
    ({ tokens }) =>
      several((cell) => cell.tokens) ? [`${formatInteger(tokens, lang)} ${t(lang, 'unit.tokens')}`] : [],
    // What was not measured ran nowhere.
    ({ device, tensorBytes }) =>
      several((cell) => cell.device) && tensorBytes !== null
        ? [device === 'wasm' ? t(lang, 'badge.wasm') : t(lang, 'choice.webgpu')]
        : [],
  ];
  return barsChart(
    record,
    theme,
    textOf(lang),
    {
      axis: t(lang, `chart.axis.${experiment}`),
      process: t(lang, 'chart.process'),
      category: (cell) => parts.flatMap((part) => part(cell)),
    },
    { levels, process: experiment === 'batch' },
  );
}

/** A model and its counterfactual have the same name and other KV heads. */
function gqaLines(record: LabRecord, id: string, tr: Words['tr']): string[] {
  const bare = id.replace(/^mha:/, '');
  const base = id === bare || findModel(bare) !== null ? bare : `twin:${bare}`;
  const geometry = findModel(id)?.geometry ?? record.models.find((model) => model.id === id)?.geometry;
  return [
    modelName(base, tr),
    ...(geometry === undefined ? [] : [`${tr('gqa.kvHeads')}: ${String(geometry.kvHeads)}`]),
  ];
}

/** Colours of custom properties as a canvas understands them: they hold `light-dark(…)`, a computed colour is plain. */
function readColours(canvas: HTMLCanvasElement, variables: readonly string[]): string[] {
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
function themeOf(canvas: HTMLCanvasElement): ChartTheme {
  const variables = [
    ...LEVELS.map((level) => LEVEL_STYLES[level].cssVariable),
    '--ink-muted',
    '--line',
    '--paper',
  ];
  const [
    formula = '',
    used = '',
    tensor = '',
    resident = '',
    device = '',
    ink = '',
    grid = '',
    background = '',
  ] = readColours(canvas, variables);
  return { levels: { formula, used, tensor, resident, device }, ink, grid, background };
}

/** The page's words and number formats. */
function textOf(lang: Lang): ChartText {
  const levels = Object.fromEntries(LEVELS.map((level) => [level, t(lang, `level.${level}.long`)]));
  return {
    levels: levels as ChartText['levels'],
    tokens: t(lang, 'chart.tokens'),
    bytes: t(lang, 'chart.bytes'),
    deltaUsed: t(lang, 'chart.deltaUsed'),
    deltaTensor: t(lang, 'chart.deltaTensor'),
    deltaResident: t(lang, 'chart.deltaResident'),
    bytesPerStep: t(lang, 'unit.bytesPerStep'),
    modelName: (id) => modelName(id, (key, params) => t(lang, key, params)),
    formatInteger: (value) => formatInteger(value, lang),
    formatBytes: (bytes) => formatBytes(bytes, lang),
  };
}
