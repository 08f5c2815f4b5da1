/** A redundancy in the record: savings by the geometry, weights beside them, leak, and what an end too early leaves. */
import { describe, expect, it } from 'vitest';
import type { Report } from '../protocol/messages';
import { defaultRecipe } from '../protocol/recipe';
import { defaultRedundancy, type MeasuredRedundancy } from '../protocol/redundancy';
import type { PairResult } from '../redundancy/types';
import { finishRecord } from './assemble';
import { giveUpPass } from './retry';
import { apply, begin, cellReport, hybrid, modelReport, MODELS, QWEN } from './testing.fixture';
import { withRedundancy } from './redundancy';

const pair = (patch: Partial<PairResult> = {}): PairResult => ({
  from: 3,
  to: 7,
  adjacent: true,
  kind: 'K',
  r2: { mean: 0.5, min: 0.4, max: 0.6, perDocument: [0.4, 0.6] },
  shuffled: { mean: -0.1, min: -0.15, max: -0.05, perDocument: [-0.15, -0.05] },
  channelCorrelation: 0.1,
  savedBits: 0.6,
  lambda: [1, 1],
  notes: [],
  ...patch,
});

const found = (pairs: PairResult[]): MeasuredRedundancy => ({
  documents: [{ name: 'korean-report', tokens: 2000, sha256: null }],
  layers: [3, 7],
  channels: [
    { K: 512, V: 512 },
    { K: 512, V: 512 },
  ],
  lambdas: [1],
  pairs,
  noiseFloor: 0,
});

const report = (pairs: PairResult[]): Report => ({ type: 'redundancy', passId: 0, found: found(pairs) });

/** Qwen3.5-2B has 24 layers (the article, golden/paper-tables.json). */
const ARTICLE = hybrid(24);

const start = () => begin({ ...defaultRecipe('redundancy'), model: [QWEN] });

describe('a redundancy in the record', () => {
  it('saves the article’s bytes: 12,288 a token, 384 and 96 MiB at 32k, of which 0.6 bits are 14.4 MiB', () => {
    const { record, pass } = start();
    const { redundancy } = withRedundancy(record, pass, found([pair()]), ARTICLE);
    expect(redundancy?.savings).toMatchObject({
      context: 32_768,
      savedBits: 0.6,
      share4Bit: 0.15,
      bytesPerTokenF16: 12_288,
      cacheBytesF16: 402_653_184,
      cacheBytes4Bit: 100_663_296,
      // 14.4 MiB
      savedBytes: 15_099_494,
      weightBytes: null,
    });
  });

  it('has the weights of the model that ran, and what was asked', () => {
    const { record, pass } = start();
    const models = [modelReport(QWEN, 24_576, [], { weightBytes: 988_097_824 })];
    const { redundancy } = apply(record, pass, [...models, report([pair()])]);
    expect(redundancy).toMatchObject({
      model: QWEN,
      dtype: 'fp32',
      skip: 200,
      keep: 1536,
      split: 'documents',
      leak: false,
    });
    expect(redundancy?.savings).toMatchObject({ weightBytes: 988_097_824, weightsFrom: 'known' });
  });

  it('has the weights that were typed in place of those', () => {
    const { record, pass } = begin({
      ...defaultRecipe('redundancy'),
      model: [QWEN],
      redundancy: { ...defaultRedundancy(), weights: 4_500_000_000 },
    });
    const models = [modelReport(QWEN, 24_576, [], { weightBytes: 988_097_824 })];
    const { redundancy } = apply(record, pass, [...models, report([pair()])]);
    expect(redundancy?.savings).toMatchObject({ weightBytes: 4_500_000_000, weightsFrom: 'typed' });
  });

  it('takes each report in place of the one before, and keeps it whatever the end', () => {
    const { record, pass } = start();
    const two = [pair(), pair({ kind: 'V' })];
    const running = apply(record, pass, [report([]), report([pair()]), report(two)]);
    const ended = finishRecord(running, 'cancelled');
    expect(ended.redundancy?.pairs).toHaveLength(2);
    expect(ended.checks.map(({ name, pass: fine }) => [name, fine])).toEqual([['shuffled-control', true]]);
  });

  it('works no savings out before an adjacent pair is there', () => {
    const { record, pass } = start();
    expect(apply(record, pass, [report([pair({ adjacent: false })])]).redundancy?.savings).toBeNull();
  });

  it('flags a leak where one document’s shuffled R² is above 0, and the check says not to believe it', () => {
    const { record, pass } = start();
    const leaking = pair({ shuffled: { mean: -0.1, min: -0.3, max: 0.02, perDocument: [-0.3, 0.02] } });
    const ended = finishRecord(apply(record, pass, [report([pair(), leaking])]), 'done');
    expect(ended.redundancy?.leak).toBe(true);
    const check = ended.checks.find(({ name }) => name === 'shuffled-control');
    expect(check).toMatchObject({
      pass: false,
      measured: 'at most 0.0200',
      detail: '1 of 4 values are above 0: the evaluation leaks, and the result must not be believed',
    });
  });

  it.each([
    [
      0.00004,
      'at most 4.0e-5',
      '1 of 2 values are above 0, at most 4.0e-5: the result must not be believed; so little can be chance: change the seed and look again',
    ],
    [
      0.0099,
      'at most 0.0099',
      '1 of 2 values are above 0, at most 0.0099: the result must not be believed; so little can be chance: change the seed and look again',
    ],
    [
      0.01,
      'at most 0.0100',
      '1 of 2 values are above 0: the evaluation leaks, and the result must not be believed',
    ],
  ])('still flags a shuffled R² of %d, and says where it can be chance', (max, measured, detail) => {
    const { record, pass } = start();
    const little = pair({ shuffled: { mean: -0.1, min: -0.3, max, perDocument: [-0.3, max] } });
    const ended = finishRecord(apply(record, pass, [report([little])]), 'done');
    expect(ended.redundancy?.leak).toBe(true);
    const check = ended.checks.find(({ name }) => name === 'shuffled-control');
    expect(check).toMatchObject({ pass: false, measured, detail });
  });

  it('judges no bytes where a document was refused before anything was fed, and does where they were measured', () => {
    const { record, pass } = start();
    const fault = { code: 'documents-too-short', params: { list: '“a” (5)', needed: 1736 } } as const;
    const failed = { type: 'pass-failed', passId: 0, fault } as const;
    expect(finishRecord(apply(record, pass, [failed]), 'failed').checks).toEqual([]);
    const fed = apply(record, pass, [modelReport(QWEN, 24_576), cellReport(1736, 42_663_937), failed]);
    expect(finishRecord(fed, 'failed').checks[0]).toMatchObject({ name: 'ratio', pass: false });
  });

  it('is no leak by rounding alone', () => {
    const { record, pass } = start();
    const even = pair({ shuffled: { mean: 0, min: 0, max: 1e-12, perDocument: [0, 1e-12] } });
    expect(apply(record, pass, [report([even])]).redundancy?.leak).toBe(false);
  });

  it('gives the failed pass’s cell its reason once, and runs nothing again', () => {
    const { record, pass } = start();
    const fault = { code: 'documents-too-short', params: { list: '“a” (5)', needed: 1736 } } as const;
    const ended = giveUpPass(record, pass, fault, MODELS);
    expect(ended.cells.map(({ tokens, fault: why }) => [tokens, why?.code])).toEqual([
      [1736, 'documents-too-short'],
    ]);
    const measured = apply(record, pass, [cellReport(1736, 42_663_936)]);
    expect(giveUpPass(measured, pass, fault, MODELS).cells).toHaveLength(1);
  });

  it('takes what the default state asks where a recipe has none', () => {
    const { passes } = start().plan;
    expect(passes[0]?.work).toEqual({ kind: 'redundancy', state: defaultRedundancy() });
  });
});
