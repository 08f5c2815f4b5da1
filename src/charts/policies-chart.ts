/**
 * The charts of the experiment policies: the byte levels of one policy and mode, or one level (or the cost of a step) of all policies
 * under one mode, or of all modes under one policy.
 */
import type { ChartDataset, Point } from 'chart.js';
import { ALLOCATORS, POLICIES, type Allocator, type Policy } from '../protocol/recipe';
import type { LabRecord } from '../protocol/record';
import { spanOf, wantsLogarithmic } from './axes';
import type { ChartText, ChartTheme } from './chart-text';
import { endLabels, labelRoom } from './end-labels';
import { LEVELS } from './level-style';
import { dataset, lineChart, type LineConfiguration } from './line-chart';
import { LOOKS, SHAPES } from './looks';
import { contextCosts, policyPoints, type PolicyLevel, type PolicySubject } from './policies-rows';

/** What the lines of a picture are. */
export const POLICY_LINES = ['policies', 'allocators', 'levels'] as const;
export type PolicyLines = (typeof POLICY_LINES)[number];

export interface PolicyPicture {
  record: LabRecord;
  lines: PolicyLines;
  /** Used where the lines are not policies; the same of the two below. */
  policy: Policy;
  allocator: Allocator;
  level: PolicyLevel;
  batch: number;
}

export interface PoliciesChartText {
  /** Title of the axis of a level, with what it is: measured, or the formula. */
  level: (level: PolicyLevel) => string;
  ms: string;
  copied: string;
  /** Title of the axis of tokens before the steps. */
  context: string;
  /** ms for a tooltip, such as "12.3 ms". */
  formatMs: (ms: number) => string;
}

interface Line {
  label: string;
  /** Index of the policy or mode among all there are, so that each keeps its look in every chart. */
  look: number;
  points: { x: number; y: number | null }[];
}

/** The subjects of a picture's lines; one where the lines are levels. */
function subjectsOf({ lines, policy, allocator, batch }: PolicyPicture): (PolicySubject & {
  label: string;
  look: number;
})[] {
  if (lines === 'allocators')
    return ALLOCATORS.map((one, look) => ({ policy, allocator: one, batch, label: one, look }));
  if (lines === 'policies')
    return POLICIES.map((one, look) => ({ policy: one, allocator, batch, label: one, look }));
  return [{ policy, allocator, batch, label: policy, look: POLICIES.indexOf(policy) }];
}

/** Bytes over tokens. Skipped and unmeasured points are gaps; what was measured nowhere has no line. */
export function policiesChart(
  picture: PolicyPicture,
  theme: ChartTheme,
  text: ChartText,
  words: PoliciesChartText,
  colours: readonly string[],
): LineConfiguration {
  const { record, level, lines } = picture;
  if (lines === 'levels') return levelsChart(picture, theme, text);
  const drawn = subjectsOf(picture).map(({ label, look, ...subject }) => ({
    ...{ label, look },
    points: policyPoints(record, subject).map(({ tokens, bytes }) => ({ x: tokens, y: bytes[level] })),
  }));
  return comparison(drawn, words.level(level), theme, text, colours);
}

/**
 * What a decode step costs, by context: median ms without warm-up, or bytes of earlier tokens that it copies. Where a picture's lines
 * are the levels of one policy, all policies are drawn: a cost alone says little.
 */
export function policyCostChart(
  picture: PolicyPicture,
  cost: 'ms' | 'copiedBytes',
  theme: ChartTheme,
  text: ChartText,
  words: PoliciesChartText,
  colours: readonly string[],
): LineConfiguration {
  const lines = picture.lines === 'levels' ? 'policies' : picture.lines;
  const drawn = subjectsOf({ ...picture, lines }).map(({ label, look, ...subject }) => ({
    ...{ label, look },
    points: contextCosts(picture.record, subject).map((one) => ({ x: one.context, y: one[cost] })),
  }));
  const byContext = { ...text, tokens: words.context };
  const configuration = comparison(
    drawn,
    cost === 'ms' ? words.ms : words.copied,
    theme,
    byContext,
    colours,
    cost === 'ms',
  );
  const callbacks = configuration.options?.plugins?.tooltip?.callbacks;
  if (cost === 'ms' && callbacks !== undefined)
    callbacks.label = ({ dataset: { label }, parsed }) => `${label ?? ''}: ${words.formatMs(parsed.y ?? 0)}`;
  return configuration;
}

/** Formula, used, tensor, resident and device bytes, each in the look that it has in every chart. */
function levelsChart(picture: PolicyPicture, theme: ChartTheme, text: ChartText): LineConfiguration {
  const points = policyPoints(picture.record, picture);
  const lines = LEVELS.map((level) => ({
    ...{ level, index: 0, name: text.levels[level] },
    points: points.map(({ tokens, bytes }) => ({ x: tokens, y: bytes[level] })),
  })).filter((line) => line.points.some(({ y }) => y !== null));
  const { x, y } = axesOf(lines.map((line) => line.points));
  return lineChart(
    { datasets: lines.map((line) => dataset(line, [], theme, text)), x, y: { ...y, title: text.bytes } },
    theme,
    text,
  );
}

/** Linear from 0, or the tokens logarithmic where they spread over a factor of 16; bytes start at 0 all the same: some costs are 0. */
function axesOf(lines: readonly (readonly { x: number; y: number | null }[])[]) {
  const tokens = spanOf(lines.flatMap((points) => points.map(({ x }) => x)));
  const values = spanOf([0, ...lines.flatMap((points) => points.map(({ y }) => y))]);
  const logarithmic = wantsLogarithmic(tokens);
  return {
    x: { span: tokens && !logarithmic ? { ...tokens, min: 0 } : tokens, logarithmic, widen: logarithmic },
    y: { span: values, logarithmic: false },
  };
}

function comparison(
  lines: readonly Line[],
  title: string,
  theme: ChartTheme,
  text: ChartText,
  colours: readonly string[],
  counts = false,
): LineConfiguration {
  const drawn = lines.filter(({ points }) => points.some(({ y }) => y !== null));
  const { x, y } = axesOf(drawn.map(({ points }) => points));
  const datasets = drawn.map(({ label, look: at, points }): ChartDataset<'line', Point[]> => {
    const look = LOOKS[at % LOOKS.length] ?? LOOKS[0];
    const colour = colours[at % LOOKS.length] ?? theme.ink;
    return {
      ...{ label, data: points, borderColor: colour, borderWidth: look.width },
      borderDash: [...look.dash],
      pointStyle: SHAPES[at % SHAPES.length] ?? 'circle',
      ...{ pointBorderColor: colour, pointBorderWidth: 1.5, pointBackgroundColor: 'transparent' },
      ...{ pointRadius: look.radius, pointHoverRadius: look.radius + 2, clip: look.radius + 3 },
      spanGaps: false,
      // Later ones are drawn over earlier, wider ones.
      order: LOOKS.length - at,
    };
  });
  const configuration = lineChart({ datasets, x, y: { ...y, title, counts } }, theme, text);
  return {
    ...configuration,
    plugins: [endLabels],
    options: {
      ...configuration.options,
      layout: { padding: { right: labelRoom(drawn.map(({ label }) => label)) } },
    },
  };
}
