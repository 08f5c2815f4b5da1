/** Checks and verdict: they pass on the article's numbers and fail on every wrong one. */
import { describe, expect, it } from 'vitest';
import type { LabRecord } from '../protocol/record';
import { finishRecord } from './assemble';
import { exactRatio } from './cells';
import { growthDeltaCheck, ratioCheck, summariseGrowth, verdict, wrongGeometryCheck } from './summarise';
import {
  apply,
  begin,
  cellReport,
  geometryOf,
  GPT2,
  growthRecipe,
  growthReports,
  lengthRecipe,
  modelReport,
  QWEN,
  stepReport,
} from './testing.fixture';

const AT_128 = { itemSize: 4, batch: 1, tokens: 128, tensorBytes: 3145728 } as const;

function growthOf(record: LabRecord) {
  const [growth] = record.growth;
  if (growth === undefined) throw new Error('no growth');
  return growth;
}

function articleGrowth(): LabRecord {
  const { record, pass } = begin(growthRecipe());
  return apply(record, pass, [modelReport(QWEN, 24576), ...growthReports(32)]);
}

describe('exactRatio', () => {
  it('tells neighbours apart even where their quotient rounds to 1', () => {
    const large = 2 ** 53 - 1;
    expect(exactRatio(large, large)).toBe(1);
    expect(exactRatio(large - 1, large)).toBeLessThan(1);
    expect(exactRatio(large, large - 1)).toBeGreaterThan(1);
  });
});

describe('ratio check', () => {
  it('passes on equal integers only', () => {
    expect(ratioCheck(QWEN, geometryOf(QWEN), [AT_128])).toMatchObject({ pass: true, measured: '1.0000' });
    const off = ratioCheck(QWEN, geometryOf(QWEN), [AT_128, { ...AT_128, tokens: 129 }]);
    expect(off).toMatchObject({ name: 'ratio', model: QWEN, pass: false });
    expect(off.detail).toBe('1 of 2 sizes differ; at 129 tokens 3,145,728 bytes, formula 3,170,304 bytes');
  });

  it('fails when nothing was measured', () => {
    expect(ratioCheck(QWEN, geometryOf(QWEN), []).pass).toBe(false);
    const { record } = begin(lengthRecipe());
    expect(finishRecord(record, 'done').checks).toMatchObject([
      { name: 'ratio', pass: false, measured: 'nothing was measured' },
    ]);
  });

  it('sees a prompt or a step of a growth that differs', () => {
    const { record, pass } = begin(growthRecipe());
    const [prompt, ...steps] = growthReports(2);
    if (prompt?.type !== 'prompt') throw new Error('no prompt');
    const wrongPrompt = apply(record, pass, [
      modelReport(QWEN, 24576),
      { ...prompt, tensorBytes: 1 },
      ...steps,
    ]);
    expect(finishRecord(wrongPrompt, 'done').checks.find(({ name }) => name === 'ratio')?.pass).toBe(false);
    const wrongStep = apply(record, pass, [modelReport(QWEN, 24576), prompt, stepReport(7, 172033)]);
    expect(finishRecord(wrongStep, 'done').checks.find(({ name }) => name === 'ratio')?.pass).toBe(false);
  });
});

describe('wrong-geometry check', () => {
  it('three KV heads instead of two: the measured bytes are two thirds', () => {
    expect(wrongGeometryCheck(QWEN, geometryOf(QWEN), [AT_128])).toMatchObject({
      pass: true,
      expected: 'not 1.0000 with 3 KV heads',
      measured: '0.6667',
    });
  });

  it('fails when the bytes are those of the wrong geometry, or nothing was measured', () => {
    // 128 tokens x 24 layers x 2 x 3 heads x 64 x 4 bytes.
    const wrong = { ...AT_128, tensorBytes: 4718592 };
    expect(wrongGeometryCheck(QWEN, geometryOf(QWEN), [AT_128, wrong]).pass).toBe(false);
    expect(wrongGeometryCheck(QWEN, geometryOf(QWEN), []).pass).toBe(false);
  });
});

describe('growth', () => {
  it('summary of the article (paper-tables.json, 000_growth)', () => {
    expect(summariseGrowth(growthOf(articleGrowth()), 24576)).toEqual({
      smallestDelta: 24576,
      largestDelta: 24576,
      distinctDeltas: 1,
      finalBytes: 933888,
      finalTokens: 38,
      multipleOfBytesPerToken: 38,
    });
  });

  it('summary of a prompt alone', () => {
    const { record, pass } = begin(growthRecipe());
    expect(summariseGrowth(growthOf(apply(record, pass, growthReports(0))), 24576)).toEqual({
      smallestDelta: null,
      largestDelta: null,
      distinctDeltas: 0,
      finalBytes: 147456,
      finalTokens: 6,
      multipleOfBytesPerToken: 6,
    });
  });

  it('delta check: one value, and the right one', () => {
    const growth = growthOf(articleGrowth());
    expect(growthDeltaCheck(growth, 24576)).toMatchObject({
      pass: true,
      expected: '24,576 bytes at every step',
      measured: '24,576 bytes',
    });
    expect(growthDeltaCheck(growth, 24577).pass).toBe(false);
    expect(growthDeltaCheck({ ...growth, batch: 2 }, 24576)).toMatchObject({
      pass: false,
      expected: '49,152 bytes at every step',
    });
    expect(growthDeltaCheck({ ...growth, steps: [] }, 24576)).toMatchObject({
      pass: false,
      measured: 'nothing was measured',
    });
    const uneven = growth.steps.map((step, index) => (index === 3 ? { ...step, deltaTensor: 49152 } : step));
    expect(growthDeltaCheck({ ...growth, steps: uneven }, 24576)).toMatchObject({
      pass: false,
      measured: '24,576 to 49,152 bytes',
    });
  });
});

describe('verdict', () => {
  it('of a sweep: counts, worst ratio, largest slack', () => {
    const { plan, record, pass } = begin(lengthRecipe({ model: [QWEN, GPT2], tokens: [128, 129, 2048] }));
    const qwen = apply(record, pass, [
      modelReport(QWEN, 24576),
      cellReport(128, 3145728),
      // shared/platform-notes.md: what the GPU holds at 129 tokens.
      cellReport(129, 3170304, 6291456),
      cellReport(2048, 25165824, null),
    ]);
    const gpt2 = plan.passes[1];
    if (gpt2 === undefined) throw new Error('no pass');
    const done = finishRecord(apply(qwen, gpt2, [cellReport(128, 9437184)]), 'done');
    const result = verdict(done);
    expect(result).toMatchObject({
      measured: 4,
      equal: 3,
      skipped: 1,
      steps: 0,
      worstRatio: 0.5,
      growth: [],
    });
    expect(result.largestSlack).toMatchObject({ model: QWEN, tokens: 129 });
    expect(result.largestSlack?.slack).toBeCloseTo(1.9845, 5);
    // Qwen's ratio; GPT-2's, whose model was never reported.
    expect(result.failedChecks).toBe(2);
  });

  it('of a growth', () => {
    expect(verdict(finishRecord(articleGrowth(), 'done'))).toMatchObject({
      measured: 0,
      skipped: 0,
      steps: 32,
      equalSteps: 32,
      worstRatio: 1,
      largestSlack: null,
      growth: [{ model: QWEN, repeat: 0, distinctDeltas: 1, finalTokens: 38 }],
      failedChecks: 0,
    });
  });

  it('of nothing', () => {
    const { record } = begin(lengthRecipe());
    expect(verdict(record)).toMatchObject({ measured: 0, worstRatio: null, largestSlack: null });
  });
});
