/** The charts of the experiment policies: which lines there are, what they show, and that warm-up is no part of a time. */
import { describe, expect, it } from 'vitest';
import { policiesRecord } from '../protocol/policies-record.fixture';
import { labelRoom, spreadOut } from './end-labels';
import { LOOK_COLOURS } from './looks';
import { policiesChart, policyCostChart, type PolicyPicture } from './policies-chart';
import { contextCosts, measuredSubjects } from './policies-rows';
import { text, theme } from './testing.fixture';

const words = {
  level: (level: string) => `${level} title`,
  ...{ ms: 'ms', copied: 'copied', context: 'context', formatMs: (ms: number) => `${String(ms)} ms` },
};
const picture = (patch: Partial<PolicyPicture> = {}): PolicyPicture => ({
  ...{ record: policiesRecord(), lines: 'policies', policy: 'dynamic', allocator: 'lazyRelease' },
  ...{ level: 'tensor', batch: 1, ...patch },
});
const draw = (patch?: Partial<PolicyPicture>) =>
  policiesChart(picture(patch), theme, text, words, LOOK_COLOURS);
const costs = (cost: 'ms' | 'copiedBytes', patch?: Partial<PolicyPicture>) =>
  policyCostChart(picture(patch), cost, theme, text, words, LOOK_COLOURS);

describe('bytes', () => {
  it('are a line a policy, each in a look of its own, over contexts and the steps behind them', () => {
    const { data, options } = draw();
    expect(data.datasets.map(({ label }) => label)).toEqual(['dynamic', 'static', 'quantised', 'paged']);
    const [dynamic, fixed, quantised] = data.datasets;
    expect(dynamic?.data).toHaveLength(20);
    // 2,048 bytes a token; buffers of a static cache are made for 4 tokens more; 576 bytes a token at 8 bits.
    expect(dynamic?.data[0]).toEqual({ x: 64, y: 131_072 });
    expect(fixed?.data.slice(0, 2)).toEqual([
      { x: 64, y: 139_264 },
      { x: 65, y: 139_264 },
    ]);
    expect(quantised?.data.at(-1)).toEqual({ x: 516, y: 297_216 });
    const signs = data.datasets.map(({ pointStyle, borderDash }) => JSON.stringify([pointStyle, borderDash]));
    expect(new Set(signs).size).toBe(4);
    expect(options?.scales?.['y']).toMatchObject({ title: { text: 'tensor title' } });
  });

  it('are a line a mode, without one that failed, in the look that a mode has whatever else is drawn', () => {
    const datasets = draw({ lines: 'allocators', level: 'resident' }).data.datasets;
    expect(datasets.map(({ label }) => label)).toEqual(['bucket', 'simple', 'lazyRelease']);
    const { cells, growth } = policiesRecord();
    const kept = <Point extends { allocator: string }>(points: Point[]): Point[] =>
      points.filter(({ allocator }) => allocator === 'simple');
    const record = policiesRecord({ cells: kept(cells), growth: kept(growth) });
    const [alone] = draw({ lines: 'allocators', record }).data.datasets;
    expect([alone?.label, alone?.borderColor]).toEqual(['simple', datasets[1]?.borderColor]);
  });

  it('are the levels of one policy in the looks of every chart; a growing cache has no used bytes', () => {
    const labels = (patch: Partial<PolicyPicture>) =>
      draw({ lines: 'levels', ...patch }).data.datasets.map(({ label }) => label);
    expect(labels({})).toEqual(['formula', 'tensor', 'resident', 'device']);
    expect(labels({ policy: 'paged' })).toEqual(['formula', 'used', 'tensor', 'resident', 'device']);
    expect(draw({ lines: 'levels' }).data.datasets.map(({ borderColor }) => borderColor)).toEqual([
      ...[theme.levels.formula, theme.levels.tensor, theme.levels.resident, theme.levels.device],
    ]);
  });
});

describe('the cost of a step', () => {
  it('is the median of steps in which no pipeline was built', () => {
    const [first, second] = contextCosts(policiesRecord(), { ...picture(), policy: 'dynamic' });
    // 912.5 ms of warm-up left out: 12.125, 12.25, 12.375; then 14, 14.125, 14.25, 14.375.
    expect(first).toEqual({ context: 64, ms: 12.25, steps: 3, warmUp: 1, copiedBytes: 134_144 });
    expect(second).toMatchObject({ context: 128, ms: 14.1875, steps: 4, warmUp: 0 });
  });

  it('is null where every step was of a warm-up', () => {
    const { growth } = policiesRecord();
    const warm = growth.map((one) => ({
      ...one,
      steps: one.steps.map((step) => ({ ...step, compiled: 1 })),
    }));
    expect(contextCosts(policiesRecord({ growth: warm }), picture())[0]).toMatchObject({
      ...{ ms: null, steps: 0, warmUp: 4 },
    });
    expect(costs('ms', { record: policiesRecord({ growth: warm }) }).data.datasets).toEqual([]);
  });

  it('has copies of nothing where a cache stays in place, and of all that it held where it is a new one', () => {
    const { data } = costs('copiedBytes', { lines: 'levels' });
    expect(data.datasets.map(({ label }) => label)).toEqual(['dynamic', 'static', 'quantised', 'paged']);
    expect(data.datasets[1]?.data.map(({ y }) => y)).toEqual([0, 0, 0, 0]);
    expect(data.datasets[0]?.data[0]).toEqual({ x: 64, y: 134_144 });
  });

  it('tells ms as ms in its tooltip', () => {
    const label = costs('ms').options?.plugins?.tooltip?.callbacks?.label as unknown as (
      item: object,
    ) => string;
    expect(label({ dataset: { label: 'static' }, parsed: { y: 9.5 } })).toBe('static: 9.5 ms');
  });
});

it('knows what was measured at all', () => {
  expect(measuredSubjects(policiesRecord())).toEqual({
    policies: ['dynamic', 'static', 'quantised', 'paged'],
    allocators: ['bucket', 'simple', 'lazyRelease'],
    batches: [1],
  });
});

describe('names at the ends of lines', () => {
  it('keep a line of text between them, in the order of the ends, within the chart', () => {
    expect(spreadOut([50, 100], 0, 200)).toEqual([50, 100]);
    expect(spreadOut([100, 100, 20], 0, 200)).toEqual([100, 115, 20]);
    expect(spreadOut([200, 198], 0, 200)).toEqual([200, 185]);
  });

  it('get more room for Korean letters', () => {
    expect(labelRoom([])).toBe(8);
    expect(labelRoom(['정책'])).toBe(32);
  });
});
