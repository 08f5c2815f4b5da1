/** Parts of a plan: every machine finds the same ones, and together they are the whole. */
import { describe, expect, it } from 'vitest';
import type { Pass } from '../protocol/messages';
import { ARTICLE_MODELS, defaultRecipe } from '../protocol/recipe';
import { planRun } from './plan';
import { shardOf } from './shard';
import { MODELS } from './testing.fixture';
import { unitsOf } from './units';

const article = () =>
  planRun({ ...defaultRecipe('length'), model: ARTICLE_MODELS, tokens: [128, 512, 1024, 2048, 4096] }, MODELS)
    .passes;
const batches = () => planRun(defaultRecipe('batch'), MODELS).passes;

const partsOf = (passes: Pass[], count: number) =>
  Array.from({ length: count }, (_, at) => shardOf(passes, { index: at + 1, count }));
const subjectOf = ({ model, dtype, batch, repeat }: Pass) => `${model} ${dtype} ${batch} ${repeat}`;
/** Every point of some passes, sorted; a point that two parts have is there twice. */
const pointsOf = (passes: Pass[]) =>
  passes
    .flatMap((pass) =>
      pass.work.kind === 'length'
        ? [
            ...pass.work.stops.map((stop) => `${subjectOf(pass)} at ${stop}`),
            ...(pass.work.steps > 0 ? [`${subjectOf(pass)} + ${pass.work.steps}`] : []),
          ]
        : [`${subjectOf(pass)} growth of ${pass.work.kind === 'growth' ? pass.work.steps : 0}`],
    )
    .sort();
const load = (passes: Pass[]) => passes.reduce((sum, pass) => sum + unitsOf(pass, Infinity), 0);

describe('shardOf', () => {
  it('one part of one is the whole plan', () => {
    expect(shardOf(batches(), { index: 1, count: 1 })).toEqual(batches());
    expect(shardOf(article(), { index: 1, count: 1 })).toEqual(article());
  });

  it.each([2, 3, 4, 5, 12])('%i parts of 12 passes have every pass once', (count) => {
    const parts = partsOf(batches(), count);
    expect(pointsOf(parts.flat())).toEqual(pointsOf(batches()));
    expect(parts.every((part) => part.length > 0)).toBe(true);
  });

  it('counts the ids of a part from 0, in the plan’s order', () => {
    for (const part of partsOf(batches(), 4)) {
      expect(part.map(({ id }) => id)).toEqual(part.map((_, at) => at));
      const order = batches().map(subjectOf);
      const places = part.map((pass) => order.indexOf(subjectOf(pass)));
      expect(places).toEqual([...places].sort((a, b) => a - b));
    }
  });

  it.each([2, 3, 4, 5])('deals %i parts out evenly, up to the largest pass', (count) => {
    const loads = partsOf(batches(), count).map(load);
    // Batch 8: 8 x (640 for 512 tokens + 8 x the 1 + 512.5 / 1024 of one more token) = 5,216.03125.
    const largest = 8 * (640 + 8 * (1 + 512.5 / 1024));
    expect(Math.max(...loads) - Math.min(...loads)).toBeLessThanOrEqual(largest);
  });

  it('deals the most work out first, always to the part with the least', () => {
    // In sequences: 8 | 8 | 8 | 4, 4 — then the third 4 to the first of four equals, and so on.
    expect(partsOf(batches(), 4).map((part) => part.map(({ batch }) => batch))).toEqual([
      [4, 8],
      [1, 2, 8],
      [1, 2, 8],
      [1, 2, 4, 4],
    ]);
  });

  it('is the same on every machine', () => {
    expect(partsOf(article(), 3)).toEqual(partsOf(article(), 3));
  });

  it('more parts than passes deal out the stops, decode steps with the last', () => {
    const parts = partsOf(article(), 4);
    expect(pointsOf(parts.flat())).toEqual(pointsOf(article()));
    expect(parts.every((part) => part.length > 0)).toBe(true);
    const [pass] = batches();
    if (pass === undefined) throw new Error('no pass');
    const long: Pass = { ...pass, work: { kind: 'length', stops: [64, 128, 256], steps: 2 } };
    expect(partsOf([long], 3).map((part) => part.map(({ work }) => work))).toEqual([
      [{ kind: 'length', stops: [256], steps: 2 }],
      [{ kind: 'length', stops: [128], steps: 0 }],
      [{ kind: 'length', stops: [64], steps: 0 }],
    ]);
  });

  it('a growth stays whole, and parts may be empty', () => {
    const growth = planRun({ ...defaultRecipe('growth'), model: ARTICLE_MODELS.slice(0, 1) }, MODELS).passes;
    expect(partsOf(growth, 3)).toEqual([growth, [], []]);
    expect(shardOf([], { index: 1, count: 2 })).toEqual([]);
  });
});
