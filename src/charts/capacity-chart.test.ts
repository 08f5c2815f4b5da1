/** The planner's chart: what is drawn, and by which signs models are told apart. */
import { expect, it } from 'vitest';
import { capacityChart } from './capacity-chart';
import { text as TEXT, theme as THEME } from './testing.fixture';

const WORDS = { sessions: 'sessions', context: 'tokens per session' };
/** The second article's table. */
const PICTURE = {
  models: [
    {
      name: 'Qwen3-8B',
      points: [
        { x: 4096, y: 115 },
        { x: 8192, y: 57 },
        { x: 32_768, y: 14 },
      ],
    },
    {
      name: 'Qwen3-32B',
      points: [
        { x: 4096, y: 18 },
        { x: 8192, y: 9 },
        { x: 32_768, y: 2 },
      ],
    },
  ],
};

it('draws a line a model, each with its own dash and shape', () => {
  const { data } = capacityChart(PICTURE, THEME, TEXT, WORDS);
  expect(data.datasets.map(({ label, data: points }) => [label, points.length])).toEqual([
    ['Qwen3-8B', 3],
    ['Qwen3-32B', 3],
  ]);
  const signs = data.datasets.map(({ borderDash, pointStyle }) => JSON.stringify([borderDash, pointStyle]));
  expect(new Set(signs).size).toBe(2);
});

it('has logarithmic axes where sessions are far apart, and a linear one from 0 where they are not', () => {
  const far = capacityChart(PICTURE, THEME, TEXT, WORDS).options?.scales;
  expect([far?.['x']?.type, far?.['y']?.type]).toEqual(['logarithmic', 'logarithmic']);
  const near = capacityChart({ models: PICTURE.models.slice(1) }, THEME, TEXT, WORDS).options?.scales;
  expect(near?.['y']).toMatchObject({ type: 'linear', min: 0 });
});

it('draws axes where there is nothing to draw', () => {
  expect(
    capacityChart({ models: [{ name: 'x', points: [] }] }, THEME, TEXT, WORDS).data.datasets[0]?.data,
  ).toEqual([]);
});
