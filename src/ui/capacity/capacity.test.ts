/** The planner's sentences and derivations in both languages: numbers put in, every engine, several GPUs, no end. */
import { beforeAll, describe, expect, it } from 'vitest';
import { capacityResult, type FoundModel } from '../../experiments/capacity';
import { loadCatalog, loadPart, t } from '../../i18n';
import { findPlanned } from '../../lab/capacity-sources';
import type { CapacityState } from '../../protocol/capacity';
import { ENGINE_IDS } from '../../protocol/capacity-options';
import { parseRecipe } from '../../protocol/options';
import type { Lang } from '../../protocol/recipe';
import { CAPACITY_FAULTS } from '../../geometry/capacity/types';
import { PLAN_SENTENCES } from '../../protocol/capacity';
import { enCapacity } from '../../i18n/en-capacity';
import {
  cacheLines,
  largestLines,
  roomLines,
  sessionLines,
  tokenLines,
  type DerivationContext,
} from './derivations';
import { bytesPerTokenRatios } from '../../record/capacity-verdict';
import { capacitySentence, tokenSentence } from '../../record/capacity-text';
import { picture } from './results';
import { answer, comparisons, gib, sourceText } from './sentences';
import type { CapacityTranslate } from './words';

const words =
  (lang: Lang): CapacityTranslate =>
  (key, params) =>
    t(lang, key, params);
const en = words('en');

beforeAll(async () => {
  await loadCatalog('ko');
  for (const lang of ['en', 'ko'] as const)
    for (const part of ['capacity', 'architecture', 'input'] as const) await loadPart(lang, part);
});

function planned(query: string): {
  state: CapacityState;
  found: FoundModel[];
  result: ReturnType<typeof capacityResult>;
} {
  const state = parseRecipe(new URLSearchParams(`experiment=capacity&${query}`)).recipe.capacity;
  if (state === undefined) throw new Error('no plan');
  const found = findPlanned(state, new Map());
  return { state, found, result: capacityResult(state, found) };
}

function contextOf(query: string, tr = en): DerivationContext {
  const { found, result } = planned(query);
  const [one] = found;
  const [model] = result.models;
  if (one === undefined || model === undefined) throw new Error('no model');
  return { result, model, found: one, tr };
}

const texts = (query: string, tr = en) => answer(planned(query).result, tr).map(({ text }) => text);

describe('the answer', () => {
  it('is the article’s', () => {
    expect(texts('')).toEqual([
      'One 80 GiB GPU holds 57 sessions of 8,192 tokens of Qwen3-8B and 9 of Qwen3-32B: weights differ 4.0x, sessions 6.3x.',
    ]);
    expect(texts('', words('ko'))).toEqual([
      '80 GiB GPU 하나에 Qwen3-8B의 8,192토큰 세션이 57개, Qwen3-32B의 세션이 9개 들어갑니다. 가중치는 4.0배, 세션은 6.3배 차이입니다.',
    ]);
  });

  it('says one session, several GPUs, what does not fit and what is not known', () => {
    expect(texts('model=Qwen/Qwen3-32B&contexts=65536&gpus=1')).toEqual([
      'One 80 GiB GPU holds 1 session of 65,536 tokens of Qwen3-32B.',
    ]);
    expect(texts('model=Qwen/Qwen3-32B&contexts=4096&gpus=2')[0]).toMatch(
      /^2 x 80 GiB GPUs hold \d+ sessions/,
    );
    expect(texts('gpu=24GiB&model=Qwen/Qwen3-32B&model=a/b&model=typed:c:1')).toEqual([
      'The weights of Qwen3-32B do not fit: 39,754,442,752 bytes are missing.',
      'The weights of c are not known, so no sessions are counted.',
      'How many sessions of b fit cannot be said: see why below.',
    ]);
  });
});

describe('weights and sessions side by side', () => {
  const two = (weights: string) =>
    planned(
      `model=Qwen/Qwen3-8B&model=google/gemma-3-1b-it&weights=Qwen/Qwen3-8B:15GiB&weights=google/gemma-3-1b-it:${weights}`,
    );
  const said = (weights: string, tr = en) =>
    answer(two(weights).result, tr).map(({ text }) => text.replace(/^.*?(: |\. )(?=\S)/, ''))[0];

  it('name the heavier model, also where it holds more sessions', () => {
    const heavier = two('30GiB').result;
    // 30 / 15 GiB; 1,190 / 57 sessions.
    const sentence =
      'gemma-3-1b-it’s weights are 2.0x those of Qwen3-8B, and gemma-3-1b-it holds 20.9x the sessions of Qwen3-8B.';
    expect(said('30GiB')).toBe(sentence);
    expect(capacitySentence(heavier)).toBe(
      `One 80 GiB GPU holds 57 sessions of 8,192 tokens of Qwen3-8B and 1,190 of gemma-3-1b-it: ${sentence}`,
    );
    expect(said('30GiB', words('ko'))).toBe(
      'gemma-3-1b-it의 가중치는 Qwen3-8B의 2.0배이고, gemma-3-1b-it에는 Qwen3-8B의 20.9배 세션이 들어갑니다.',
    );
  });

  it('are about the same where they round so', () => {
    expect(said('15.1GiB')).toBe(
      'the weights of gemma-3-1b-it and Qwen3-8B are about the same, and gemma-3-1b-it holds 27.1x the sessions of Qwen3-8B.',
    );
  });
});

describe('how figures follow', () => {
  it('on one GPU', () => {
    const context = contextOf('reserve=2GiB&share=90');
    // ⌊85,899,345,920 x 0.9⌋ = 77,309,411,328
    expect(roomLines(context)).toEqual([
      '1 x (⌊85,899,345,920 x 90 %⌋ − 2,147,483,648) − 16,381,470,720 = 58,780,456,960 bytes',
    ]);
    expect(cacheLines(context, 'first')).toEqual([
      '36 full attention layers × 8 KV heads × (128 + 128) × 2 bytes = 147,456 bytes a token',
    ]);
    expect(tokenLines(context)).toEqual(['⌊58,780,456,960 ÷ 147,456⌋ = 398,630 tokens']);
    expect(sessionLines(context)[0]).toBe('At 4,096 tokens: ⌊58,780,456,960 ÷ 603,979,776⌋ = 97 sessions');
  });

  it('on two under vLLM, counted on each', () => {
    const context = contextOf('engine=vllm&gpus=2');
    // 85,899,345,920 − 8,190,735,360
    expect(roomLines(context)).toEqual([
      'On each of 2 GPUs: ⌊85,899,345,920 x 100 %⌋ − 0 − ⌈16,381,470,720 ÷ 2⌉ = 77,708,610,560 bytes; 2 x 77,708,610,560 = 155,417,221,120 bytes',
    ]);
    expect(cacheLines(context, 'first')).toEqual([
      '36 x full attention: 2,048 bytes each, per token',
      'By the rule of vLLM, in bf16.',
      'On each GPU 73,728 bytes; 2 x 73,728 = 147,456 bytes.',
    ]);
    // 77,708,610,560 / (4,096 x 73,728) = 257.3
    expect(sessionLines(context)[0]).toBe('At 4,096 tokens: ⌊77,708,610,560 ÷ 301,989,888⌋ = 257 sessions');
  });

  it('where the weights leave no room, and where a typed model has no formula', () => {
    const none = contextOf('model=Qwen/Qwen3-32B&gpu=24GiB');
    expect(roomLines(none)).toEqual(['The weights are 39,754,442,752 bytes over: the room is 0.']);
    expect(largestLines(none)).toEqual(['Not even one token fits into 0 bytes.']);
    expect(cacheLines(contextOf('model=typed:x:890'), 'first')).toEqual([
      'As it was typed: no engine and no type changes it.',
    ]);
  });

  it('where the cache stops growing', () => {
    const context = contextOf('model=state-spaces/mamba-130m-hf&weights=state-spaces/mamba-130m-hf:5GiB');
    expect(context.model.kvTokens).toBe('unbounded');
    expect(tokenLines(context)).toEqual([
      'The cache stops growing before the 80,530,636,800 bytes are full.',
    ]);
  });

  it.each(ENGINE_IDS)('%s: every line is whole, in both languages', (engine) => {
    for (const model of [
      'Qwen/Qwen3-8B',
      'google/gemma-3-27b-it',
      'deepseek-ai/DeepSeek-V3',
      'openai/gpt-oss-20b',
    ])
      for (const lang of ['en', 'ko'] as const) {
        const context = contextOf(
          `model=${model}&weights=${model}:1GiB&engine=${engine}&gpu=1TiB`,
          words(lang),
        );
        const lines = [
          ...roomLines(context),
          ...(['first', 'far', 'fixed'] as const).flatMap((figure) => cacheLines(context, figure)),
          ...tokenLines(context),
          ...largestLines(context),
          ...sessionLines(context),
        ];
        expect(lines.length).toBeGreaterThan(4);
        expect(lines.join('\n')).not.toMatch(/NaN|Infinity|undefined|\{\w+\}|cap\.|[-−]\d{2}/);
      }
  });
});

it('compares bytes per token', () => {
  expect(comparisons(planned('model=Qwen/Qwen3-8B&model=typed:V4.1 Flash:890').result.models, en)).toEqual([
    'A token of Qwen3-8B takes 166x as many bytes as one of V4.1 Flash: 147,456 ÷ 890.',
  ]);
});

it('compares the first token and later ones where they differ', () => {
  // Qwen3-8B 36 x 8 x 256 x 2 bytes. gemma-3-1b 26 x 1 x 512 x 2, 4 of its layers without a window; 27b 62 x 16 x 256 x 2, 10 without.
  const { models } = planned('model=Qwen/Qwen3-8B&model=google/gemma-3-27b-it').result;
  expect(comparisons(models, en)).toEqual([
    'The first token of gemma-3-27b-it takes 3.4x as many bytes as one of Qwen3-8B: 507,904 ÷ 147,456; in the long run Qwen3-8B takes 1.8x as many as gemma-3-27b-it: 147,456 ÷ 81,920.',
  ]);
  const small = planned('model=Qwen/Qwen3-8B&model=google/gemma-3-1b-it').result.models;
  expect(comparisons(small, words('ko'))).toEqual([
    'Qwen3-8B의 첫 토큰은 gemma-3-1b-it의 첫 토큰의 5.5배 바이트를 씁니다(147,456 ÷ 26,624). 길어지면 Qwen3-8B의 토큰 하나가 gemma-3-1b-it의 36.0배입니다(147,456 ÷ 4,096).',
  ]);
  expect(bytesPerTokenRatios(small).map(tokenSentence)).toEqual([
    'The first token of Qwen3-8B takes 5.5x as many bytes as one of gemma-3-1b-it; in the long run Qwen3-8B takes 36.0x as many as gemma-3-1b-it.',
  ]);
});

it('names the source of weights in the page’s language; free text stays', () => {
  const ko = words('ko');
  expect(sourceText('8,190 parameters x 0.515625 bytes (int4, groups of 128)', ko)).toBe(
    '파라미터 8,190개 x 0.515625바이트(int4, 128개씩 묶음)',
  );
  expect(sourceText('total_size of model.safetensors.index.json, as quoted in the second article', ko)).toBe(
    '두 번째 글에 인용된 model.safetensors.index.json의 total_size',
  );
  for (const source of [
    '8,190 parameters x 2 bytes (bfloat16)',
    'total_size of model.safetensors.index.json, as quoted in the second article',
  ])
    expect(sourceText(source, en)).toBe(source);
  expect(sourceText('model.safetensors', ko)).toBe('model.safetensors');
});

it('draws the sessions that fit', () => {
  const { models } = picture(planned('gpu=24GiB').result);
  expect(models).toEqual([
    {
      name: 'Qwen3-8B',
      points: [
        { x: 4096, y: 15 },
        { x: 8192, y: 7 },
        { x: 32_768, y: 1 },
      ],
    },
  ]);
});

it('shows GiB to four places', () => {
  // The second article: 0.5625 GiB and 1.125 GiB.
  expect([gib(603_979_776), gib(1_207_959_552), gib(8_589_934_592)]).toEqual(['0.5625', '1.125', '8']);
});

it('has the sentences of all reasons as geometry and the record say them', () => {
  expect(enCapacity).toMatchObject({ ...CAPACITY_FAULTS, ...PLAN_SENTENCES });
});
