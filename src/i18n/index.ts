/**
 * Texts by language: looks a key up, fills in its values, picks the language. The English of the first paint is always
 * there; Korean, and the texts of parts that are shown later, are loaded when they are needed.
 */
import { FAULT_SENTENCES, fillSentence, type Fault, type FaultCode } from '../protocol/faults';
import { LANGS, type Lang } from '../protocol/recipe';
import { en, type TextKey } from './en';
import { PARTS, type Part, type PartKey } from './parts';

export type { TextKey } from './en';
export type { Part, PartKey } from './parts';
export type TextParams = Record<string, string | number>;

interface Faults {
  sentences: Record<FaultCode, string>;
  /** Parameters that are English phrases, in the language of the sentences. */
  translate: (fault: Fault) => Fault['params'];
}

const english: Faults = { sentences: FAULT_SENTENCES, translate: ({ params }) => params };
const faults: Partial<Record<Lang, Faults>> = { en: english };
const texts: Record<Lang, Readonly<Record<string, string>>> = { en, ko: {} };

/** The parts that were asked for so far: another language brings theirs too. */
const wanted = new Set<Part>();
const partsOf: Record<Lang, Set<Part>> = { en: new Set(), ko: new Set() };

/** Loads a language, so that `t` can use it. Never rejects: for what cannot be fetched, English stays. */
export async function loadCatalog(lang: Lang): Promise<void> {
  try {
    if (faults[lang] === undefined) {
      const [{ ko }, { koFaults, koParams }] = await Promise.all([import('./ko'), import('./ko-faults')]);
      texts.ko = { ...texts.ko, ...ko };
      faults.ko = { sentences: koFaults, translate: koParams };
    }
    // Also those that are asked for meanwhile.
    for (const part of wanted) await loadTexts(lang, part);
  } catch {
    // The chunk of an older build is gone after a redeploy; English is readable, a blank page is not.
  }
}

/** Loads the texts of a part, in English where the language's are gone. Rejects when those are gone as well. */
export async function loadPart(lang: Lang, part: Part): Promise<void> {
  wanted.add(part);
  try {
    await loadTexts(lang, part);
  } catch (error) {
    if (lang === 'en') throw error;
    await loadTexts('en', part);
  }
}

async function loadTexts(lang: Lang, part: Part): Promise<void> {
  if (partsOf[lang].has(part)) return;
  const loaded = await PARTS[part][lang]();
  texts[lang] = { ...texts[lang], ...loaded };
  partsOf[lang].add(part);
}

/**
 * The text of a key in a language, with `{name}` replaced by `params.name` (numbers grouped by thousands). The key itself
 * where its part was not loaded.
 */
export function t(lang: Lang, key: TextKey | PartKey<Part>, params: TextParams = {}): string {
  return fillSentence(texts[lang][key] ?? texts.en[key] ?? key, params);
}

/** The one sentence that tells a person what went wrong. */
export function faultText(lang: Lang, fault: Fault): string {
  const { sentences, translate } = faults[lang] ?? english;
  return fillSentence(sentences[fault.code], translate(fault));
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
