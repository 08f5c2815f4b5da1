/** The engines' chart: a line each with a look of its own, gaps where nothing can be drawn. */
import { describe, expect, it } from 'vitest';
import { engineChart } from './engine-chart';
import { text, theme } from './testing.fixture';

const LINES = [
  { name: 'ideal', points: [1, 2, 4].map((tokens) => ({ tokens, bytes: 100 * tokens })) },
  {
    name: 'llama.cpp',
    points: [
      { tokens: 1, bytes: 25_600 },
      { tokens: 2, bytes: null },
      { tokens: 4, bytes: 0 },
    ],
  },
];

describe('the chart of engines', () => {
  const { data, options } = engineChart(LINES, theme, text, ['red', 'blue']);

  it('has a line each, told apart by dash and shape too', () => {
    expect(data.datasets.map(({ label }) => label)).toEqual(['ideal', 'llama.cpp']);
    const looks = data.datasets.map(({ borderDash, pointStyle }) => JSON.stringify([borderDash, pointStyle]));
    expect(new Set(looks).size).toBe(2);
  });
  it('leaves gaps where an engine refuses or keeps nothing', () => {
    expect(data.datasets[1]?.data.map(({ y }) => y)).toEqual([25_600, null, null]);
  });
  it('has logarithmic axes around all points', () => {
    expect(options?.scales?.['x']).toMatchObject({ type: 'logarithmic', min: 1, max: 4 });
    expect(options?.scales?.['y']).toMatchObject({ type: 'logarithmic', min: 64, max: 32_768 });
  });
});
