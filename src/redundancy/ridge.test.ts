/** analyseSource against the article's method written plainly (reference.fixture.ts), and against known truths. */
import { describe, expect, it } from 'vitest';
import { CancelledError, NotFiniteError } from './errors';
import { plainMultiply } from './matrix';
import { permutation } from './permutation';
import { plantedJob, reference } from './reference.fixture';
import { analyseSource } from './ridge';
import type { PairResult, SourceJob } from './types';
import { unitsOf } from './work';

const analyse = (job: SourceJob): Promise<PairResult[]> => analyseSource(job, plainMultiply);

const base = { tokens: [40, 52, 35, 47], channels: 12, targetChannels: 12, noise: 1, seed: 5 };

/** Rewrites every channel of every document of the source. */
function alter(
  job: SourceJob,
  value: (old: number, channel: number, values: Float32Array, at: number) => number,
) {
  for (const values of job.source)
    for (let i = 0; i < values.length; i++)
      values[i] = value(values[i] ?? NaN, i % job.channels, values, i - (i % job.channels));
  return job;
}

/** Where the test takes its orders from is the seeded permutation, tested in permutation.test.ts. */
const ordersOf = (job: SourceJob): Uint32Array[] =>
  job.source.map((values, document) => {
    const tokens = values.length / job.channels;
    const tested = job.split === 'halves' ? tokens - Math.floor(tokens / 2) : tokens;
    return permutation(tested, job.seed, document);
  });

const CASES: [string, () => SourceJob, string[]][] = [
  ['random data', () => plantedJob(base), []],
  ['more channels in the target', () => plantedJob({ ...base, targetChannels: 17 }), []],
  ['fewer channels in the target', () => plantedJob({ ...base, targetChannels: 5 }), []],
  ['no signal', () => alter(plantedJob(base), (old, c, _, at) => Math.sin(old * 1e4 + c + at)), []],
  [
    'one channel 1000 times larger',
    () => alter(plantedJob(base), (old, c) => (c === 4 ? old * 1000 : old)),
    [],
  ],
  [
    'one channel 1000 times smaller',
    () => alter(plantedJob(base), (old, c) => (c === 4 ? old / 1000 : old)),
    [],
  ],
  [
    'a far mean: 1000 standard deviations',
    () => alter(plantedJob(base), (old, c) => (c === 2 ? old + 1000 : old)),
    [],
  ],
  [
    'a constant channel',
    () => alter(plantedJob(base), (old, c) => (c === 3 ? 0.1 : old)),
    ['constant-channels 1'],
  ],
  [
    'two channels that are the same',
    () => alter(plantedJob(base), (old, c, values, at) => (c === 5 ? (values[at + 1] ?? NaN) : old)),
    ['rank-deficient 11'],
  ],
  [
    'rank 4 of 12',
    () =>
      alter(plantedJob(base), (old, c, values, at) =>
        c < 4
          ? Math.round(old * 64) / 64
          : (values[at + (c % 4)] ?? NaN) + (values[at + ((c + 1) % 4)] ?? NaN),
      ),
    ['rank-deficient 4'],
  ],
  [
    'fewer tokens than channels',
    () => plantedJob({ ...base, tokens: [9, 8, 10, 7], channels: 40 }),
    ['fewer-tokens-than-channels 24'],
  ],
  ['three documents', () => plantedJob({ ...base, tokens: [40, 52, 35] }), []],
  ['five documents', () => plantedJob({ ...base, tokens: [20, 25, 30, 35, 22] }), []],
  ['halves', () => ({ ...plantedJob({ ...base, tokens: [40, 51, 35, 47] }), split: 'halves' as const }), []],
];

describe('analyseSource', () => {
  it.each(CASES)('%s: as the article does it, to 1e-8, with the same candidates', async (_, make, notes) => {
    const job = make();
    const [result] = await analyse(job);
    const expected = reference(job, 0, ordersOf(job));
    expect(result?.lambda).toEqual(expected.lambda);
    for (const [d, r2] of expected.r2.entries()) {
      expect(result?.r2.perDocument[d]).toBeCloseTo(r2, 8);
      expect(result?.shuffled.perDocument[d]).toBeCloseTo(expected.shuffled[d] ?? NaN, 8);
    }
    expect(result?.notes.map(({ code, count }) => `${code} ${count}`)).toEqual(notes);
  });

  it('predicts several targets from one source, each as if it were alone', async () => {
    const one = plantedJob(base);
    const other = plantedJob({ ...base, targetChannels: 7, noise: 3 });
    const [first, second] = await analyse({
      ...one,
      targets: [...one.targets, ...other.targets.map((target) => ({ ...target, to: 23, adjacent: false }))],
    });
    expect(first).toEqual((await analyse(one))[0]);
    expect(second).toMatchObject({ from: 3, to: 23, adjacent: false, channelCorrelation: null });
    const alone = await analyse({ ...one, targets: other.targets });
    expect(second?.r2).toEqual(alone[0]?.r2);
  });

  it('is the same when tokens of a document change places together in both layers', async () => {
    const job = plantedJob(base);
    const turn = (values: Float32Array, channels: number) => {
      const rows = values.length / channels;
      return values.map(
        (_, i) => values[(rows - 1 - Math.floor(i / channels)) * channels + (i % channels)] ?? NaN,
      );
    };
    const turned = {
      ...job,
      source: job.source.map((values) => turn(values, 12)),
      targets: job.targets.map((target) => ({ ...target, values: target.values.map((v) => turn(v, 12)) })),
    };
    const [[before], [after]] = [await analyse(job), await analyse(turned)];
    expect(after?.r2.mean).toBeCloseTo(before?.r2.mean ?? NaN, 10);
    expect(after?.channelCorrelation).toBeCloseTo(before?.channelCorrelation ?? NaN, 10);
  });

  it('halves: 64 tokens for 64 channels are learnt by heart; shuffled, that is below the article’s -1.3', async () => {
    const job = plantedJob({
      tokens: [128, 128, 128, 128],
      channels: 64,
      targetChannels: 64,
      noise: 1,
      seed: 9,
    });
    const [wrong] = await analyse({ ...job, split: 'halves' });
    expect(wrong?.lambda).toEqual([0.001, 0.001, 0.001, 0.001]);
    expect(wrong?.shuffled.max).toBeLessThan(-1.3);
    expect(wrong?.notes).toEqual([{ code: 'rank-deficient', count: 63 }]);
  });

  it('has no R² for a document in which the target does not vary, and none at all for a constant target', async () => {
    const job = plantedJob(base);
    job.targets[0]?.values[1]?.fill(0.3);
    const [one] = await analyse(job);
    expect(one?.r2.perDocument.map((value) => value === null)).toEqual([false, true, false, false]);
    expect(one?.notes).toEqual([{ code: 'constant-target', count: 1 }]);
    for (const values of job.targets[0]?.values ?? []) values.fill(0.3);
    const [none] = await analyse(job);
    expect(none).toMatchObject({
      r2: { mean: null, min: null, max: null, perDocument: [null, null, null, null] },
      shuffled: { mean: null },
      savedBits: null,
      channelCorrelation: null,
      notes: [
        { code: 'constant-channels', count: 12 },
        { code: 'constant-target', count: 4 },
      ],
    });
  });

  it('has no R² where the target varies by float32 rounding alone, and one where it varies a little more', async () => {
    const wobble = (by: number) => {
      const job = plantedJob(base);
      const values = job.targets[0]?.values[2] ?? new Float32Array(0);
      for (let i = 0; i < values.length; i++) values[i] = 0.75 * (1 + (i % 5 === 0 ? by : 0));
      return analyse(job);
    };
    // 2^-23 is one unit in float32's last place at 1; a fifth of the values with 1e-4 are 4e-5 of the root mean square.
    const [rounding] = await wobble(2 ** -23);
    expect(rounding?.r2.perDocument.map((value) => value === null)).toEqual([false, false, true, false]);
    expect(rounding?.shuffled.perDocument[2]).toBeNull();
    expect(rounding?.r2.min).toBeGreaterThan(-1);
    expect(rounding?.notes).toEqual([{ code: 'constant-target', count: 1 }]);
    const [little] = await wobble(1e-4);
    expect(little?.r2.perDocument[2]).toBeLessThan(-1000);
    expect(little?.notes).toEqual([]);
  });

  it('predicts the training mean from a source that varies by float32 rounding alone, and counts its channels', async () => {
    const job = alter(plantedJob(base), (_, c, __, at) => 2 + ((at + c) % 3 === 0 ? 2 ** -22 : 0));
    const [result] = await analyse(job);
    expect(result?.r2.max).toBeLessThan(0);
    expect(result?.shuffled.perDocument).toEqual(result?.r2.perDocument);
    expect(result?.notes).toContainEqual({ code: 'constant-channels', count: 12 });
  });

  it('predicts the training mean from a source that does not vary', async () => {
    const job = alter(plantedJob(base), () => 2);
    const [result] = await analyse(job);
    // The mean of other documents is further off than the document's own.
    expect(result?.r2.max).toBeLessThan(0);
    expect(result?.shuffled.perDocument).toEqual(result?.r2.perDocument);
    expect(result?.lambda).toEqual([100, 100, 100, 100]);
  });

  it('reports every unit of its work, in the end all of them', async () => {
    const job = plantedJob({ ...base, tokens: [128, 128, 128, 128], channels: 100 });
    const seen: [number, number][] = [];
    await analyseSource(job, plainMultiply, { onStep: (done, total) => void seen.push([done, total]) });
    const total = unitsOf(job);
    expect(seen.at(-1)).toEqual([total, total]);
    expect(new Set(seen.map(([, all]) => all))).toEqual(new Set([total]));
    expect(seen.map(([done]) => done)).toEqual(seen.map(([done]) => done).toSorted((a, b) => a - b));
    // 4 Gram matrices, 6 + 4 factorisations, 12 blocks turned; 4 products, 6 trials and 4 predictions of the target.
    expect(seen).toHaveLength(40);
  });

  it('stops between two steps when it is cancelled', async () => {
    const signal = { aborted: false };
    let steps = 0;
    const run = analyseSource(plantedJob(base), plainMultiply, {
      signal,
      onStep: () => {
        steps++;
        signal.aborted = steps === 5;
      },
    });
    await expect(run).rejects.toThrow(CancelledError);
    expect(steps).toBe(5);
  });

  it.each([NaN, Infinity, -Infinity])('names the place of %d', async (value) => {
    const job = plantedJob(base);
    job.targets[0]?.values[2]?.set([value], 3 * 12 + 7);
    const run = analyse(job);
    await expect(run).rejects.toThrow(NotFiniteError);
    await expect(run).rejects.toMatchObject({ layer: 7, document: 2, token: 3, channel: 7, value });
  });

  it.each([
    [
      'two documents',
      () => plantedJob({ ...base, tokens: [40, 40] }),
      '2 documents; leaving one out twice takes 3',
    ],
    ['a candidate of 0', () => ({ ...plantedJob(base), lambdas: [0, 1] }), 'candidates must be above 0'],
    [
      'a short layer',
      () => {
        const job = plantedJob(base);
        return { ...job, source: job.source.map((values, d) => (d === 1 ? values.subarray(0, 24) : values)) };
      },
      'layer 7, document 1: 624 values do not fit',
    ],
  ])('refuses %s', async (_, make, sentence) => {
    await expect(analyse(make())).rejects.toThrow(sentence);
  });
});
