/** Texts by language: looks a key up, fills in its values, picks the language. English is always there; Korean is loaded when asked for. */
import { CHECK_PHRASES, type CheckPhrase, type CheckPhraseKey } from '../protocol/checks';
import { FAULT_SENTENCES, fillSentence, type Fault, type FaultCode } from '../protocol/faults';
import { LANGS, type Lang } from '../protocol/recipe';
import { en, type TextKey } from './en';

export type { TextKey } from './en';
export type TextParams = Record<string, string | number>;

interface Catalog {
  texts: Record<TextKey, string>;
  faults: Record<FaultCode, string>;
  checks: Record<CheckPhraseKey, string>;
  /** Parameters that are English phrases, in the catalog's language. */
  translate: (fault: Fault) => Fault['params'];
}

const english: Catalog = {
  texts: en,
  faults: FAULT_SENTENCES,
  checks: CHECK_PHRASES,
  translate: ({ params }) => params,
};
const loaded: Partial<Record<Lang, Catalog>> = { en: english };

/** Loads a language's catalog, so that `t` can use it. Never rejects: when its file is gone, English stays. */
export async function loadCatalog(lang: Lang): Promise<void> {
  if (loaded[lang] !== undefined) return;
  try {
    const [{ ko }, { koFaults, koParams }, { koChecks }] = await Promise.all([
      import('./ko'),
      import('./ko-faults'),
      import('./ko-checks'),
    ]);
    loaded.ko = { texts: ko, faults: koFaults, checks: koChecks, translate: koParams };
  } catch {
    // The chunk of an older build is gone after a redeploy; English is readable, a blank page is not.
  }
}

/** The text of a key in a language, with `{name}` replaced by `params.name` (numbers grouped by thousands). */
export function t(lang: Lang, key: TextKey, params: TextParams = {}): string {
  return fillSentence((loaded[lang] ?? english).texts[key], params);
}

/** The one sentence that tells a person what went wrong. */
export function faultText(lang: Lang, fault: Fault): string {
  const { faults, translate } = loaded[lang] ?? english;
  return fillSentence(faults[fault.code], translate(fault));
}

/** What a check expected or measured. */
export function checkText(lang: Lang, { key, params }: CheckPhrase): string {
  return fillSentence((loaded[lang] ?? english).checks[key], params);
}

/** The first of the browser's languages (`navigator.languages`, BCP 47 tags) that there is a catalog for; English when none is. */
export function preferredLang(languages: readonly string[]): Lang {
  for (const tag of languages) {
    const primary = tag.toLowerCase().split('-')[0];
    const known = LANGS.find((lang) => lang === primary);
    if (known !== undefined) return known;
  }
  return 'en';
}
