/** The redundancy report's sentences and numbers, from records with the third article's values. */
import { beforeAll, describe, expect, it } from 'vitest';
import { loadCatalog, loadPart, t } from '../../i18n';
import { formatBytes, formatInteger } from '../../protocol/format';
import type { Lang } from '../../protocol/recipe';
import { defaultRedundancy } from '../../protocol/redundancy';
import { sampleRedundancy, SAMPLE_PAIRS } from '../../protocol/redundancy-record.fixture';
import type { PairResult } from '../../redundancy/types';
import { documentName } from './document-name';
import {
  documentMean,
  adjacentPairs,
  pairCounts,
  percent,
  places,
  positionsFault,
  r2Text,
  sizesOf,
  worstLeak,
} from './numbers';
import { redundantAnswer, verdictSentences, worthAnswer } from './sentences';
import type { RedundancyWords } from './words';

const words = (lang: Lang): RedundancyWords => ({
  tr: (key, params) => t(lang, key, params),
  int: (value) => formatInteger(value, lang),
  size: (bytes) => formatBytes(bytes, lang),
});
const en = words('en');

beforeAll(async () => {
  await loadCatalog('ko');
  for (const lang of ['en', 'ko'] as const)
    for (const part of ['report', 'redundancy', 'architecture'] as const) await loadPart(lang, part);
});

const withMeans = (means: number[]): PairResult[] =>
  SAMPLE_PAIRS.map((pair, at) => ({ ...pair, r2: { ...pair.r2, mean: means[at] ?? null } }));

describe('the verdict', () => {
  it('says what predicts what, the control, and what the bound saves beside the weights', () => {
    // Article: 0.34 to 0.69 for K, 0.29 to 0.60 for V; 12,288 bytes a token x 32,768 = 384 MiB, 0.6 bits of 16 = 14.4 MiB.
    const savings = {
      context: 32_768,
      savedBits: 0.6,
      shareF16: 0.0375,
      share4Bit: 0.15,
      bytesPerTokenF16: 12_288,
      cacheBytesF16: 402_653_184,
      cacheBytes4Bit: 100_663_296,
      savedBytes: 15_099_494,
      weightBytes: 4_548_000_000,
      weightsFrom: 'typed' as const,
    };
    expect(verdictSentences(sampleRedundancy({ savings }), en)).toEqual([
      'K of a layer predicts 34 to 69 % of the next layer’s K; V of a layer predicts 29 to 60 % of the next layer’s V; shuffled tokens predict nothing (-0.22 to -0.01).',
      'The ideal bound saves 0.60 bits per element: 15 % of a 4-bit cache (14.4 of 96 MiB at 32,768 tokens), 3.8 % of a float16 one (384 MiB), beside 4.24 GiB of weights.',
    ]);
    expect(verdictSentences(sampleRedundancy({ savings }), words('ko'))).toEqual([
      '한 층의 K로 다음 층 K의 34~69%를 예측합니다. 한 층의 V로 다음 층 V의 29~60%를 예측합니다. 섞은 토큰은 아무것도 예측하지 못합니다(-0.22~-0.01).',
      '이상적인 상한으로 원소당 0.60비트를 아낍니다. 4비트 캐시의 15%(32,768토큰에서 14.4/96 MiB), float16 캐시(384 MiB)의 3.8%이고, 가중치는 4.24 GiB입니다.',
    ]);
  });

  it('says of random data that nothing is predicted', () => {
    const pairs = withMeans([-0.01, -0.02, -0.0004, -0.02, -0.03, -0.01]);
    const [sentence] = verdictSentences(sampleRedundancy({ pairs, savings: null }), en);
    expect(sentence).toBe(
      'K of a layer predicts nothing of the next layer’s K (R² -0.01 to -0.0004); V of a layer predicts nothing of the next layer’s V (R² -0.02); shuffled tokens predict nothing (-0.22 to -0.01).',
    );
  });

  it('says when only some pairs predict, and when nothing is known', () => {
    const some = verdictSentences(sampleRedundancy({ pairs: withMeans([-0.05, 0.1, 0.4, 0.2]) }), en);
    expect(some[0]).toContain(
      'K of a layer predicts the next layer’s K in some pairs only (R² -0.05 to 0.40)',
    );
    expect(some[0]).toContain('V of a layer predicts 10 to 20 %');
    const none = verdictSentences(sampleRedundancy({ pairs: withMeans([]) }), en);
    expect(none[0]).toContain('no R² is known for K; no R² is known for V');
    expect(verdictSentences(sampleRedundancy({ pairs: [], savings: null }), en)).toEqual([
      'No pair of layers was worked out.',
    ]);
  });

  it('does not say that shuffled tokens predict nothing when they seem to', () => {
    const [first, ...others] = SAMPLE_PAIRS;
    const shuffled = { mean: 0.01, min: -0.1, max: 0.12, perDocument: [-0.1, 0.12, 0.01, 0.01] };
    const leaking = sampleRedundancy({
      leak: true,
      pairs: [{ ...first, shuffled } as PairResult, ...others],
    });
    const [sentence] = verdictSentences(leaking, en);
    expect(sentence).toContain('shuffled tokens seem to predict as well (-0.22 to 0.12): a leak');
    expect(sentence).not.toContain('predict nothing');
    expect(worstLeak(leaking.pairs)).toMatchObject({ document: 1, value: 0.12, pair: { from: 3, to: 7 } });
    expect(redundantAnswer(leaking, en).answer).toBe('notBelieved');
    expect(worthAnswer(leaking, en)?.answer).toBe('notBelieved');
  });
});

describe('redundant and worth saving', () => {
  it('are two answers: yes, and hardly', () => {
    const result = sampleRedundancy();
    // (0.34 + 0.69) / 2, and (0.29 + 0.6) / 2 = 0.445, which is a hair below it in floating point.
    expect(redundantAnswer(result, en)).toEqual({
      answer: 'yes',
      why: 'In every adjacent pair the layer before explains more than the mean does: mean R² 0.52 for K, 0.44 for V.',
    });
    // 6,456,857 of 1,976,131,072 + 201,326,592 bytes are 0.297 %.
    expect(worthAnswer(result, en)).toEqual({
      answer: 'hardly',
      why: 'At most 6.16 MiB: 0.3 % of the weights and the float16 cache together (2.03 GiB at 32,768 tokens).',
    });
  });

  it.each([
    // Saved bytes are 6,456,857, the cache 201,326,592.
    [600_000_000, 'hardly'],
    [400_000_000, 'little'],
    [0, 'little'],
    [null, 'unknown'],
  ])('beside %s bytes of weights: %s', (weightBytes, answer) => {
    const { savings } = sampleRedundancy();
    if (savings === null) throw new Error('the sample has savings');
    expect(worthAnswer(sampleRedundancy({ savings: { ...savings, weightBytes } }), en)?.answer).toBe(answer);
  });

  it('say where to type the bytes of the weights when they are not known', () => {
    const { savings } = sampleRedundancy();
    if (savings === null) throw new Error('the sample has savings');
    const unknown = sampleRedundancy({ savings: { ...savings, weightBytes: null } });
    expect(worthAnswer(unknown, en)?.why).toBe(
      'At most 6.16 MiB at 32,768 tokens; without the weights’ bytes nobody can say what that is worth. Type them into “Weights of the model” in the settings, and run again.',
    );
    expect(verdictSentences(unknown, en)[1]).toContain(
      '(6.16 of 48 MiB at 32,768 tokens), 3.2 % of a float16 one (192 MiB); the bytes of the model’s weights are not known.',
    );
  });

  it('say no when no layer predicts the next', () => {
    const { savings } = sampleRedundancy();
    if (savings === null) throw new Error('the sample has savings');
    const nothing = sampleRedundancy({
      pairs: withMeans([-0.1, -0.1, -0.1, -0.1]),
      savings: { ...savings, savedBits: 0, savedBytes: 0 },
    });
    expect(redundantAnswer(nothing, en).answer).toBe('no');
    expect(worthAnswer(nothing, en)?.answer).toBe('no');
    expect(verdictSentences(nothing, en)[1]).toBe('The ideal bound saves nothing.');
  });

  it('are partly and unknown where pairs say so', () => {
    expect(redundantAnswer(sampleRedundancy({ pairs: withMeans([-0.1, 0.2, 0.3, 0.4]) }), en)).toEqual({
      answer: 'partly',
      why: 'In 3 of 4 adjacent pairs the layer before explains more than the mean does.',
    });
    expect(redundantAnswer(sampleRedundancy({ pairs: withMeans([]) }), en).answer).toBe('unknown');
  });
});

describe('numbers', () => {
  it.each([
    [-0.0004, 2, '-0.0004'],
    [-0.004, 2, '-0.004'],
    [-0.006, 2, '-0.01'],
    [0, 2, '0.00'],
    [-0, 2, '0.00'],
    [0.845, 2, '0.84'],
  ])('%s to %s places is %s', (value, digits, text) => {
    expect(places(value, digits)).toBe(text);
  });

  it.each([
    [0.15, '15'],
    [0.0375, '3.8'],
    [0.0029, '0.3'],
    [0.00001, '0.001'],
    [0, '0'],
  ])('%s is %s percent', (share, text) => {
    expect(percent(share)).toBe(text);
  });

  it('tells an R² far below 0 as below -1,000', () => {
    expect(r2Text(-9.5e12, 3, en.tr)).toBe('below -1,000');
    expect(r2Text(-9.5e12, 3, words('ko').tr)).toBe('-1,000 미만');
    expect(r2Text(-1000, 1, en.tr)).toBe('-1000.0');
    expect(r2Text(-1.3, 2, en.tr)).toBe('-1.30');
  });

  it.each([
    [15_099_494, 100_663_296, '14.4', '96 MiB'],
    // 12 of 96 KiB would be wrong.
    [12_288, 100_663_296, '12 KiB', '96 MiB'],
    [40, 512, '40', '512 bytes'],
  ])('%s of %s bytes are %s of %s', (part, whole, small, large) => {
    expect(sizesOf(part, whole, en.size)).toEqual({ part: small, whole: large });
  });

  it('refuses more tokens than GPT-2 has positions before a run, and none where nobody knows', () => {
    const state = defaultRedundancy();
    // 200 + 1,536 of 1,024: 824 are left beside the 200.
    expect(positionsFault(1024, state)).toEqual({
      code: 'redundancy-over-maximum',
      params: { tokens: 1736, maximum: 1024, keep: 824 },
    });
    expect(positionsFault(1736, state)).toBeNull();
    expect(positionsFault(null, state)).toBeNull();
  });

  it('counts pairs: the article’s six layers, and models with few', () => {
    expect(pairCounts(6)).toEqual({ adjacent: 6, all: 30, times: 5 });
    expect(pairCounts(4)).toEqual({ adjacent: 4, all: 12, times: 3 });
    expect(pairCounts(2)).toEqual({ adjacent: 1, all: 2, times: 2 });
  });

  it('has a document’s mean over adjacent pairs, without what is not known', () => {
    const k = adjacentPairs(sampleRedundancy().pairs, 'K');
    // (0.3 + 0.6) / 2: the code, which is predicted worst.
    expect(documentMean(k, 'r2', 2)).toBeCloseTo(0.45, 12);
    const [first, second] = k;
    const unknown = { ...(first as PairResult), r2: { mean: 0.3, min: 0.3, max: 0.3, perDocument: [null] } };
    expect(documentMean([unknown, second as PairResult], 'r2', 0)).toBe(0.7);
    expect(documentMean([unknown], 'r2', 0)).toBeNull();
  });

  it('names documents in the page’s language, and a person’s own as they were named', () => {
    expect(documentName('model-card', words('ko').tr)).toBe('영문 모델 카드');
    expect(documentName('own:내 노트', en.tr)).toBe('내 노트');
  });
});
