/** Charts on a real canvas: gaps stay gaps, updates keep the instance, a canvas is never refused. */
import { Chart } from 'chart.js';
import { afterEach, expect, it } from 'vitest';
import { growthRecord, lengthRecord } from '../protocol/sample-record.fixture';
import type { LabRecord } from '../protocol/record';
import { deltaChart } from './growth-chart';
import { lengthChart } from './length-chart';
import { createChart, updateChart } from './setup';
import { text, theme } from './testing.fixture';

const length = (record: LabRecord) => lengthChart(record, theme, text);

function canvas(): HTMLCanvasElement {
  const box = document.createElement('div');
  box.style.cssText = 'width: 600px; height: 300px; position: relative';
  document.body.append(box);
  return box.appendChild(document.createElement('canvas'));
}

afterEach(() => {
  for (const chart of Object.values(Chart.instances)) chart.destroy();
  document.body.replaceChildren();
});

it('draws points and leaves gaps', () => {
  const record = lengthRecord();
  const cells = record.cells
    .slice(0, 3)
    .map((cell, index) => (index === 1 ? { ...cell, residentBytes: null } : cell));
  const chart = createChart(canvas(), length({ ...record, cells }));
  const resident = chart.getDatasetMeta(2).data;
  expect(resident.map((point) => (point as unknown as { skip: boolean }).skip)).toEqual([false, true, false]);
  expect(chart.scales['x']?.ticks.map((tick) => tick.value)).toContain(512);
  expect(chart.scales['y']?.min).toBe(0);
});

it('keeps one instance over 200 updates, and lines that were switched off (field report E12)', () => {
  const chart = createChart(canvas(), deltaChart(growthRecord(128, 0), theme, text));
  for (let steps = 1; steps <= 200; steps += 1) {
    updateChart(chart, deltaChart(growthRecord(128, steps), theme, text));
    if (steps === 1) chart.hide(1);
  }
  expect(Object.keys(Chart.instances)).toHaveLength(1);
  expect(chart.getDatasetMeta(0).data).toHaveLength(200);
  expect([chart.isDatasetVisible(0), chart.isDatasetVisible(1)]).toEqual([true, false]);
});

it('takes a canvas that has a chart (field report E13)', () => {
  const on = canvas();
  createChart(on, length(lengthRecord()));
  const second = createChart(on, length(lengthRecord()));
  expect(Object.values(Chart.instances)).toEqual([second]);
});

it('changes from linear to logarithmic axes on the same chart', () => {
  const record = lengthRecord();
  const chart = createChart(canvas(), length(record));
  const cells = record.cells.slice(0, 2).map((cell, index) => ({ ...cell, tokens: index === 0 ? 1 : 4096 }));
  updateChart(chart, length({ ...record, cells }));
  expect(chart.scales['x']?.type).toBe('logarithmic');
  expect([chart.scales['x']?.min, chart.scales['x']?.max]).toEqual([1, 4096]);
});
