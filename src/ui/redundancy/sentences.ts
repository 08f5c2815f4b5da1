/** The redundancy report's sentences, made from its data: what predicts what, what it saves, and two separate answers. Pure. */
import type { RedundancyResult, Savings } from '../../protocol/redundancy';
import type { Kind, PairResult } from '../../redundancy/types';
import { adjacentPairs, endsOf, KINDS, meanOf, percent, places, r2Text, sizesOf } from './numbers';
import type { RedundancyTranslate, RedundancyWords } from './words';

/** Shares of weights and cache together below which a saving is called hardly worth it, or a little. */
const HARDLY = 0.01;
const LITTLE = 0.1;

/** The verdict's sentences: what predicts what, with the control; then what the bound saves. */
export function verdictSentences(result: RedundancyResult, words: RedundancyWords): string[] {
  const { tr } = words;
  const adjacent = adjacentPairs(result.pairs);
  if (adjacent.length === 0) return [tr('red.verdict.noPairs')];
  const parts = KINDS.filter((kind) => adjacent.some((pair) => pair.kind === kind)).map((kind) =>
    predictsPart(kind, adjacentPairs(adjacent, kind), tr),
  );
  const control = shuffledPart(result, tr);
  return [
    `${[...parts, ...(control === null ? [] : [control])].join(tr('verdict.join'))}.`,
    ...(result.savings === null ? [] : [savesSentence(result.savings, words)]),
  ];
}

function predictsPart(kind: Kind, pairs: readonly PairResult[], tr: RedundancyTranslate): string {
  const ends = endsOf(pairs.map(({ r2 }) => r2.mean));
  if (ends === null) return tr('red.verdict.unknown', { kind });
  if (ends.max <= 0) return tr('red.verdict.nothing', { kind, ends: endsText(ends, tr) });
  if (ends.min <= 0)
    return tr('red.verdict.partly', { kind, min: r2Text(ends.min, 2, tr), max: r2Text(ends.max, 2, tr) });
  const [min, max] = [percent(ends.min), percent(ends.max)];
  return tr('red.verdict.predicts', {
    kind,
    ends: tr(min === max ? 'red.percent.one' : 'red.percent', { min, max }),
  });
}

/** The shuffled controls of every pair and document. */
function shuffledPart({ pairs, leak }: RedundancyResult, tr: RedundancyTranslate): string | null {
  const ends = endsOf(pairs.flatMap(({ shuffled }) => shuffled.perDocument));
  if (ends === null) return null;
  return tr(leak ? 'red.verdict.leaks' : 'red.verdict.shuffled', { ends: endsText(ends, tr) });
}

function savesSentence(savings: Savings, { tr, size }: RedundancyWords): string {
  const { savedBits, savedBytes, share4Bit, cacheBytes4Bit, shareF16, cacheBytesF16, context, weightBytes } =
    savings;
  if (savedBits <= 0) return tr('red.verdict.savesNothing');
  const { part, whole } = sizesOf(savedBytes, cacheBytes4Bit, size);
  return tr(weightBytes === null ? 'red.verdict.savesAlone' : 'red.verdict.saves', {
    bits: places(savedBits, 2),
    share4: tr('red.percent.one', { max: percent(share4Bit) }),
    saved: part,
    cache4: whole,
    tokens: context,
    share16: tr('red.percent.one', { max: percent(shareF16) }),
    cache16: size(cacheBytesF16),
    weights: weightBytes === null ? '' : size(weightBytes),
  });
}

/** Two ends to two places, or one where both are the same. */
function endsText({ min, max }: { min: number; max: number }, tr: RedundancyTranslate): string {
  const [low, high] = [r2Text(min, 2, tr), r2Text(max, 2, tr)];
  return low === high ? low : tr('red.ends', { min: low, max: high });
}

type RedundantAnswer = 'yes' | 'partly' | 'no' | 'unknown' | 'notBelieved';
type WorthAnswer = 'hardly' | 'little' | 'maybe' | 'no' | 'unknown' | 'notBelieved';

/** The answer in a word, and why. */
interface Answer<Word> {
  answer: Word;
  why: string;
}

/** Whether layers predict layers: the structure's own property, whatever the cache's size. */
export function redundantAnswer(result: RedundancyResult, { tr }: RedundancyWords): Answer<RedundantAnswer> {
  const known = adjacentPairs(result.pairs).filter(({ r2 }) => r2.mean !== null);
  const above = known.filter(({ r2 }) => (r2.mean ?? 0) > 0);
  const mean = (kind: Kind): string => {
    const value = meanOf(adjacentPairs(known, kind).map(({ r2 }) => r2.mean));
    return value === null ? tr('red.unknown') : r2Text(value, 2, tr);
  };
  const answer: RedundantAnswer =
    known.length === 0
      ? 'unknown'
      : above.length === known.length
        ? 'yes'
        : above.length > 0
          ? 'partly'
          : 'no';
  const why = tr(`red.redundant.${answer}`, {
    k: mean('K'),
    v: mean('V'),
    n: above.length,
    of: known.length,
  });
  return { answer: result.leak ? 'notBelieved' : answer, why };
}

/** Whether the bytes saved matter beside what has to be in memory anyway. */
export function worthAnswer(
  { savings, leak }: RedundancyResult,
  { tr, size }: RedundancyWords,
): Answer<WorthAnswer> | null {
  if (savings === null) return null;
  const { savedBytes, cacheBytesF16, weightBytes, context: tokens } = savings;
  const saved = size(savedBytes);
  const believed = <Word extends WorthAnswer>(answer: Word): Word | 'notBelieved' =>
    leak ? 'notBelieved' : answer;
  if (savedBytes <= 0) return { answer: believed('no'), why: tr('red.worth.nothing') };
  if (weightBytes === null)
    return {
      answer: believed('unknown'),
      why: tr('red.worth.noWeights', { saved, tokens, field: tr('red.weights') }),
    };
  const together = weightBytes + cacheBytesF16;
  const share = savedBytes / together;
  return {
    answer: believed(share < HARDLY ? 'hardly' : share < LITTLE ? 'little' : 'maybe'),
    why: tr('red.worth.share', {
      saved,
      share: tr('red.percent.one', { max: percent(share) }),
      together: size(together),
      tokens,
    }),
  };
}
