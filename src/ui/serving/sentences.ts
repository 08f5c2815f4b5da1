/** The sentences of the serving report's verdict, from the data. Pure. */
import type { ServingResult } from '../../protocol/serving';
import { meansOf, PAPER_SHARES, percent, type SystemMeans } from './numbers';
import type { ServingTranslate, ServingWords } from './words';

/** One to three sentences; the last two only where there is something to compare. */
export function verdictSentences(
  result: ServingResult,
  { tr, int }: ServingWords,
  running: boolean,
): string[] {
  const means = meansOf(result);
  const paged = means.find(({ system }) => system === 'paged');
  const reserving = means.filter(({ system }) => system !== 'paged');
  const share = paged?.run.utilisation ?? null;
  const reserved = reserving.flatMap(({ run }) => run.utilisation ?? []);
  if (share === null && reserved.length === 0)
    return [tr(running ? 'serving.verdict.waiting' : 'serving.verdict.none')];
  const params = {
    paged: share === null ? '' : percent(share),
    reserved: rangeText(reserved, tr),
    block: int(result.block),
  };
  const key = share === null ? 'reserved' : reserved.length === 0 ? 'paged' : 'both';
  return [tr(`serving.verdict.${key}`, params), paperSentence(tr), ...sessions(paged, reserving, tr)];
}

function paperSentence(tr: ServingTranslate): string {
  const { paged, ...reserving } = PAPER_SHARES;
  return tr('serving.verdict.paper', {
    paged: percent(paged),
    reserved: rangeText(Object.values(reserving), tr),
  });
}

/** How many requests the same bytes serve at one time. */
function sessions(
  paged: SystemMeans | undefined,
  reserving: readonly SystemMeans[],
  tr: ServingTranslate,
): string[] {
  const max = reserving.find(({ system }) => system === 'reserve-max')?.running ?? null;
  const blocks = paged?.running ?? null;
  if (max === null || blocks === null || max === 0) return [];
  return [
    tr('serving.verdict.sessions', {
      paged: blocks.toFixed(1),
      max: max.toFixed(1),
      times: (blocks / max).toFixed(1),
    }),
  ];
}

/** “20.4 to 38.2” of shares; one number where all are the same to the digit. */
function rangeText(shares: readonly number[], tr: ServingTranslate): string {
  const [min, max] = [percent(Math.min(...shares)), percent(Math.max(...shares))];
  return min === max ? min : tr('serving.range', { min, max });
}
