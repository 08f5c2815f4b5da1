/** The catalogs: Korean has what English has, and sentences are filled in. */
import { beforeAll, describe, expect, it } from 'vitest';
import { FAULT_SENTENCES } from '../protocol/faults';
import { en } from './en';
import { faultText, loadCatalog, loadPart, preferredLang, t } from './index';
import { ko } from './ko';
import { koFaults } from './ko-faults';
import { PARTS } from './parts';

const placeholders = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();

describe('the Korean catalog', () => {
  it.each(Object.entries(en))('%s has the placeholders of the English text', (key, text) => {
    expect(placeholders(ko[key as keyof typeof en])).toEqual(placeholders(text));
  });

  it.each(Object.entries(FAULT_SENTENCES))(
    '%s uses no parameter that the English sentence lacks',
    (code, text) => {
      const known = placeholders(text);
      const used = placeholders(koFaults[code as keyof typeof koFaults]);
      expect(used.filter((name) => !known.includes(name))).toEqual([]);
    },
  );

  it('has no empty text', () => {
    expect(Object.values({ ...ko, ...koFaults }).filter((text) => text.trim() === '')).toEqual([]);
  });
});

describe('the texts of parts', () => {
  it.each(Object.entries(PARTS))('%s: Korean has the keys and placeholders of English', async (_, part) => {
    const [english, korean] = await Promise.all([part.en(), part.ko()]);
    const shape = (texts: object) =>
      Object.entries(texts).map(([key, text]) => [key, placeholders(text as string)]);
    expect(Object.fromEntries(shape(korean))).toEqual(Object.fromEntries(shape(english)));
    expect(Object.values<string>(korean).filter((text) => text.trim() === '')).toEqual([]);
  });

  it('have keys of their own', async () => {
    const parts = await Promise.all(Object.values(PARTS).map((part) => part.en()));
    const keys = [en, ...parts].flatMap((texts) => Object.keys(texts));
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
  });
});

describe('texts before a catalog is loaded', () => {
  it('are English, and those of a part that is not loaded are their keys', async () => {
    expect(t('ko', 'run.run')).toBe('Run');
    expect(t('en', 'calc.overMax', { maximum: 1 })).toBe('calc.overMax');
    await loadPart('en', 'architecture');
    expect(t('ko', 'calc.overMax', { maximum: 1 })).toBe('over the maximum position 1');
  });

  it('come in another language as soon as that is loaded', async () => {
    await loadCatalog('ko');
    expect(t('ko', 'calc.overMax', { maximum: 1 })).toBe('최대 위치 1 초과');
    await loadPart('ko', 'report');
    expect(t('ko', 'why.title')).toBe('상주 바이트가 뛰는 이유');
  });
});

describe('texts', () => {
  beforeAll(() => loadCatalog('ko'));

  it('are filled in, with numbers grouped by thousands', () => {
    expect(t('en', 'calc.overMax', { maximum: 32768 })).toBe('over the maximum position 32,768');
    expect(t('ko', 'calc.overMax', { maximum: 32768 })).toBe('최대 위치 32,768 초과');
  });

  it('say faults in both languages', () => {
    const fault = { code: 'over-max-position', params: { tokens: 2048, maximum: 1024 } } as const;
    expect(faultText('en', fault)).toBe('2,048 tokens are over the model’s maximum position 1,024.');
    expect(faultText('ko', fault)).toBe('2,048토큰은 모델의 최대 위치(1,024)를 넘습니다.');
  });

  it('say in Korean what was expected of an option', () => {
    const params = {
      option: 'batch',
      value: '0',
      expected: 'use a whole number from 1 to 64',
      kind: 'integer',
      min: 1,
      max: 64,
    };
    expect(faultText('ko', { code: 'recipe-bad-value', params })).toBe(
      'batch에 쓸 수 없는 값입니다(“0”): 1 이상 64 이하의 정수여야 합니다.',
    );
  });

  it('say in Korean what was expected of a field, and keep a phrase that is not known', () => {
    const text = (expected: string) =>
      faultText('ko', { code: 'config-bad-field', params: { field: 'n_head', value: '-3', expected } });
    expect(text('a whole number from 1 to 65,536')).toBe(
      'config.json의 “n_head” 값이 -3입니다. 필요한 값: 1 이상 65,536 이하의 정수.',
    );
    expect(text('something new')).toContain('something new');
    expect(text('a whole number, or letters L and G')).toContain('필요한 값: 정수, 또는 L과 G로 된 문자열.');
    expect(text('one of full_attention, sliding_attention')).toContain(
      '필요한 값: full_attention, sliding_attention 중 하나.',
    );
    expect(text('full_attention, sliding_attention or chunked_attention')).toContain(
      '필요한 값: full_attention, sliding_attention, chunked_attention 중 하나.',
    );
  });

  it('say in Korean what stands for a field’s value, and leave a text of the config alone', () => {
    const text = (value: string) =>
      faultText('ko', {
        code: 'config-bad-field',
        params: { field: 'text_config', value, expected: 'the config of the text model' },
      });
    expect(text('a config in a config, more than 16 deep')).toBe(
      'config.json의 “text_config” 값이 16단계보다 깊이 중첩된 설정입니다. 필요한 값: 텍스트 모델의 설정.',
    );
    expect(text('a list of 27')).toContain('값이 원소 27개인 배열입니다.');
    expect(text('"a list of 27"')).toContain('값이 "a list of 27"입니다.');
  });
});

describe('preferredLang', () => {
  it.each([
    [['ko-KR', 'en-US'], 'ko'],
    [['fr-FR', 'KO'], 'ko'],
    [['en-GB', 'ko'], 'en'],
    [['kok-IN'], 'en'],
    [[], 'en'],
  ] as const)('%j gives %s', (languages, lang) => {
    expect(preferredLang(languages)).toBe(lang);
  });
});
