/** The second article's numbers (seed 003) and those of the golden planner cases, as literals. */
import { describe, expect, it } from 'vitest';
import { fullCache, fullAttentionCaches } from '../layers/full';
import type { Geometry, LayerCache } from '../geometry';
import { planCapacity } from './plan';
import type { CapacityInput, CapacityModel, ModelCapacity } from './types';

const GIB = 1_073_741_824;

function geometry(
  [layers, attentionHeads, kvHeads, headDim]: [number, number, number, number],
  more: Partial<Geometry> = {},
): Geometry {
  return {
    modelType: 'test',
    layers,
    attentionHeads,
    kvHeads,
    headDim,
    hiddenSize: attentionHeads * headDim,
    maxPositions: null,
    caches: fullAttentionCaches(layers, kvHeads, headDim),
    ...more,
  };
}

const QWEN3_8B: CapacityModel = {
  name: 'Qwen3-8B',
  cache: { geometry: geometry([36, 32, 8, 128], { maxPositions: 40_960 }) },
  weightBytes: 16_381_470_720,
};
const QWEN3_32B: CapacityModel = {
  name: 'Qwen3-32B',
  cache: { geometry: geometry([64, 64, 8, 128], { maxPositions: 40_960 }) },
  weightBytes: 65_524_246_528,
};

/** The article's table: one GPU of 80 GiB, all of it. */
const ARTICLE: CapacityInput = {
  models: [QWEN3_8B, QWEN3_32B],
  gpuBytes: 85_899_345_920,
  gpus: 1,
  reserveBytes: 0,
  usableShare: 1,
  dtype: 'bf16',
  engine: 'ideal',
  contexts: [4096, 8192, 32_768],
  sessions: 32,
};

function plan(change: Partial<CapacityInput> = {}): ModelCapacity {
  const [first] = planCapacity({ ...ARTICLE, ...change }).models;
  if (!first) throw new Error('no model');
  return first;
}

const sessions = ({ rows }: Pick<ModelCapacity, 'rows'>): unknown[] => rows.map((row) => row.sessions);
const whatIf = (model: ModelCapacity, what: string): ModelCapacity['whatIf'][number] | undefined =>
  model.whatIf.find((row) => row.what === what);

describe('the second article', () => {
  it('gives 471,448 and 77,724 tokens, and its table of sessions', () => {
    const [small, large] = planCapacity(ARTICLE).models;
    expect([small?.kvTokens, large?.kvTokens]).toEqual([471_448, 77_724]);
    expect(small && sessions(small)).toEqual([115, 57, 14]);
    expect(large && sessions(large)).toEqual([18, 9, 2]);
    // 0.5625, 1.125, 4.5 GiB and 1, 2, 8 GiB a session.
    expect(small?.rows.map((row) => row.sessionBytes)).toEqual([603_979_776, 1_207_959_552, 4_831_838_208]);
    expect(large?.rows.map((row) => row.sessionBytes)).toEqual([GIB, 2 * GIB, 8 * GIB]);
    expect([small?.bytesPerTokenFirst, large?.bytesPerTokenFirst]).toEqual([147_456, 262_144]);
  });

  it('gives 589,824 bytes a token and 3 sessions of 32,768 to Qwen3-8B without grouped queries', () => {
    const row = whatIf(plan(), 'no-gqa');
    expect(row?.bytesPerTokenFirst).toBe(589_824);
    expect(row?.rows[2]?.sessions).toBe(3);
  });

  it('halves the cache in fp8', () => {
    const row = whatIf(plan(), 'fp8-cache');
    expect(row?.bytesPerTokenFirst).toBe(73_728);
    expect(row?.kvTokens).toBe(942_896);
    expect(plan({ dtype: 'fp8' }).whatIf.some(({ what }) => what === 'fp8-cache')).toBe(false);
  });

  it('leaves 2 sessions of 32,768 at the 20.4 % used before paged attention, and 5 at 38.2 %', () => {
    expect(whatIf(plan(), 'utilisation-low')?.rows[2]?.sessions).toBe(2);
    expect(whatIf(plan(), 'utilisation-high')?.rows[2]?.sessions).toBe(5);
  });

  it('gives OPT-13B 819,200 bytes a token and 15,728 slots in 12 GiB', () => {
    const opt = geometry([40, 40, 40, 128]);
    const model = { name: 'OPT-13B', cache: { geometry: opt }, weightBytes: 0 };
    const planned = plan({ models: [model], gpuBytes: 12 * GIB });
    expect(planned).toMatchObject({ bytesPerTokenFirst: 819_200, kvTokens: 15_728, reason: null });
    // Every head has its own keys already.
    expect(whatIf(planned, 'no-gqa')).toBeUndefined();
  });

  it('gives DeepSeek-V2 69,120 bytes a token, and 1,966,080 elements as multi-head attention', () => {
    const latent = (layer: number): LayerCache => ({
      ...fullCache(layer, { kvHeads: 1, keyDim: 576, valueDim: 0 }),
      kind: 'latent',
      expanded: { kvHeads: 128, keyDim: 192, valueDim: 128 },
    });
    const caches = Array.from({ length: 60 }, (_, layer) => latent(layer));
    const model = {
      name: 'V2',
      cache: { geometry: geometry([60, 128, 1, 576], { caches }) },
      weightBytes: 0,
    };
    const planned = plan({ models: [model] });
    expect(planned.bytesPerTokenFirst).toBe(69_120);
    expect(whatIf(planned, 'no-gqa')?.bytesPerTokenFirst).toBe(3_932_160);
  });

  it('compares with a reported 890 bytes per token: about 166 times', () => {
    expect(Math.round(plan({ reportedBytesPerToken: 890 }).timesReported ?? 0)).toBe(166);
    const flash = { name: 'V4.1 Flash', cache: { bytesPerToken: 890 }, weightBytes: 0 };
    expect(plan({ models: [flash], gpuBytes: 89_000, contexts: [50] })).toMatchObject({
      kvTokens: 100,
      rows: [{ sessions: 2, sessionBytes: 44_500 }],
    });
  });
});

describe('windows', () => {
  /** gpt-oss-20b: 12 layers of a window of 128, 12 full ones, 8 KV heads of 64. */
  const window = (layer: number): LayerCache => ({
    ...fullCache(layer, { kvHeads: 8, keyDim: 64, valueDim: 64 }),
    kind: 'sliding',
    capTokens: 128,
  });
  const windowed = (layers: number): LayerCache[] =>
    Array.from({ length: layers }, (_, layer) => window(layer));
  const caches = [...windowed(12), ...fullAttentionCaches(24, 8, 64).slice(12)];
  const gptOss = (more: Partial<Geometry>): CapacityModel => ({
    name: 'gpt-oss-20b',
    cache: { geometry: geometry([24, 64, 8, 64], more) },
    weightBytes: 0,
  });

  it('gives gpt-oss-20b 43,562 tokens in 1 GiB, 21,845 if every layer were full (aiconfigurator#1201)', () => {
    expect(plan({ models: [gptOss({ caches })], gpuBytes: GIB }).kvTokens).toBe(43_562);
    expect(plan({ models: [gptOss({})], gpuBytes: GIB }).kvTokens).toBe(21_845);
  });

  it('says that a cache of windows alone has no end', () => {
    const planned = plan({ models: [gptOss({ caches: windowed(24) })], gpuBytes: GIB });
    expect(planned.kvTokens).toBe('unbounded');
    // 24 x 2,048 bytes x 128 tokens = 6,291,456 a session of any length past the window.
    expect(sessions(planned)).toEqual([170, 170, 170]);
    expect(planned.largestContext).toEqual({ tokens: 'unbounded', overMaximum: false });
  });
});

describe('room', () => {
  it('takes the share, what is kept free and the weights off', () => {
    const planned = plan({ usableShare: 0.9, reserveBytes: 2 * GIB });
    // floor(85,899,345,920 x 0.9) = 77,309,411,328, less 2,147,483,648, less 16,381,470,720.
    expect(planned.budgetBytes).toBe(58_780_456_960);
  });

  it('says by how much weights do not fit, and gives zeros, nothing negative', () => {
    const planned = plan({ models: [QWEN3_32B], gpuBytes: 24 * GIB });
    // 65,524,246,528 - 25,769,803,776.
    expect(planned.reason).toEqual({
      code: 'capacity-weights-do-not-fit',
      params: { model: 'Qwen3-32B', missing: 39_754_442_752, gpus: 1 },
    });
    expect(planned).toMatchObject({ budgetBytes: 0, kvTokens: 0, largestContext: { tokens: 0 } });
    expect(sessions(planned)).toEqual([0, 0, 0]);
    // Room for 32 sessions of 4,096 (34,359,738,368 bytes) takes 4 of 24 GiB.
    expect(planned.gpusNeeded[0]).toMatchObject({ gpus: 4, copies: null });
  });

  it('says nothing about room when the weights are not known', () => {
    const planned = plan({ models: [{ ...QWEN3_8B, weightBytes: null }] });
    expect(planned).toMatchObject({ budgetBytes: null, kvTokens: null, largestContext: null });
    expect(planned.reason?.code).toBe('capacity-weights-unknown');
    expect(planned.rows[0]).toMatchObject({ sessions: null, sessionBytes: 603_979_776 });
  });
});

describe('sessions wanted', () => {
  it('gives the largest context for 32 sessions, and says when it is over the model’s positions', () => {
    // 69,517,875,200 / 32 / 147,456 = 14,732.
    expect(plan().largestContext).toEqual({ tokens: 14_732, overMaximum: false });
    expect(plan({ sessions: 2 }).largestContext).toEqual({ tokens: 235_724, overMaximum: true });
  });

  it('gives the GPUs for 32 sessions, and the copies that would hold them', () => {
    // 32 x 4,831,838,208 + 16,381,470,720 = 171,000,293,376: two of 80 GiB hold 171,798,691,840.
    expect(plan().gpusNeeded).toEqual([
      { tokens: 4096, gpus: 1, copies: 1, reason: null },
      { tokens: 8192, gpus: 1, copies: 1, reason: null },
      { tokens: 32_768, gpus: 2, copies: 3, reason: null },
    ]);
  });

  it('says that no number of GPUs does it when each lacks room for what is kept free', () => {
    const [row] = plan({ reserveBytes: 85_899_345_920 }).gpusNeeded;
    expect(row).toMatchObject({ gpus: null, copies: null, reason: { code: 'capacity-no-gpus' } });
  });
});

describe('engines', () => {
  it('splits vLLM’s layers over the GPUs: the same tokens per GPU as all of half the model', () => {
    const planned = plan({ engine: 'vllm', gpus: 2, models: [QWEN3_32B] });
    // (85,899,345,920 - 32,762,123,264) / 131,072 bytes = 405,404 tokens, 25,337 blocks of 16.
    expect(planned.budgetPerGpu).toBe(53_137_222_656);
    expect(planned.kvTokens).toBe(405_392);
    expect(planned.bytesPerTokenFirst).toBe(262_144);
  });

  it('says that 32 attention heads do not split over 3 GPUs, and still searches for numbers that do', () => {
    const planned = plan({ engine: 'vllm', gpus: 3, sessions: 40 });
    expect(planned.reason?.code).toBe('capacity-engine-refuses');
    expect(planned.rows).toEqual([]);
    // Together, three would hold 49 sessions of 32,768 tokens; vLLM needs four.
    expect(planned.gpusNeeded.map(({ gpus }) => gpus)).toEqual([1, 1, 4]);
    expect(plan({ sessions: 40 }).gpusNeeded.map(({ gpus }) => gpus)).toEqual([1, 1, 3]);
  });

  it('rounds llama.cpp’s cells to 256', () => {
    // 471,448 / 256 = 1,841.6.
    expect(plan({ engine: 'llama.cpp' }).kvTokens).toBe(471_296);
  });

  it('reserves the whole length whatever is in it: 8,192 tokens for a session of 4,096', () => {
    const planned = plan({ engine: 'preallocated', options: { maxTokens: 8192 } });
    expect(sessions(planned)).toEqual([57, 57, null]);
    expect(planned.rows[2]?.reason?.code).toBe('capacity-context-refused');
    expect(planned.kvTokens).toBe(8192);
  });
});

it.each([
  [{ gpuBytes: -1 }, 'gpuBytes = -1'],
  [{ gpus: 0 }, 'gpus = 0'],
  [{ usableShare: 0 }, 'usableShare = 0'],
  [{ usableShare: 1.1 }, 'usableShare = 1.1'],
  [{ contexts: [0.5] }, 'contexts = 0.5'],
  [{ sessions: NaN }, 'sessions = NaN'],
  [{ dtype: 'int7' }, 'int7'],
  [{ models: [{ name: 'x', cache: { bytesPerToken: -4 }, weightBytes: 0 }] }, 'bytes per token'],
])('refuses %j by name', (change, sentence) => {
  expect(() => plan(change)).toThrow(RangeError);
  expect(() => plan(change)).toThrow(sentence);
});
