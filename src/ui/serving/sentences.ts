/** The sentences of the serving report's verdict, from the data. Pure. */
import { servingVerdict } from '../../experiments/serving';
import { PAPER_UTILISATION, type ServingResult, type ServingSystem } from '../../protocol/serving';
import { meansOf, percent, type SystemMeans } from './numbers';
import type { ServingTranslate, ServingWords } from './words';

/** One to three sentences; the last two only where there is something to compare. */
export function verdictSentences(
  result: ServingResult,
  { tr, int }: ServingWords,
  { running, ofPaper }: { running: boolean; ofPaper: boolean },
): string[] {
  const { paged, lowest, highest } = servingVerdict(result);
  const reserved = [lowest, highest].flatMap((use) => use?.utilisation ?? []);
  if (paged === null && reserved.length === 0)
    return [tr(running ? 'serving.verdict.waiting' : 'serving.verdict.none')];
  const key = paged === null ? 'reserved' : reserved.length === 0 ? 'paged' : 'both';
  const sentence = tr(`serving.verdict.${key}`, {
    paged: percent(paged?.utilisation ?? NaN),
    reserved: rangeText(reserved, tr),
    block: int(result.block),
  });
  return [sentence, ...(ofPaper ? [paperSentence(tr)] : []), ...sessions(meansOf(result), tr)];
}

function paperSentence(tr: ServingTranslate): string {
  const { paged, ...reserving } = PAPER_UTILISATION;
  return tr('serving.verdict.paper', {
    paged: percent(paged),
    reserved: rangeText(Object.values(reserving), tr),
  });
}

/** How many requests the same bytes serve at one time. */
function sessions(means: readonly SystemMeans[], tr: ServingTranslate): string[] {
  const runningOf = (name: ServingSystem): number | null =>
    means.find(({ system }) => system === name)?.running ?? null;
  const [blocks, max] = [runningOf('paged'), runningOf('reserve-max')];
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
