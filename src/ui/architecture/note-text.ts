/** What an engine's number leaves out or supposes, in the page's language. */
import type { EngineNote } from '../../geometry/engines';
import { ENGINE_NOTES, type EngineNoteCode } from '../../geometry/engines/notes';
import { koEngineNotes } from '../../i18n/ko-engine-notes';
import { fillSentence } from '../../protocol/faults';
import type { Lang } from '../../protocol/recipe';

const NOTES = { en: ENGINE_NOTES, ko: koEngineNotes } satisfies Record<Lang, Record<EngineNoteCode, string>>;

export function noteText(lang: Lang, { code, params }: EngineNote): string {
  return fillSentence(NOTES[lang][code], params);
}
