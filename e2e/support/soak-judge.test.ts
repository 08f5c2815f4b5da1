/** The soak's judgement of a run. */
import { describe, expect, it } from 'vitest';
import type { LabRecord } from '../../src/protocol/record';
import { judgeRun } from '../soak/judge-run';
import type { SoakRun } from '../soak/plan';
import type { Observed } from '../soak/session';
import { bytesByHand, quantisedByHand } from '../soak/subjects';

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
    // 2 sequences x 8 tokens x 16 rows of 32 elements: 4 + 32 bytes with 8 bits on WebGPU, 16 with 4 bits on WASM.
    expect(quantisedByHand('tiny', { bits: 8, device: 'webgpu' }, 2, 8)).toBe(9216);
    expect(quantisedByHand('tiny', { bits: 4, device: 'wasm' }, 2, 8)).toBe(4096);
    expect(() => bytesByHand('unknown', 'fp32', 1, 8)).toThrow('no bytes by hand for unknown');
  });
});
