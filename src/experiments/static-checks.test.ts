/** What a record of a preallocated cache says: used bytes against the formula at the tokens, capacity against the formula at the room. */
import { describe, expect, it } from 'vitest';
import type { Growth, LabRecord } from '../protocol/record';
import { QWEN } from '../protocol/sample-record.fixture';
import { staticGrowthRecord, staticLengthRecord } from '../protocol/static-record.fixture';
import { QWEN as TWIN, begin, apply, lengthRecipe, growthRecipe, modelReport } from './testing.fixture';
import { capacityCheck, flatCheck } from './static-checks';
import { finishRecord } from './assemble';
import { recordChecks, verdict } from './summarise';

const check = (record: LabRecord, name: string) => recordChecks(record).find((one) => one.name === name);
const growthOf = (record: LabRecord): Growth => {
  const [growth] = record.growth;
  if (growth === undefined) throw new Error('no growth');
  return growth;
};

/** Records of the fixtures have only one layer in their geometry; the checks that need a formula are made on assembled ones. */
function assembled(used: number): LabRecord {
  const { pass, record } = begin(lengthRecipe({ policy: 'static', tokens: [128], room: 160 }));
  const cell = {
    ...{ tokens: 128, tensorBytes: 3_932_160, residentBytes: 3_932_160, prefillMs: 1, logitsBytes: 1 },
    ...{ deviceBytes: { before: 1, after: 2, peak: 3 }, processBytesBefore: null, processBytes: null },
    ...{ usedBytes: used, roomTokens: 160, moves: 0 },
  };
  const done = apply(record, pass, [modelReport(TWIN, 24_576), { type: 'cell', passId: 0, cell }]);
  return finishRecord(done, 'done');
}

describe('a cell of a preallocated cache', () => {
  it('joins the used bytes with the formula at the tokens, and has the formula at the room beside', () => {
    expect(assembled(3_145_728).cells).toMatchObject([
      { formulaBytes: 3_145_728, usedBytes: 3_145_728, ratio: 1, roomFormulaBytes: 3_932_160 },
    ]);
  });

  it('passes the ratio and the capacity check, says of what, and still refuses a wrong geometry', () => {
    const { checks } = assembled(3_145_728);
    expect(checks.map(({ name, pass }) => [name, pass])).toEqual([
      ['ratio', true],
      ['wrong-geometry', true],
      ['static-capacity', true],
    ]);
    expect(checks[0]?.detail).toBe('used bytes of 1 of 1 sizes are equal to the byte');
  });

  it('fails the ratio where a row is missing, though dims are what they were', () => {
    const record = assembled(3_145_728 - 256);
    expect(check(record, 'ratio')).toMatchObject({ pass: false });
    expect(check(record, 'static-capacity')).toMatchObject({ pass: true });
    expect(verdict(record)).toMatchObject({ measured: 1, equal: 0 });
  });
});

describe('capacityCheck', () => {
  it('names the rooms', () => {
    expect(capacityCheck(staticGrowthRecord(), QWEN)).toMatchObject({
      pass: true,
      detail: '4 sizes, rooms of 130, 260 tokens',
    });
  });

  it('fails at the first size that is not the formula’s', () => {
    const record = staticLengthRecord();
    const [first, second] = record.cells;
    if (first === undefined || second === undefined) throw new Error('no cells');
    const cells = [first, { ...second, tensorBytes: 3_932_164 }];
    expect(capacityCheck({ ...record, cells }, QWEN)).toMatchObject({
      pass: false,
      measured: '3,932,164 bytes at a room of 160 tokens, formula 3,932,160 bytes',
    });
  });

  it('has nothing to say of a cache that grows', () => {
    expect(capacityCheck(staticLengthRecord(), 'tiny')).toBeNull();
  });
});

describe('flatCheck', () => {
  const steps = (bytes: (number | null)[]): Growth => {
    const growth = growthOf(staticGrowthRecord());
    const [step] = growth.steps;
    if (step === undefined) throw new Error('no step');
    return { ...growth, steps: bytes.map((deviceBytes) => ({ ...step, deviceBytes })) };
  };

  it('leaves out the first step, which makes what every step needs', () => {
    expect(flatCheck(steps([1, 2, 2, 2]))).toMatchObject({ pass: true, measured: '2 bytes' });
  });

  it('fails on one byte more in the middle', () => {
    expect(flatCheck(steps([1, 2, 3, 2]))).toMatchObject({ pass: false, measured: '2 to 3 bytes' });
  });

  it('says nothing without device bytes, or of too few steps', () => {
    expect(flatCheck(steps([null, null, null]))).toBeNull();
    expect(flatCheck(steps([1, 2]))).toBeNull();
  });

  it('starts anew after a move', () => {
    expect(flatCheck(growthOf(staticGrowthRecord()))).toBeNull();
  });
});

describe('growth of a preallocated cache', () => {
  it('is that of its used bytes, whatever the tensors do', () => {
    expect(verdict(staticGrowthRecord())).toMatchObject({
      steps: 4,
      equalSteps: 4,
      growth: [{ smallestDelta: 24_576, largestDelta: 24_576, distinctDeltas: 1, finalBytes: 3_244_032 }],
      preallocated: {
        ...{ tokens: 132, usedBytes: 3_244_032, roomTokens: 260, capacityBytes: 6_389_760 },
        ...{ equal: true, moves: 1 },
      },
    });
  });
});

describe('the plan', () => {
  it('refuses lengths over a room that may not be left, before the run', () => {
    const { plan } = begin(lengthRecipe({ policy: 'static', tokens: [128, 512], room: 200 }));
    expect(plan.passes[0]).toMatchObject({ policy: 'static', room: 200, work: { stops: [128] } });
    expect(plan.skipped).toMatchObject([
      { tokens: 512, fault: { code: 'static-full', params: { room: 200, tokens: 512 } } },
    ]);
  });

  it('keeps them where the cache may move, and for a cache that grows', () => {
    const tokens = [128, 512];
    const moving = begin(lengthRecipe({ policy: 'static', tokens, room: 200, overflow: 'move' }));
    expect(moving.plan.passes[0]?.work).toMatchObject({ stops: [128, 512] });
    expect(begin(lengthRecipe({ tokens, room: 200 })).plan.skipped).toEqual([]);
  });

  it('cuts a growth to its room, and the record says why', () => {
    const { plan, pass, record } = begin(growthRecipe({ policy: 'static', room: 10 }));
    expect(plan.passes[0]?.work).toMatchObject({ promptTokens: 6, steps: 4 });
    const prompt = {
      tokens: 6,
      tensorBytes: 245_760,
      residentBytes: null,
      processBytes: null,
      usedBytes: 147_456,
    };
    const done = apply(record, pass, [
      modelReport(TWIN, 24_576),
      { type: 'prompt', passId: 0, ...prompt },
      { type: 'pass-done', passId: 0 },
    ]);
    expect(done.growth).toMatchObject([
      { promptUsedBytes: 147_456, fault: { code: 'static-full', params: { room: 10, tokens: 38 } } },
    ]);
  });
});
