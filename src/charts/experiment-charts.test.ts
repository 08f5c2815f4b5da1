/** The charts of dtypes, batches, KV heads and of weights against cache: the right points, gaps, one shape a level. */
import { describe, expect, it } from 'vitest';
import { lengthRecord, sampleCell } from '../protocol/sample-record.fixture';
import type { Cell } from '../protocol/record';
import { barsChart, type BarsConfiguration } from './bars-chart';
import type { LineConfiguration } from './line-chart';
import { weightsChart, type WeightsPicture } from './weights-chart';
import { text, theme } from './testing.fixture';

const datasetsOf = (chart: BarsConfiguration | LineConfiguration): Record<string, unknown[]> =>
  Object.fromEntries(
    chart.data.datasets.map(({ label, data }) => [label ?? '', data.map(({ x, y }) => [x, y])]),
  );

describe('barsChart', () => {
  const words = { axis: 'variant', process: 'page', category: ({ dtype }: Cell) => [dtype] };
  const bars = (cells: Cell[], process = false) =>
    barsChart({ ...lengthRecord(), cells }, theme, text, words, {
      levels: ['formula', 'tensor', 'resident'],
      process,
    });

  it('has a bar for each measured category and the formula over it; bfloat16 is a formula without a bar', () => {
    const chart = bars([
      sampleCell(),
      sampleCell({ dtype: 'fp16', formulaBytes: 1572864, tensorBytes: 1572864, residentBytes: null }),
      sampleCell({ dtype: 'bf16', formulaBytes: 1572864, tensorBytes: null, residentBytes: null }),
    ]);
    expect(chart.data.labels).toEqual([['fp32'], ['fp16'], ['bf16']]);
    expect(datasetsOf(chart)).toEqual({
      formula: [
        [0, 3145728],
        [1, 1572864],
        [2, 1572864],
      ],
      tensor: [
        [0, 3145728],
        [1, 1572864],
        [2, null],
      ],
      resident: [
        [0, 3145728],
        [1, null],
        [2, null],
      ],
    });
    expect(chart.data.datasets.map(({ type }) => type)).toEqual(['line', 'bar', 'line']);
  });

  it('has one category a point, the last measured repeat', () => {
    const chart = bars([
      sampleCell({ residentBytes: 1 }),
      sampleCell({ repeat: 1, residentBytes: 2 }),
      sampleCell({ repeat: 2, tensorBytes: null, residentBytes: null }),
    ]);
    expect(datasetsOf(chart)['resident']).toEqual([[0, 2]]);
  });

  it('shows what page memory moved by only where it was taken and asked for, also below 0', () => {
    const cells = [sampleCell({ processBytesBefore: 5000, processBytes: 3000 })];
    expect(datasetsOf(bars(cells))['page']).toBeUndefined();
    const chart = bars(cells, true);
    expect(datasetsOf(chart)['page']).toEqual([[0, -2000]]);
    expect(Number(chart.options?.scales?.['y']?.min)).toBeLessThanOrEqual(-2000);
    expect(datasetsOf(bars([sampleCell()], true))['page']).toBeUndefined();
  });

  it('shows what page memory moved by in every repeat, at the same place', () => {
    const cells = [
      sampleCell({ processBytesBefore: 5000, processBytes: 3000 }),
      sampleCell({ repeat: 1, processBytesBefore: 1000, processBytes: 1700 }),
    ];
    expect(datasetsOf(bars(cells, true))['page']).toEqual([
      [0, -2000],
      [0, 700],
    ]);
  });

  it('never draws NaN or Infinity', () => {
    const chart = bars([sampleCell({ formulaBytes: Number.NaN, residentBytes: Infinity })]);
    expect(Object.keys(datasetsOf(chart))).toEqual(['tensor']);
  });
});

describe('weightsChart', () => {
  const words = {
    weights: 'weights',
    oneSequence: 'one',
    severalSequences: 'several',
    crossing: 'crossing',
    axis: 'axis',
  };
  /** GPT-2 in float32: 73,728 bytes per token, 497,759,232 weight bytes, 1,024 positions. */
  const picture: WeightsPicture = {
    weightBytes: 497759232,
    line: [
      { x: 128, y: 9437184 },
      { x: 1024, y: 75497472 },
      { x: 16384, y: 1207959552 },
    ],
    crossing: 6751.29,
    maxPositions: 1024,
    measured: [{ x: 512, y: 37748736 }],
    x: { min: 128, max: 16384 },
    y: { min: 9437184, max: 1207959552 },
  };

  it('crosses a level line with a rising one, dotted beyond the maximum position', () => {
    const chart = weightsChart(picture, theme, text, words);
    expect(datasetsOf(chart)).toEqual({
      weights: [
        [128, 497759232],
        [1024, 497759232],
        [16384, 497759232],
      ],
      one: [
        [128, 9437184],
        [1024, 75497472],
      ],
      several: [
        [1024, 75497472],
        [16384, 1207959552],
      ],
      tensor: [[512, 37748736]],
      crossing: [[6751.29, 497759232]],
    });
    expect([chart.options?.scales?.['x']?.type, chart.options?.scales?.['y']?.type]).toEqual([
      'logarithmic',
      'logarithmic',
    ]);
  });

  it('has no dotted line without a maximum position, and no marks for what is not there', () => {
    const chart = weightsChart(
      { ...picture, maxPositions: null, crossing: null, measured: [] },
      theme,
      text,
      words,
    );
    expect(Object.keys(datasetsOf(chart))).toEqual(['weights', 'one']);
  });
});
