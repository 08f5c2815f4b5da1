/** Plan, join, verdict and merge of a serving. */
import { describe, expect, it } from 'vitest';
import { applyReport, finishRecord, startRecord } from './assemble';
import { mergeRecords } from './merge';
import { planRun } from './plan';
import { servingVerdict } from './serving';
import { findModel } from '../model/catalog';
import { defaultRecipe, DTYPE_BYTES, type Recipe } from '../protocol/recipe';
import type { Models } from './models';
import type { LabRecord } from '../protocol/record';
import type { ServingRun } from '../protocol/serving';

const models: Models = {
  geometryOf: (id) => {
    const model = findModel(id);
    if (model === null) throw new Error(id);
    return model.geometry;
  },
  itemSizeOf: (_, dtype) => DTYPE_BYTES[dtype],
  variantFault: () => null,
  counterfactualOf: () => null,
  promptTokensOf: () => 1,
};

function run(patch: Partial<ServingRun> = {}): ServingRun {
  return {
    system: 'reserve-max',
    poolBytes: 1000,
    deviceBytes: { before: 0, pool: 1000, after: 0 },
    samples: [
      {
        step: 4,
        running: 2,
        waiting: 1,
        usedTokens: 30,
        usedBytes: 300,
        heldTokens: 80,
        reservedTokens: 20,
        wastedTokens: 30,
      },
    ],
    steps: 10,
    stepsPlanned: 10,
    utilisation: 0.3,
    insideUse: 0.375,
    mostRunning: 2,
    preemptions: 0,
    writtenTokens: 60,
    ...patch,
  };
}

function recordOf(recipe: Recipe, runs: readonly ServingRun[]): LabRecord {
  const plan = planRun(recipe, models);
  const [pass] = plan.passes;
  if (pass === undefined) throw new Error('no pass');
  const start = { recipe, plan, url: '', createdAt: '2026-11-30T00:00:00.000Z', processReason: null };
  const context = { models, background: false };
  return runs.reduce(
    (record, one) =>
      applyReport(
        record,
        pass,
        { type: 'serving', passId: 0, run: one, promptMean: 2, outputMean: 3 },
        context,
      ),
    startRecord(start),
  );
}

describe('planRun of a serving', () => {
  it('is one pass without stops, whose rows have the bytes of a token', () => {
    const { passes, skipped, totalUnits } = planRun(defaultRecipe('serving'), models);
    // Qwen2.5-0.5B: 2 x 24 layers x 2 KV heads x 64 x 4 bytes = 24,576; one unit a request.
    expect(passes.map(({ work }) => work)).toEqual([
      {
        kind: 'serving',
        bytesPerToken: 24_576,
        state: { lengths: 'sharegpt', requests: 200, pool: 16_384, longest: 2048 },
      },
    ]);
    expect([skipped, totalUnits]).toEqual([[], 200]);
  });

  it('has half the bytes in float16', () => {
    const [pass] = planRun({ ...defaultRecipe('serving'), dtype: ['fp16'] }, models).passes;
    expect(pass?.work).toMatchObject({ bytesPerToken: 12_288 });
  });

  it('refuses a pool over 1 GiB with the tokens that fit', () => {
    const state = { lengths: 'sharegpt', requests: 200, pool: 50_000, longest: 2048 } as const;
    expect(() => planRun({ ...defaultRecipe('serving'), serving: state }, models)).toThrow(
      'A pool of 50,000 tokens of this model needs 1,228,800,000 bytes, more than the 1,073,741,824 that are allowed here. Choose a pool of at most 43,690 tokens',
    );
  });
});

describe('the record of a serving', () => {
  const recipe = defaultRecipe('serving');

  it('keeps the last word on each system, in the order of the systems', () => {
    const record = recordOf(recipe, [run({ system: 'paged' }), run({ steps: 3 }), run()]);
    expect(record.serving).toMatchObject({
      model: 'twin:Qwen/Qwen2.5-0.5B-Instruct',
      ...{ dtype: 'fp32', device: 'webgpu', bytesPerToken: 24_576, block: 16, promptMean: 2, outputMean: 3 },
    });
    expect(record.serving?.runs.map(({ system, steps }) => [system, steps])).toEqual([
      ['reserve-max', 10],
      ['paged', 10],
    ]);
  });

  it('has no ratio to be checked, since no cache is measured', () => {
    expect(finishRecord(recordOf(recipe, [run()]), 'done').checks).toEqual([]);
  });

  it('says who used least and most of its pool', () => {
    const runs = [
      run(),
      run({ system: 'reserve-oracle', utilisation: 0.4, steps: 5 }),
      run({ system: 'paged', utilisation: 0.96, mostRunning: 30 }),
    ];
    const { serving } = recordOf(recipe, runs);
    if (!serving) throw new Error('no serving');
    expect(servingVerdict(serving)).toMatchObject({
      lowest: { system: 'reserve-max', utilisation: 0.3, steps: 10 },
      highest: { system: 'reserve-oracle', utilisation: 0.4, steps: null },
      paged: { mostRunning: 30 },
      gain: 2.4,
    });
    expect(servingVerdict({ ...serving, runs: [run({ utilisation: null })] })).toEqual({
      ...{ uses: [], lowest: null, highest: null, paged: null, gain: null },
    });
  });

  it('merges with another: each system once, and never two that differ', () => {
    const done = (runs: ServingRun[]): LabRecord => finishRecord(recordOf(recipe, runs), 'done');
    const short = run({ steps: 2, samples: [] });
    const merged = mergeRecords([done([short]), done([run(), run({ system: 'paged' })])]);
    expect(merged.serving?.runs.map(({ system, steps }) => [system, steps])).toEqual([
      ['reserve-max', 10],
      ['paged', 10],
    ]);
    const [sample] = run().samples;
    const other = run({ samples: sample ? [{ ...sample, usedTokens: 29 }] : [] });
    expect(() => mergeRecords([done([run()]), done([other])], ['a.json', 'b.json'])).toThrow(
      'a.json and b.json found different pools in the experiment serving (reserve-max)',
    );
  });
});
