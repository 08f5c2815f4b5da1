/** Charts as pure functions of records: the right points, gaps instead of zeros, one style a level, ticks at powers of two. */
import type { Scale } from 'chart.js';
import { describe, expect, it } from 'vitest';
import type { LabRecord } from '../protocol/record';
import {
  GPT2,
  growthRecord,
  lengthRecord,
  QWEN,
  sampleCell,
  sampleGrowth,
} from '../protocol/sample-record.fixture';
import { linearTicks, logarithmicTicks } from './axes';
import type { ChartText, ChartTheme } from './chart-text';
import { deltaChart, growthChart } from './growth-chart';
import { lengthChart } from './length-chart';
import type { LineConfiguration } from './line-chart';
import { chartRows } from './rows';

const theme: ChartTheme = {
  levels: { formula: '#111111', used: '#888888', tensor: '#222222', resident: '#333333', device: '#444444' },
  ink: '#555555',
  grid: '#666666',
  background: '#777777',
};
const text: ChartText = {
  levels: {
    formula: 'formula bytes',
    used: 'used bytes',
    tensor: 'tensor bytes',
    resident: 'resident bytes',
    device: 'device bytes',
  },
  tokens: 'tokens',
  bytes: 'bytes',
  deltaUsed: 'used per step',
  deltaTensor: 'tensor per step',
  deltaResident: 'resident per step',
  bytesPerStep: 'bytes per step',
  modelName: (id) => `<b>${id}</b>`,
  formatInteger: (value) => `int ${value}`,
  formatBytes: (bytes) => `bytes ${bytes}`,
};

const length = (record: LabRecord) => lengthChart(record, theme, text);
const labels = (chart: LineConfiguration) => chart.data.datasets.map((line) => line.label);
const points = (chart: LineConfiguration, label: string) =>
  chart.data.datasets.find((line) => line.label === label)?.data.map(({ x, y }) => [x, y]);

interface AxisShown {
  type: string;
  min: number;
  max: number;
  ticks: number[];
}

/** What an axis would show: chart.js calls afterBuildTicks with the scale. */
function axisOf(chart: LineConfiguration, name: 'x' | 'y'): AxisShown {
  const axis = chart.options?.scales?.[name];
  const scale = { ticks: [] as { value: number }[] };
  axis?.afterBuildTicks?.(scale as unknown as Scale);
  return {
    type: String(axis?.type),
    min: Number(axis?.min),
    max: Number(axis?.max),
    ticks: scale.ticks.map((tick) => tick.value),
  };
}

/** One model’s cells only. */
const qwenOnly = (): LabRecord => ({
  ...lengthRecord(),
  cells: lengthRecord().cells.filter((cell) => cell.model === QWEN),
});

describe('lengthChart', () => {
  it('draws the four levels of one model without naming it', () => {
    const chart = length(qwenOnly());
    expect(labels(chart)).toEqual(['formula bytes', 'tensor bytes', 'resident bytes', 'device bytes']);
    expect(points(chart, 'formula bytes')).toEqual([
      [128, 3145728],
      [129, 3170304],
      [512, 12582912],
    ]);
    expect(points(chart, 'resident bytes')).toEqual([
      [128, 3145728],
      [129, 6291456],
      [512, 12582912],
    ]);
    expect(points(chart, 'device bytes')?.[1]).toEqual([129, 32385920]);
  });

  it('passes labels from the record on as text', () => {
    const cells = [sampleCell(), sampleCell({ model: '<script>' })];
    expect(labels(length({ ...lengthRecord(), cells }))).toContain('tensor bytes · <b><script></b>');
  });

  it('draws skipped and unmeasured points as gaps, and no line for a level that was measured nowhere', () => {
    const cells = [
      sampleCell({ tokens: 1, residentBytes: null, deviceBytes: { before: null, after: null, peak: null } }),
      sampleCell({ tokens: 2, deviceBytes: { before: null, after: null, peak: null } }),
      sampleCell({
        tokens: 3,
        tensorBytes: null,
        residentBytes: null,
        skipped: 'no',
        deviceBytes: { before: 1, after: 2, peak: 3 },
      }),
    ];
    const chart = length({ ...lengthRecord(), cells });
    expect(labels(chart)).toEqual(['formula bytes', 'tensor bytes', 'resident bytes']);
    expect(points(chart, 'formula bytes')).toEqual([
      [1, 3145728],
      [2, 3145728],
      [3, null],
    ]);
    expect(points(chart, 'resident bytes')).toEqual([
      [1, null],
      [2, 3145728],
      [3, null],
    ]);
    expect(chart.data.datasets.every((line) => line.spanGaps === false)).toBe(true);
  });

  it('never draws NaN, Infinity or, on a logarithmic axis, 0 (field report E14)', () => {
    const cells = [
      sampleCell({ tokens: 1, formulaBytes: 0, tensorBytes: Number.NaN, residentBytes: Infinity }),
      sampleCell({ tokens: 4096 }),
    ];
    const chart = length({ ...lengthRecord(), cells });
    expect(axisOf(chart, 'x').type).toBe('logarithmic');
    for (const label of ['formula bytes', 'tensor bytes', 'resident bytes']) {
      expect(points(chart, label)).toEqual([
        [1, null],
        [4096, 3145728],
      ]);
    }
  });

  it('keeps one dash and point shape a level, and tells models apart without colour', () => {
    const cells = [sampleCell(), sampleCell({ model: GPT2 })];
    const chart = length({ ...lengthRecord(), cells });
    const [first, second] = ['twin:Qwen/Qwen2.5-0.5B-Instruct', GPT2].map((model) =>
      chart.data.datasets.filter((line) => line.label?.endsWith(`<b>${model}</b>`)),
    );
    expect(first).toHaveLength(4);
    expect(new Set(first?.map((line) => JSON.stringify(line.borderDash))).size).toBe(4);
    expect(new Set(first?.map((line) => line.pointStyle)).size).toBe(4);
    first?.forEach((line, index) => {
      const other = second?.[index];
      expect([other?.borderColor, other?.borderDash, other?.pointStyle]).toEqual([
        line.borderColor,
        line.borderDash,
        line.pointStyle,
      ]);
      expect(other?.borderWidth).not.toBe(line.borderWidth);
      expect([line.pointBackgroundColor, other?.pointBackgroundColor]).toEqual([line.borderColor, '#777777']);
    });
  });

  it('names what else sets lines apart', () => {
    const cells = [
      sampleCell(),
      sampleCell({ dtype: 'fp16', batch: 4, allocator: 'simple', device: 'wasm' }),
    ];
    expect(labels(length({ ...lengthRecord(), cells }))[4]).toBe(
      `formula bytes · <b>${QWEN}</b>, fp16, batch 4, simple, wasm`,
    );
  });

  it('draws the newest measured repeat', () => {
    const cells = [
      sampleCell({ residentBytes: 1 }),
      sampleCell({ repeat: 1, residentBytes: 2 }),
      sampleCell({ repeat: 2, tensorBytes: null, residentBytes: null, skipped: 'lost' }),
    ];
    expect(points(length({ ...lengthRecord(), cells }), 'resident bytes')).toEqual([[128, 2]]);
  });

  it('has linear axes from 0 for short spans, with ticks at powers of two and multiples', () => {
    const chart = length(qwenOnly());
    expect(axisOf(chart, 'x')).toEqual({
      type: 'linear',
      min: 0,
      max: 512,
      ticks: [0, 64, 128, 192, 256, 320, 384, 448, 512],
    });
    // Device bytes reach 46,017,408: ticks at 8 MiB.
    expect(axisOf(chart, 'y')).toEqual({
      type: 'linear',
      min: 0,
      max: 50331648,
      ticks: [0, 8388608, 16777216, 25165824, 33554432, 41943040, 50331648],
    });
  });

  it('has logarithmic axes for wide spans', () => {
    const cells = [128, 2048, 4096].map((tokens) =>
      sampleCell({
        tokens,
        formulaBytes: tokens * 24576,
        tensorBytes: tokens * 24576,
        residentBytes: tokens * 24576,
        deviceBytes: { before: null, after: null, peak: null },
      }),
    );
    const chart = length({ ...lengthRecord(), cells });
    expect(axisOf(chart, 'x')).toEqual({
      type: 'logarithmic',
      min: 128,
      max: 4096,
      ticks: [128, 256, 512, 1024, 2048, 4096],
    });
    expect(axisOf(chart, 'y')).toMatchObject({ type: 'logarithmic', min: 2097152, max: 134217728 });
  });

  it('is sane when nothing was measured', () => {
    const chart = length({ ...lengthRecord(), cells: [] });
    expect(labels(chart)).toEqual([]);
    expect(axisOf(chart, 'y')).toEqual({ type: 'linear', min: 0, max: 1, ticks: [0, 1] });
  });

  it('turns animation and parsing off', () => {
    expect(length(lengthRecord()).options).toMatchObject({ animation: false, parsing: false });
  });
});

describe('growth charts', () => {
  const record = growthRecord(127, 4);

  it('draws the levels from the prompt on', () => {
    const chart = growthChart(record, theme, text);
    expect(points(chart, 'tensor bytes')).toEqual([
      [127, 3121152],
      [128, 3145728],
      [129, 3170304],
      [130, 3194880],
      [131, 3219456],
    ]);
    expect(points(chart, 'formula bytes')?.[0]).toEqual([127, null]);
    expect(points(chart, 'resident bytes')?.map(([, y]) => y)).toEqual([
      3145728, 3145728, 6291456, 6291456, 6291456,
    ]);
  });

  it('draws both deltas of each step', () => {
    const chart = deltaChart(record, theme, text);
    expect(labels(chart)).toEqual(['tensor per step', 'resident per step']);
    expect(points(chart, 'tensor per step')?.map(([, y]) => y)).toEqual([24576, 24576, 24576, 24576]);
    expect(points(chart, 'resident per step')).toEqual([
      [128, 0],
      [129, 3145728],
      [130, 0],
      [131, 0],
    ]);
  });

  it('shows falling resident bytes below 0', () => {
    const growth = record.growth.map((each) => ({
      ...each,
      steps: each.steps.map((step) => ({ ...step, deltaResident: -1024 })),
    }));
    expect(axisOf(deltaChart({ ...record, growth }, theme, text), 'y').min).toBe(-4096);
  });

  it('keeps the token axis still while steps come', () => {
    const growth = [{ ...sampleGrowth(128, 32), steps: sampleGrowth(128, 32).steps.slice(0, 3) }];
    for (const build of [growthChart, deltaChart]) {
      expect(axisOf(build({ ...record, growth }, theme, text), 'x')).toEqual({
        type: 'linear',
        min: 128,
        max: 160,
        ticks: [128, 132, 136, 140, 144, 148, 152, 156, 160],
      });
    }
  });

  it('gives a long line a point shape only now and then', () => {
    const [line] = deltaChart(growthRecord(128, 1000), theme, text).data.datasets;
    const radii = line?.pointRadius;
    expect(Array.isArray(radii) ? radii.filter((radius) => Number(radius) > 0).length : 0).toBe(24);
  });

  it('draws nothing of a growth that never started', () => {
    const growth = [{ ...sampleGrowth(), promptTokens: 0, promptBytes: 0, steps: [], interrupted: 'lost' }];
    expect(labels(growthChart({ ...record, growth }, theme, text))).toEqual([]);
    expect(labels(deltaChart({ ...record, growth }, theme, text))).toEqual([]);
  });
});

describe('chartRows', () => {
  it('has one row a cell, and one a prompt and step', () => {
    expect(
      chartRows(lengthRecord()).length.map((row) => [row.tokens, row.levels.tensor, row.skipped !== null]),
    ).toEqual([
      [128, 3145728, false],
      [129, 3170304, false],
      [512, 12582912, false],
      [2048, null, true],
    ]);
    expect(
      chartRows(growthRecord(128, 2)).growth.map((row) => [row.step, row.tokens, row.deltaTensor]),
    ).toEqual([
      [0, 128, null],
      [1, 129, 24576],
      [2, 130, 24576],
    ]);
  });
});

describe('ticks', () => {
  it('are whole and few', () => {
    expect(linearTicks({ min: 0, max: 3 })).toEqual([0, 1, 2, 3]);
    expect(linearTicks({ min: 10, max: 10 })).toEqual([10]);
    expect(logarithmicTicks({ min: 1, max: 1048576 })).toEqual([1, 8, 64, 512, 4096, 32768, 262144]);
  });
});
