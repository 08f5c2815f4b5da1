/** Growths: deltas of each step, steps that were not tried, and rows that stay when a pass fails. */
import { describe, expect, it } from 'vitest';
import { apply, begin, GPT2, growthRecipe, growthReports, QWEN, stepReport } from './testing.fixture';

describe('growth', () => {
  it('has the deltas of 32 steps after 6 tokens (paper-tables.json, 000_growth)', () => {
    const { record, pass } = begin(growthRecipe());
    const done = apply(record, pass, [...growthReports(32), { type: 'pass-done', passId: 0 }]);
    expect(done.growth).toHaveLength(1);
    const [growth] = done.growth;
    expect(growth).toMatchObject({
      promptTokens: 6,
      promptBytes: 147456,
      stepsPlanned: 32,
      interrupted: null,
      fault: null,
    });
    expect(growth?.steps.map((step) => step.deltaTensor)).toEqual(Array.from({ length: 32 }, () => 24576));
    expect(growth?.steps[31]).toEqual({
      tokens: 38,
      formulaBytes: 933888,
      tensorBytes: 933888,
      residentBytes: null,
      deviceBytes: null,
      processBytes: null,
      deltaTensor: 24576,
      deltaResident: null,
      ms: 5,
      background: false,
    });
  });

  it('takes resident deltas from the step before, the prompt first, and null where one is not measured', () => {
    const { record, pass } = begin(growthRecipe());
    const { growth } = apply(record, pass, [
      {
        type: 'prompt',
        passId: 0,
        tokens: 6,
        tensorBytes: 147456,
        residentBytes: 196608,
        processBytes: null,
      },
      stepReport(7, 172032, 196608),
      stepReport(8, 196608, 393216),
      stepReport(9, 221184, null),
      stepReport(10, 245760, 393216),
    ]);
    expect(growth[0]?.steps.map((step) => step.deltaResident)).toEqual([0, 196608, null, null]);
  });

  it('says that steps beyond the maximum position were not tried', () => {
    const { record, pass } = begin(growthRecipe({ model: [GPT2], prompt: 'x'.repeat(1023), steps: 2 }));
    const { growth } = apply(record, pass, [
      { type: 'prompt', passId: 0, tokens: 1023, tensorBytes: 1, residentBytes: null, processBytes: null },
      stepReport(1024, 75497472),
      { type: 'pass-done', passId: 0 },
    ]);
    expect(growth[0]).toMatchObject({
      stepsPlanned: 2,
      interrupted: '1,025 tokens are over the model’s maximum position 1,024.',
      fault: { code: 'over-max-position' },
    });
  });

  it('keeps its rows when the pass fails, and takes no more', () => {
    const { record, pass } = begin(growthRecipe());
    const fault = { code: 'device-lost', params: { detail: 'reset' } } as const;
    const { growth, faults } = apply(record, pass, [
      ...growthReports(3),
      { type: 'pass-failed', passId: 0, fault },
      stepReport(10, 245760),
    ]);
    expect(growth[0]?.steps).toHaveLength(3);
    expect(growth[0]).toMatchObject({ interrupted: 'The GPU device was lost (reset).', fault });
    expect(faults).toEqual([fault]);
  });

  it('that failed before its prompt becomes a skipped cell', () => {
    const { record, pass } = begin(growthRecipe());
    const fault = { code: 'model-load-failed', params: { model: QWEN, detail: 'x' } } as const;
    const failed = apply(record, pass, [{ type: 'pass-failed', passId: 0, fault }]);
    expect(failed.growth).toEqual([]);
    expect(failed.cells[0]).toMatchObject({ tokens: 6, formulaBytes: 147456, tensorBytes: null, fault });
  });
});
