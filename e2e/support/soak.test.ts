/** The soak's own arithmetic: its plan, its line through samples and its report. */
import { describe, expect, it } from 'vitest';
import { parseRecipe } from '../../src/protocol/options';
import { pointAt, refusalsAt, roomAt } from '../soak/judge-policy';
import { planSoak } from '../soak/plan';
import { closingSentence, soakTables } from '../soak/report';
import { judgeSlope, slopeOf, studentT } from '../soak/slope';

describe('the plan', () => {
  const plan = planSoak({ runs: 200, seed: 1 });

  it('is the same for the same seed, and another for another', () => {
    expect(planSoak({ runs: 200, seed: 1 })).toEqual(plan);
    expect(planSoak({ runs: 200, seed: 2 })).not.toEqual(plan);
  });

  it('has as many runs as it was asked for, and ends with a control', () => {
    for (const runs of [1, 2, 3, 12, 200]) {
      const some = planSoak({ runs, seed: 3 });
      expect(some.map(({ number }) => number)).toEqual(Array.from({ length: runs }, (_, index) => index + 1));
      expect(some.at(-1)?.kind).toBe('control');
    }
  });

  it('follows each run that was disturbed by a control on the same device', () => {
    plan.forEach(({ kind, device }, index) => {
      if (kind === 'plain' || kind === 'control') return;
      expect(plan[index + 1]).toMatchObject({ kind: 'control', query: `tokens=8&device=${device}` });
    });
  });

  it('has every kind, both backends, and a loss of the device in every phase', () => {
    expect([...new Set(plan.map(({ kind }) => kind))].sort()).toEqual(
      'allocator bad-recipe cancel cancel-early control crash destroy mismatch out-of-memory plain refuse validation'.split(
        ' ',
      ),
    );
    expect(new Set(plan.map(({ device }) => device))).toEqual(new Set(['webgpu', 'wasm']));
    const lost = plan.flatMap(({ disturbance }) =>
      disturbance?.kind === 'destroy' ? [disturbance.at.phase] : [],
    );
    expect(new Set(lost)).toEqual(new Set(['load-model', 'prefill', 'decode', 'check', 'release']));
  });

  it('has recipes that the page takes, except those that are there to be refused', () => {
    for (const { kind, query } of plan) {
      const { faults, notices } = parseRecipe(new URLSearchParams(query));
      expect(notices, query).toEqual([]);
      expect(faults.length > 0, query).toBe(kind === 'bad-recipe');
    }
  });
});

describe('what a policy must come to', () => {
  const LENGTH = 'model=tiny&tokens=9,16&policy=static';
  const GROWTH = 'experiment=growth&tokens=9&steps=3&policy=static';

  it.each([
    ['tokens=9,16', 9, null],
    [LENGTH, 9, 16],
    [GROWTH, 9, 12],
    [`${LENGTH}&room=14`, 9, 14],
    [`${LENGTH}&room=14&overflow=refuse`, 16, 14],
    [`${LENGTH}&room=14&overflow=move`, 14, 14],
    [`${LENGTH}&room=14&overflow=move`, 15, 28],
    [`${LENGTH}&room=14&overflow=move`, 29, 56],
    // Whole blocks: 16 is four of 4; 14 is one of 16.
    ['model=tiny&tokens=9,15&policy=paged&block=4', 9, 16],
    ['model=tiny&tokens=9,15&policy=paged&room=14&overflow=refuse', 9, 16],
    ['model=tiny&tokens=9,15&policy=paged&block=4&room=14&overflow=move', 17, 32],
    ['model=tiny&tokens=9,15&policy=quantised', 9, null],
  ])('%s at %i tokens has room for %j', (query, tokens, room) => {
    expect(roomAt(query, pointAt(query, tokens))).toBe(room);
  });

  it.each([
    [LENGTH, 16, []],
    [GROWTH, 12, []],
    [`${LENGTH}&room=14&overflow=refuse`, 14, []],
    [`${LENGTH}&room=14&overflow=refuse`, 15, ['static-full']],
    [`${LENGTH}&room=14&overflow=move`, 15, []],
    ['model=latent:deepseek-ai/DeepSeek-V3:layers=1&tokens=9&policy=static', 9, ['static-not-grouped']],
    ['model=twin:LiquidAI/LFM2.5-VL-1.6B:layers=3&tokens=9&policy=static&device=wasm', 9, ['static-states']],
    // The plan has refused it before the graph is looked at (seen in a soak, run 45 of seed 1).
    [
      'model=twin:LiquidAI/LFM2.5-VL-1.6B:layers=3&tokens=10,18&policy=static&room=14&overflow=refuse',
      18,
      ['static-states', 'static-full'],
    ],
    ['model=twin:LiquidAI/LFM2.5-VL-1.6B:layers=3&tokens=9&policy=dynamic', 9, []],
    ['model=tiny&tokens=9,17&policy=paged&room=14&overflow=refuse', 17, ['paged-full']],
    ['model=tiny&tokens=9,17&policy=paged&room=14&overflow=refuse', 16, []],
    ['model=latent:deepseek-ai/DeepSeek-V3:layers=1&tokens=9&policy=quantised', 9, ['quantised-not-grouped']],
    ['model=twin:LiquidAI/LFM2.5-VL-1.6B:layers=3&tokens=9&policy=paged', 9, ['paged-states']],
  ])('%s at %i tokens is refused for one of %j', (query, tokens, codes) => {
    expect(refusalsAt(query, pointAt(query, tokens))).toEqual(codes);
  });
});

describe('the line through samples', () => {
  const points = [1, 3, 2, 5, 4, 6].map((y, index) => ({ x: index + 1, y }));

  it('has slope and 95 % margin of least squares', () => {
    const { slope, margin } = slopeOf(points) ?? { slope: NaN, margin: NaN };
    // By hand: 15.5 / 17.5; residual sum of squares 3.7714 of 4 degrees, t = 2.7764 (tables): 2.7764 x sqrt(0.94286 / 17.5).
    expect(slope).toBeCloseTo(0.885714, 6);
    expect(margin).toBeCloseTo(0.6444, 2);
  });

  it.each([
    [4, 2.7764],
    [10, 2.2281],
    [30, 2.0423],
    [100, 1.984],
  ])('knows Student’s t at %i degrees: %f', (degrees, value) => {
    expect(studentT(degrees)).toBeCloseTo(value, 2);
  });

  it('says nothing from a few points, or from all at one place', () => {
    expect(slopeOf(points.slice(0, 5))).toBeNull();
    expect(slopeOf(points.map(({ y }) => ({ x: 1, y })))).toBeNull();
  });

  it.each([
    [{ slope: 0.05, margin: 0.02 }, 'flat'],
    [{ slope: 0.3, margin: 0.1 }, 'grows'],
    [{ slope: 0.05, margin: 0.2 }, 'undecided'],
    [{ slope: -1, margin: 0.5 }, 'flat'],
    [null, 'undecided'],
  ] as const)('judges %j against 20 in 200: %s', (slope, verdict) => {
    expect(judgeSlope(slope, { limit: 20, span: 200 })).toBe(verdict);
  });
});

it('tells of problems in its tables and in its last sentence', () => {
  const [run] = planSoak({ runs: 1, seed: 1 });
  if (run === undefined) throw new Error('there is no run');
  const row = { run, status: 'done', faults: [], fired: false, ms: 1, problems: [], sample: null };
  const fine = { rows: [row], series: [], problems: [] };
  const series = {
    name: 'heapBytes',
    first: 0,
    last: 0,
    samples: 9,
    slope: null,
    limit: 2 ** 20,
    verdict: 'undecided',
  } as const;
  expect(closingSentence(fine)).toContain('1 runs in one page without a reload');
  expect(closingSentence({ ...fine, series: [series] })).toContain('Too few samples to tell: heapBytes.');
  expect(closingSentence({ ...fine, rows: [{ ...row, problems: ['a'] }] })).toBe(
    '1 runs in one page: 1 problem.',
  );
  expect(soakTables({ ...fine, series: [series] })).toContain('| control | 1 |  | 0 |');
});
