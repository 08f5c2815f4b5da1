/** What a check expected or measured, in words. Comes with the checks, so that the first paint has none of it. */
import { CHECK_PHRASES, type CheckPhrase } from '../protocol/checks';
import { fillSentence } from '../protocol/faults';
import type { Lang } from '../protocol/recipe';
import { koChecks } from './ko-checks';

const PHRASES = { en: CHECK_PHRASES, ko: koChecks } satisfies Record<
  Lang,
  Record<CheckPhrase['key'], string>
>;

export function checkText(lang: Lang, { key, params }: CheckPhrase): string {
  return fillSentence(PHRASES[lang][key], params);
}
