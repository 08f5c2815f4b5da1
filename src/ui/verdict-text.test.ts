/** The verdict sentence from data. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Verdict } from '../experiments/summarise';
import { loadCatalog, loadPart, t } from '../i18n';
import { formatInteger } from '../protocol/format';
import type { Lang } from '../protocol/recipe';
import { lengthRecord } from '../protocol/sample-record.fixture';
import { staticGrowthRecord, staticLengthRecord } from '../protocol/static-record.fixture';
import type { LabRecord } from '../protocol/record';
import { isEqual, recordVerdict, verdictText, type Words } from './verdict-text';

const words = (lang: Lang): Words => ({
  tr: (key, params) => t(lang, key, params),
  int: (value) => formatInteger(value, lang),
});

const nothing: Verdict = {
  measured: 0,
  equal: 0,
  skipped: 0,
  steps: 0,
  equalSteps: 0,
  worstRatio: null,
  preallocated: null,
  largestSlack: null,
  growth: [],
  failedChecks: 0,
};
/** The article's 13 cells of three models; resident bytes as platform-notes.md saw them at 129 tokens. */
const article: Verdict = {
  ...nothing,
  measured: 13,
  equal: 13,
  skipped: 2,
  worstRatio: 1,
  largestSlack: { slack: 6291456 / 3170304, model: 'twin:Qwen/Qwen2.5-0.5B-Instruct', tokens: 129 },
};
/** The article's growth: 6 prompt tokens, 32 steps of 24,576 bytes, 933,888 bytes in the end. */
const grown: Verdict = {
  ...nothing,
  steps: 32,
  equalSteps: 32,
  worstRatio: 1,
  growth: [
    {
      model: 'twin:Qwen/Qwen2.5-0.5B-Instruct',
      repeat: 0,
      smallestDelta: 24576,
      largestDelta: 24576,
      distinctDeltas: 1,
      finalBytes: 933888,
      finalTokens: 38,
      multipleOfBytesPerToken: 38,
    },
  ],
};

beforeAll(() => loadPart('en', 'report'));

describe('verdictText of a length run', () => {
  it('counts cells, slack and skips', () => {
    expect(verdictText(article, 'length', words('en'))).toBe(
      '13 of 13 cells equal to the byte; the GPU holds 1.98× that at 129 tokens; 2 skipped.',
    );
  });

  it('names the worst ratio when cells differ, never as 1.0000', () => {
    const off = { ...article, equal: 12, skipped: 0, worstRatio: 1.00000001 };
    expect(verdictText(off, 'length', words('en'))).toContain(
      '12 of 13 cells equal to the byte; the worst ratio is 1.00000001;',
    );
    expect(isEqual(off, 'length')).toBe(false);
  });

  it('says what was not measured', () => {
    expect(verdictText(nothing, 'length', words('en'))).toBe('No cell was measured.');
    expect(isEqual(nothing, 'length')).toBe(false);
    expect(verdictText({ ...article, largestSlack: null }, 'length', words('en'))).toContain(
      'what the GPU holds was not measured',
    );
  });
});

describe('recordVerdict of a model of which some layers were measured', () => {
  const record = lengthRecord();
  const [model] = record.models;
  if (model === undefined) throw new Error('the sample has a model');
  const scaled = { layersMeasured: 2, layersOf: 36, whole: model.geometry };
  const cut: LabRecord = { ...record, models: [{ ...model, scaled }] };

  it('says so right after the cells, once for all variants', () => {
    const clause = 'cells equal to the byte; of its 36 layers only the first 2 were measured; ';
    expect(recordVerdict(cut, words('en')).sentence).toContain(clause);
    const variants = { ...cut, models: [...cut.models, { ...model, scaled, dtype: 'fp16' as const }] };
    expect(recordVerdict(variants, words('en')).sentence).toBe(recordVerdict(cut, words('en')).sentence);
    expect(recordVerdict(record, words('en')).sentence).not.toContain('layers');
  });

  it('names the model where there are several', () => {
    const both = { ...cut, models: [...cut.models, { ...model, id: 'twin:openai-community/gpt2' }] };
    expect(recordVerdict({ ...both, models: [...both.models].reverse() }, words('en')).sentence).toMatch(
      /; [^;]+: of its 36 layers only the first 2 were measured; /,
    );
  });
});

describe('verdictText of a growth run', () => {
  it('says what each step added and where it ended', () => {
    expect(verdictText(grown, 'growth', words('en'))).toBe(
      'Each of 32 steps added 24,576 bytes, exactly one token’s; the cache ends at 933,888 bytes = 38 tokens × 24,576; what the GPU holds was not measured.',
    );
    expect(isEqual(grown, 'growth')).toBe(true);
  });

  it('says the range when steps differ', () => {
    const [first] = grown.growth;
    const uneven = {
      ...grown,
      equalSteps: 31,
      growth: first ? [{ ...first, largestDelta: 49152, distinctDeltas: 2 }] : [],
    };
    expect(verdictText(uneven, 'growth', words('en'))).toContain(
      '32 steps added from 24,576 to 49,152 bytes, 2 different values; one token is 24,576',
    );
    expect(isEqual(uneven, 'growth')).toBe(false);
  });
});

describe('recordVerdict of a preallocated cache', () => {
  it('says what is used of the capacity, and of which room', () => {
    expect(recordVerdict(staticLengthRecord(), words('en'))).toEqual({
      sentence:
        '2 of 2 cells equal to the byte; the GPU’s buffers have no slack; the cache is preallocated with room for 160 tokens: at 129 tokens 3,170,304 of its 3,932,160 bytes are used.',
      equal: true,
    });
  });

  it('says that it was moved', () => {
    const { sentence, equal } = recordVerdict(staticGrowthRecord(), words('en'));
    expect(sentence).toContain('Each of 4 steps added 24,576 bytes, exactly one token’s; ');
    expect(sentence).toMatch(
      /3,244,032 of its 6,389,760 bytes are used; it was moved 1× to larger buffers\.$/,
    );
    expect(equal).toBe(true);
  });

  it('is not equal where the capacity is not the formula’s at the room', () => {
    const record = staticLengthRecord();
    const cells = record.cells.map((cell) => ({ ...cell, tensorBytes: 3_932_164 }));
    const { sentence, equal } = recordVerdict({ ...record, cells }, words('en'));
    expect(sentence).toContain('but its 3,932,164 bytes are not the formula’s at that room');
    expect(equal).toBe(false);
  });
});

describe('verdictText in Korean', () => {
  beforeAll(() => loadCatalog('ko'));

  it('says of a preallocated cache what is used', () => {
    expect(recordVerdict(staticLengthRecord(), words('ko')).sentence).toContain(
      '캐시는 160토큰 자리로 미리 할당했고, 129토큰에서 3,932,160바이트 가운데 3,170,304바이트를 씁니다.',
    );
  });

  it('is made of whole sentences', () => {
    expect(verdictText(article, 'length', words('ko'))).toBe(
      '13칸 중 13칸이 바이트까지 같습니다. 129토큰에서 GPU는 그 1.98배를 잡고 있습니다. 2칸을 건너뛰었습니다.',
    );
  });
});
