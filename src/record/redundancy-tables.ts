/** A redundancy's tables for files: R² by pair, by document, what it would save. Markdown in English. */
import { formatInteger } from '../protocol/format';
import type { LabRecord } from '../protocol/record';
import { KINDS, type RedundancyResult, type Savings } from '../protocol/redundancy';
import { documentTitle } from '../protocol/redundancy-options';
import { spreadOf } from '../redundancy/savings';
import type { PairResult } from '../redundancy/types';
import {
  arrow,
  hasRandomWeights,
  leakWarning,
  mib,
  NOT_KNOWN,
  noteText,
  percentText,
  places,
  r2Text,
  RANDOM_WEIGHTS,
  SAVINGS_CAVEATS,
  spreadText,
  WRONG_WAY,
} from './redundancy-text';
import { numbers, plain, table, words } from './tables';

/** What must be read before any number, in bold: a leak first, then the wrong way of splitting, then random weights. */
export function redundancyWarnings(record: LabRecord): string[] {
  const { redundancy } = record;
  if (redundancy === null) return [];
  const leak = leakWarning(redundancy);
  return [
    ...(leak === null ? [] : [leak]),
    ...(redundancy.split === 'halves' ? [WRONG_WAY] : []),
    ...(hasRandomWeights(record, redundancy.model) ? [RANDOM_WEIGHTS] : []),
  ].map((warning) => `**${plain(warning)}**`);
}

/** Everything else of it, a paragraph or table each. */
export function redundancyParts(result: RedundancyResult): string[] {
  const { pairs, savings, noiseFloor, skip, keep, lambdas, split } = result;
  if (pairs.length === 0) return [];
  const way =
    split === 'halves'
      ? 'tested on the second half of each document'
      : 'tested on each document left out, with lambda chosen by leaving one more out';
  return [
    `R² of a linear prediction of one layer’s keys (K) or values (V) from another’s, ${way}: mean (smallest to largest over documents). ` +
      `${formatInteger(keep)} tokens of each document after the first ${formatInteger(skip)}; lambda ${split === 'halves' ? `${Math.min(...lambdas)}, the smallest candidate` : `of ${lambdas.join(', ')}`}.`,
    pairsTable(result),
    documentsTable(result),
    ...(savings === null ? [] : [savingsTable(savings), SAVINGS_CAVEATS.map((one) => `- ${one}`).join('\n')]),
    noiseText(noiseFloor),
  ];
}

function noiseText(noiseFloor: number | null): string {
  if (noiseFloor === null) return 'Noise floor: not measured.';
  return noiseFloor === 0
    ? 'Noise floor: the first document run twice gave the same keys and values, bit for bit.'
    : `Noise floor: keys and values of the first document run twice differ by at most ${noiseFloor}.`;
}

function pairsTable({ pairs }: RedundancyResult): string {
  const noted = pairs.some(({ notes }) => notes.length > 0);
  const columns = [
    words('layers'),
    words('K or V'),
    numbers('R²'),
    numbers('R², tokens shuffled'),
    numbers('channel by channel, median absolute Pearson'),
    numbers('bits saved per element'),
    ...(noted ? [words('notes')] : []),
  ];
  const rows = inOrder(pairs).map((pair) => [
    `${arrow(pair)}${pair.adjacent ? '' : pair.to < pair.from ? ' (backwards)' : ' (not adjacent)'}`,
    pair.kind,
    spreadText(pair.r2),
    spreadText(pair.shuffled),
    places(pair.channelCorrelation, 3),
    bitsText(pair),
    ...(noted ? [pair.notes.map(noteText).join('; ')] : []),
  ]);
  return table(columns, rows);
}

/** Neighbours first, in the order of their layers; the same pair's K and V together. */
function inOrder(pairs: readonly PairResult[]): PairResult[] {
  const rank = (pair: PairResult): number => (pair.adjacent ? 0 : 1);
  return [...pairs].sort(
    (a, b) => rank(a) - rank(b) || a.from - b.from || a.to - b.to || a.kind.localeCompare(b.kind),
  );
}

/** A perfect prediction has no bound. */
function bitsText({ savedBits, r2 }: PairResult): string {
  return savedBits === null && (r2.mean ?? 0) >= 1 ? 'no bound' : places(savedBits, 3);
}

/** Means over the adjacent pairs. */
function documentsTable({ documents, pairs, split }: RedundancyResult): string {
  const adjacent = pairs.filter((pair) => pair.adjacent);
  const columns = [
    words(split === 'halves' ? 'document' : 'document left out'),
    numbers('tokens'),
    ...KINDS.flatMap((kind) => [numbers(`R² of ${kind}`), numbers(`${kind} shuffled`)]),
    words('SHA-256'),
  ];
  const rows = documents.map(({ name, tokens, sha256 }, at) => [
    plain(documentTitle(name)),
    formatInteger(tokens),
    ...KINDS.flatMap((kind) => {
      const own = adjacent.filter((pair) => pair.kind === kind);
      const mean = (of: 'r2' | 'shuffled'): string =>
        r2Text(spreadOf(own.map((pair) => pair[of].perDocument[at] ?? null)).mean, 3);
      return [mean('r2'), mean('shuffled')];
    }),
    sha256 === null ? NOT_KNOWN : sha256.slice(0, 12),
  ]);
  return table(columns, rows);
}

function savingsTable(savings: Savings): string {
  const {
    context,
    cacheBytesF16,
    cacheBytes4Bit,
    savedBytes,
    shareF16,
    share4Bit,
    weightBytes,
    weightsFrom,
  } = savings;
  const size = (bytes: number): string => `${formatInteger(bytes)} (${mib(bytes)})`;
  const row = (what: string, bytes: number, share: number): string[] => [
    what,
    size(bytes),
    size(savedBytes),
    percentText(share),
    weightBytes === null ? NOT_KNOWN : size(weightBytes),
  ];
  return table(
    [
      words(`cache of ${formatInteger(context)} tokens in`),
      numbers('bytes'),
      numbers(`saved at best, ${places(savings.savedBits, 3)} bits per element`),
      numbers('share'),
      numbers(`weights, to compare${weightsFrom === 'typed' ? ', as typed' : ''}`),
    ],
    [row('float16', cacheBytesF16, shareF16), row('4 bits', cacheBytes4Bit, share4Bit)],
  );
}
