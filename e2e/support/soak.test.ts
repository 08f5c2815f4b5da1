/** The soak's own arithmetic: its plan, its line through samples, and its judgement of a run. */
import { describe, expect, it } from 'vitest';
import { parseRecipe } from '../../src/protocol/options';
import type { LabRecord } from '../../src/protocol/record';
import { judgeRun } from '../soak/judge-run';
import { refusalAt, roomAt } from '../soak/judge-static';
import { planSoak, type SoakRun } from '../soak/plan';
import { closingSentence, soakTables } from '../soak/report';
import type { Observed } from '../soak/session';
import { judgeSlope, slopeOf, studentT } from '../soak/slope';
import { bytesByHand } from '../soak/subjects';

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

describe('what policy static must come to', () => {
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
  ])('%s at %i tokens has room for %j', (query, tokens, room) => {
    expect(roomAt(query, tokens)).toBe(room);
  });

  it.each([
    [LENGTH, 16, null],
    [GROWTH, 12, null],
    [`${LENGTH}&room=14&overflow=refuse`, 14, null],
    [`${LENGTH}&room=14&overflow=refuse`, 15, 'static-full'],
    [`${LENGTH}&room=14&overflow=move`, 15, null],
    ['model=latent:deepseek-ai/DeepSeek-V3:layers=1&tokens=9&policy=static', 9, 'static-not-grouped'],
    ['model=twin:LiquidAI/LFM2.5-VL-1.6B:layers=3&tokens=9&policy=static&device=wasm', 9, 'static-states'],
    ['model=twin:LiquidAI/LFM2.5-VL-1.6B:layers=3&tokens=9&policy=dynamic', 9, null],
  ])('%s at %i tokens is refused for %j', (query, tokens, code) => {
    expect(refusalAt(query, tokens)).toBe(code);
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

describe('the judgement of a run', () => {
  const control: SoakRun = {
    number: 1,
    kind: 'control',
    query: 'tokens=8&device=webgpu',
    device: 'webgpu',
    disturbance: null,
    cancelMs: null,
  };
  const lost: SoakRun = {
    ...control,
    kind: 'destroy',
    disturbance: { kind: 'destroy', at: { phase: 'prefill', reports: 1, calls: 0 } },
  };
  const record = {
    status: 'done',
    cells: [
      { model: 'tiny', dtype: 'fp32', batch: 1, tokens: 8, tensorBytes: 16_384, ratio: 1, fault: null },
    ],
    growth: [],
    models: [{ id: 'tiny', deviceBytes: { beforeLoad: 0, loaded: 1, released: 0 } }],
    faults: [],
    checks: [],
    capacity: null,
  } as unknown as LabRecord;
  const seen: Observed = {
    record,
    refusal: null,
    ended: true,
    fired: false,
    state: 'done',
    workers: 0,
    reloaded: false,
    errors: [],
    ms: 1,
  };
  const withCell = (patch: object): LabRecord => ({
    ...record,
    cells: record.cells.map((cell) => ({ ...cell, ...patch })),
  });
  const deviceLost = { code: 'device-lost', params: {} } as const;

  it('has nothing to say of one that is right', () => {
    expect(judgeRun(control, seen)).toEqual([]);
    expect(judgeRun(lost, seen)).toEqual([]);
    expect(judgeRun(lost, { ...seen, fired: true, record: { ...record, faults: [deviceLost] } })).toEqual([]);
  });

  it('takes a GPU’s error under another allocator mode as the mode’s', () => {
    const record = { ...seen.record, faults: [{ code: 'allocator-failed', params: {} }] } as LabRecord;
    const broken: SoakRun = { ...lost, kind: 'validation' };
    const observed = { ...seen, fired: true, record };
    expect(judgeRun({ ...broken, query: 'allocator=simple' }, observed)).toEqual([]);
    expect(judgeRun(broken, observed).join()).toContain('does not tell of gpu-error');
  });

  it.each<[string, SoakRun, Partial<Observed>, RegExp]>([
    ['a wrong byte', control, { record: withCell({ tensorBytes: 16_388 }) }, /16388 bytes.*by hand 16384/],
    ['a ratio that is off', control, { record: withCell({ ratio: 1.001 }) }, /ratio 1.001/],
    [
      'a cell without a reason',
      lost,
      { record: withCell({ tensorBytes: null }) },
      /neither bytes nor a reason/,
    ],
    [
      'bytes that stay on the device',
      control,
      {
        record: {
          ...record,
          models: record.models.map((one) => ({
            ...one,
            deviceBytes: { ...one.deviceBytes, released: 4096 },
          })),
        },
      },
      /device bytes 4096 after release/,
    ],
    ['a fault from nowhere', control, { record: { ...record, faults: [deviceLost] } }, /fault device-lost/],
    [
      'a loss that is not told',
      lost,
      { fired: true, record: { ...record, status: 'failed', cells: [] } },
      /does not tell of device-lost/,
    ],
    ['a worker that stays', control, { workers: 1 }, /1 workers are left/],
    ['a page that hangs', control, { state: 'running' }, /stuck at “running”/],
    ['a run without an end', control, { ended: false, record: null }, /did not end/],
    ['a reload', control, { reloaded: true }, /reloaded/],
    ['an error on the console', control, { errors: ['boom'] }, /boom/],
  ])('names %s', (_what, run, patch, sentence) => {
    expect(judgeRun(run, { ...seen, ...patch }).join('\n')).toMatch(sentence);
  });

  describe('under policy static', () => {
    const GPT2 = 'twin:openai-community/gpt2:layers=1';
    // 1 x 2 x 12 x 64 x 4 is 6,144 bytes a token: 12 tokens of room are 73,728, and 9 to 12 are used.
    const held = { tensorBytes: 73_728, roomTokens: 12 };
    const steps = [
      { ...held, tokens: 10, usedBytes: 61_440 },
      { ...held, tokens: 11, usedBytes: 67_584 },
      { ...held, tokens: 12, usedBytes: 73_728 },
    ];
    const series = {
      ...{ model: GPT2, dtype: 'fp32', batch: 1, promptTokens: 9, promptBytes: 73_728 },
      ...{ promptUsedBytes: 55_296, stepsPlanned: 3, steps, fault: null },
    };
    const growing: SoakRun = {
      ...control,
      kind: 'plain',
      query: `experiment=growth&policy=static&model=${GPT2}&prompt=&tokens=9&steps=3`,
    };
    const grown = (patch: object, run = growing): string =>
      judgeRun(run, {
        ...seen,
        record: { ...record, cells: [], growth: [{ ...series, ...patch }] } as unknown as LabRecord,
      }).join('\n');
    const withStep = (patch: object): object => ({ steps: [{ ...steps[0], ...patch }, ...steps.slice(1)] });

    it('compares used bytes with the formula, and the capacity with that of the room', () => {
      expect(grown({})).toBe('');
    });

    it.each<[string, object, RegExp]>([
      ['used bytes', withStep({ usedBytes: 73_728 }), /step to 10 tokens: 73728 bytes used, by hand 61440/],
      ['used bytes that are missing', withStep({ usedBytes: undefined }), /undefined bytes used/],
      ['a capacity', withStep({ tensorBytes: 61_440 }), /capacity of 61440 bytes, by hand 73728/],
      ['a room', withStep({ roomTokens: 10 }), /room for 10 tokens instead of 12/],
      ['a prompt', { promptUsedBytes: 73_728 }, /prompt of 9 tokens: 73728 bytes used, by hand 55296/],
      ['a growth that is short', { steps: steps.slice(1) }, /not all was measured/],
    ])('names %s', (_what, patch, sentence) => {
      expect(grown(patch)).toMatch(sentence);
    });

    it('takes a growth that ends at its room as whole, and one that ends before it not', () => {
      const full = { code: 'static-full', params: { room: 11, tokens: 12 } };
      const of = { promptBytes: 67_584, stepsPlanned: 3, fault: full };
      const small = (tokens: number) => ({ ...steps[tokens - 10], tensorBytes: 67_584, roomTokens: 11 });
      const run = { ...growing, query: `${growing.query}&room=11&overflow=refuse` };
      expect(grown({ ...of, steps: [small(10), small(11)] }, run)).toBe('');
      expect(grown({ ...of, steps: [small(10)] }, run)).toMatch(
        /step to 11 tokens: static-full, which it need/,
      );
      expect(grown({}, run)).toMatch(/step to 12 tokens: 73728 bytes instead of static-full/);
    });

    it('takes a length over the room as refused, and no other', () => {
      const run = { ...control, query: 'policy=static&tokens=8,16&room=14&overflow=refuse' };
      const [cell] = record.cells;
      const judge = (tokens: number): string => {
        const first = { ...cell, tensorBytes: 28_672, usedBytes: 16_384, roomTokens: 14 };
        const fault = { code: 'static-full', params: { room: 14, tokens } };
        const second = { ...cell, tokens, tensorBytes: null, ratio: null, fault };
        return judgeRun(run, { ...seen, record: { ...record, cells: [first, second] } as LabRecord }).join();
      };
      expect(judge(16)).toBe('');
      expect(judge(14)).toMatch(/tiny at 14 tokens: static-full, which it need not be/);
    });

    it.each([
      ['latent:deepseek-ai/DeepSeek-V3:layers=1', 'static-not-grouped', 'static-states'],
      ['twin:LiquidAI/LFM2.5-VL-1.6B:layers=3', 'static-states', 'static-not-grouped'],
    ] as const)('judges %s by %s, whatever was to disturb it', (model, code, other) => {
      const run = { ...lost, query: `policy=static&model=${model}&tokens=8` };
      const refused = (named: string, patch: object = {}): string => {
        const fault = { code: named, params: {} };
        const cells = record.cells.map((cell) => ({ ...cell, model, tensorBytes: null, ratio: null, fault }));
        const checks = [{ name: 'ratio', pass: false, measured: 'nothing' }];
        const end = { ...record, status: 'failed', models: [], faults: [fault], cells, checks, ...patch };
        return judgeRun(run, { ...seen, record: end as unknown as LabRecord }).join('\n');
      };
      expect(refused(code)).toBe('');
      expect(refused(other)).toContain(`it does not tell of ${code}`);
      expect(refused(code, { status: 'done' })).toBe('it ended as done');
      expect(refused(code, { faults: [{ code, params: {} }, deviceLost] })).toContain('fault device-lost');
      const cells = [{ ...record.cells[0], model, tensorBytes: 18_432 }];
      expect(refused(code, { cells })).toContain(`18432 bytes instead of ${code}`);
      const cancelled = { status: 'cancelled', faults: [], cells: [], checks: [] };
      expect(refused(code, cancelled)).toContain('it ended as cancelled');
      expect(
        judgeRun(
          { ...run, kind: 'cancel-early' },
          { ...seen, record: { ...record, ...cancelled } as LabRecord },
        ),
      ).toEqual([]);
    });

    it('knows no used bytes under another policy', () => {
      const tell = judgeRun(control, { ...seen, record: withCell({ usedBytes: 16_384 }) }).join();
      expect(tell).toContain('by hand 16384, and used bytes');
    });
  });

  it('takes bytes by hand from the table, and refuses what is not in it', () => {
    expect(bytesByHand('tiny', 'fp16', 2, 8)).toBe(16_384);
    // 2 x (4,096 x 8 + 49,152): states are there once a sequence.
    expect(bytesByHand('twin:LiquidAI/LFM2.5-VL-1.6B:layers=3', 'fp32', 2, 8)).toBe(163_840);
    expect(() => bytesByHand('unknown', 'fp32', 1, 8)).toThrow('no bytes by hand for unknown');
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
