/** Entries of the history in words: a name where a person gave none, and what was measured. */
import type { HistoryEntry } from '../../lab/history';
import { EXPERIMENTS } from '../../protocol/recipe';
import type { Texts } from '../context';
import { modelName } from '../model-name';
import { formatTime } from '../time';

/** Models that are named; of the others their number. */
const MOST_MODELS = 2;

/** The experiment and the models, as "Length: tiny, GPT-2 +1". */
export function whatOf({ experiment, models }: HistoryEntry, { tr }: Pick<Texts, 'tr'>): string {
  // A newer version of the page may have kept an experiment that this one does not know.
  const known = EXPERIMENTS.find((each) => each === experiment);
  const names = models.slice(0, MOST_MODELS).map((id) => modelName(id, tr));
  const more = models.length > MOST_MODELS ? ` +${String(models.length - MOST_MODELS)}` : '';
  return `${known === undefined ? experiment : tr(`nav.${known}`)}: ${names.join(', ')}${more}`;
}

/** The name that a person gave, else one made of what was measured and when. */
export function nameOf(entry: HistoryEntry, texts: Pick<Texts, 'tr' | 'language'>): string {
  return entry.name ?? `${whatOf(entry, texts)}, ${formatTime(entry.createdAt, texts.language)}`;
}
