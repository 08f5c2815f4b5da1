/** Several records in one chart: a line each, all visible where the bytes are equal, gaps where nothing was measured. */
import { describe, expect, it } from 'vitest';
import type { LabRecord } from '../protocol/record';
import { growthRecord, lengthRecord, sampleCell } from '../protocol/sample-record.fixture';
import type { ChartText } from './chart-text';
import { compareChart } from './compare-chart';
import { LOOK_COLOURS } from './looks';
import { text as words, theme } from './testing.fixture';

const text: ChartText = { ...words, modelName: (id) => id.replace(/^.*\//, '') };
const chart = (records: LabRecord[], level: 'tensor' | 'resident' = 'tensor') =>
  compareChart(
    records.map((record, index) => ({ name: `record ${String(index + 1)}`, record })),
    level,
    theme,
    text,
    LOOK_COLOURS,
  );
const withCells = (cells: LabRecord['cells']): LabRecord => ({ ...lengthRecord(), cells });

describe('lines', () => {
  it('are one a record, over the same axis, without what was skipped everywhere', () => {
    const { data } = chart([lengthRecord(), lengthRecord()]);
    expect(data.datasets.map(({ label }) => label)).toEqual(['record 1', 'record 2']);
    expect(data.datasets[1]?.data).toEqual([
      { x: 128, y: 3145728 },
      { x: 129, y: 3170304 },
      { x: 512, y: 12582912 },
    ]);
  });

  it('show the level that was asked for', () => {
    const { data, options } = chart([lengthRecord()], 'resident');
    expect(data.datasets[0]?.data.map(({ y }) => y)).toEqual([3145728, 6291456, 12582912]);
    expect(options?.scales?.['y']).toMatchObject({ title: { text: 'resident' } });
  });

  it('of a level that a record lacks are not drawn', () => {
    const wasm = withCells([sampleCell({ residentBytes: null })]);
    expect(chart([wasm, lengthRecord()], 'resident').data.datasets.map(({ label }) => label)).toEqual([
      'record 2',
    ]);
  });

  it('say what sets them apart, and have a shape each', () => {
    const fp16 = sampleCell({ dtype: 'fp16', tensorBytes: 1572864 });
    const { datasets } = chart([withCells([sampleCell(), fp16]), withCells([fp16])]).data;
    expect(datasets.map(({ label, pointStyle }) => [label, pointStyle])).toEqual([
      ['record 1 · fp32', 'circle'],
      ['record 1 · fp16', 'rect'],
      ['record 2 · fp16', 'rect'],
    ]);
  });

  it('of growths run from the prompt on, beside cells', () => {
    const { datasets } = chart([growthRecord(128, 2), lengthRecord()]).data;
    expect(datasets[0]?.data.map(({ x }) => x)).toEqual([128, 129, 130]);
    expect(datasets[1]?.data.map(({ x }) => x)).toEqual([128, 129, 512]);
  });
});

describe('equal lines', () => {
  it('are all visible: each later one is thinner, on top, with smaller hollow points, another colour and dash', () => {
    const { datasets } = chart([lengthRecord(), lengthRecord(), lengthRecord()]).data;
    const falling = (values: (number | undefined)[]) =>
      values.every((value, index) => index === 0 || Number(value) < Number(values[index - 1]));
    expect(falling(datasets.map(({ borderWidth }) => borderWidth as number))).toBe(true);
    expect(falling(datasets.map(({ pointRadius }) => (pointRadius as number[])[0]))).toBe(true);
    // Chart.js draws the lowest order last.
    expect(falling(datasets.map(({ order }) => order))).toBe(true);
    expect(datasets.map(({ borderColor }) => borderColor)).toEqual([
      '--record-1',
      '--record-2',
      '--record-3',
    ]);
    expect(new Set(datasets.map(({ borderDash }) => JSON.stringify(borderDash))).size).toBe(3);
    expect(datasets.every(({ pointBackgroundColor }) => pointBackgroundColor === 'transparent')).toBe(true);
  });
});

describe('axes', () => {
  it('begin at 0, and are logarithmic when the tokens spread over a factor of 16', () => {
    expect(chart([lengthRecord()]).options?.scales?.['x']).toMatchObject({ type: 'linear', min: 0 });
    const wide = withCells([sampleCell({ tokens: 16 }), sampleCell({ tokens: 512 })]);
    expect(chart([wide]).options?.scales?.['x']).toMatchObject({ type: 'logarithmic', min: 16, max: 512 });
  });
});
