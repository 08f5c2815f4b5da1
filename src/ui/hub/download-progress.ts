/** How far a download is, as numbers that can be shown: never NaN, never over 100 (field report C13). */

/** Whole percent of a known total, rounded down; null where there is no total to go by. */
export function percentOf(done: number, total: number | null): number | null {
  if (total === null || total <= 0 || !Number.isFinite(done)) return null;
  return Math.max(0, Math.min(100, Math.floor((done / total) * 100)));
}

/** ms of a download that have to pass before its speed says anything. */
const SETTLE_MS = 2000;

/** Bytes that were here at a moment, ms. */
export interface Moment {
  at: number;
  done: number;
}

/** ms that a download will probably still take, by its speed since it began; null while there is nothing to go by. */
export function remainingMs(began: Moment, now: Moment, total: number | null): number | null {
  const ms = now.at - began.at;
  const bytes = now.done - began.done;
  if (total === null || ms < SETTLE_MS || bytes <= 0) return null;
  return (Math.max(0, total - now.done) * ms) / bytes;
}
