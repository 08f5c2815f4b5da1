/** A point in time as people write it in the page's language; the text itself where it is no time. */
import type { Lang } from '../protocol/recipe';

/** @param iso ISO 8601, as records carry it. */
export function formatTime(iso: string, lang: Lang): string {
  const time = new Date(iso);
  return Number.isNaN(time.getTime())
    ? iso
    : time.toLocaleString(lang, { dateStyle: 'medium', timeStyle: 'short' });
}
