/** A redundancy in English, for files and terminals: verdict, warnings, caveats, notes. The page has the same in its own languages. */
import { formatInteger } from '../protocol/format';
import type { LabRecord } from '../protocol/record';
import { documentTitle } from '../protocol/redundancy-options';
import { KINDS, type RedundancyResult, type Savings } from '../protocol/redundancy';
import { CHANCE, spreadOf } from '../redundancy/savings';
import type { Kind, PairNote, PairResult, Spread } from '../redundancy/types';
import { isTwin } from './badges';

export const NOT_KNOWN = 'not known';
export const WRONG_WAY =
  'The wrong way, on purpose: trained on the first half of each document and tested on its second. With about as many tokens as channels the fit learns by heart; leave one document out instead.';
export const RANDOM_WEIGHTS = 'Random weights: this R² speaks of the method, not of a language model.';

/** What the savings leave out; the third article's own caveats. */
export const SAVINGS_CAVEATS: readonly string[] = [
  'The savings are an upper bound, not a codec: values are taken to be Gaussian, the prediction is linear, and an ideal quantiser gets every bit.',
  'The first layer has no layer before it, but is counted as if it had; the matrices that predict (one a pair) are not subtracted; errors of a layer stored in few bits would add up in the next.',
];

const NOTES: Record<PairNote['code'], string> = {
  'constant-channels': '{count} constant channels',
  'rank-deficient': 'rank {count}',
  'fewer-tokens-than-channels': '{count} training tokens, fewer than channels',
  'constant-target': 'the predicted layer is constant',
};

const KIB = 2 ** 10;
const MIB = 2 ** 20;
/** Below this an R² is only told to be so: how far a useless prediction misses says nothing. */
const LOWEST = -1000;

/**
 * A number to so many places. One that is not 0 never looks like it: the sign of a control is what it is read for.
 * Null is not known.
 */
export function places(value: number | null, digits: number): string {
  if (value === null) return NOT_KNOWN;
  const text = value.toFixed(digits);
  if (value === 0 || Number(text) !== 0) return text;
  return String(Number(value.toPrecision(1)));
}

/** An R² to so many places; one far below 0 as “below -1,000”. */
export function r2Text(value: number | null, digits: number): string {
  return value !== null && value < LOWEST ? `below ${formatInteger(LOWEST)}` : places(value, digits);
}

/** “0.340 (0.300 to 0.380)” */
export function spreadText({ mean, min, max, perDocument }: Spread): string {
  if (mean === null) return NOT_KNOWN;
  // One document has no range.
  if (perDocument.length === 1) return r2Text(mean, 3);
  return `${r2Text(mean, 3)} (${r2Text(min, 3)} to ${r2Text(max, 3)})`;
}

export function noteText({ code, count }: PairNote): string {
  return NOTES[code].replace('{count}', formatInteger(count));
}

/** MiB with one decimal, from bytes; below 0.1 MiB in KiB, and below 1 KiB in bytes. */
export function mib(bytes: number): string {
  const decimal = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 1 });
  if (bytes >= MIB / 10 || bytes === 0) return `${decimal(bytes / MIB)} MiB`;
  return bytes >= KIB ? `${decimal(bytes / KIB)} KiB` : `${formatInteger(bytes)} bytes`;
}

export function percentText(share: number): string {
  return `${places(100 * share, 1)} %`;
}

/** Whether the model's weights are random: the built-in one's and every twin's. */
export function hasRandomWeights(record: LabRecord, model: string): boolean {
  return (
    isTwin(record, model) || record.models.some(({ id, source }) => id === model && source === 'built-in')
  );
}

/** The shuffled control that is highest above 0, in a sentence that stands before everything else; null without a leak. */
export function leakWarning({ leak, pairs, documents }: RedundancyResult): string | null {
  if (!leak) return null;
  const worst = pairs
    .flatMap((pair) => pair.shuffled.perDocument.map((value, at) => ({ pair, value: value ?? 0, at })))
    .reduce<{ pair: PairResult; value: number; at: number } | null>(
      (most, one) => (one.value > (most?.value ?? 0) ? one : most),
      null,
    );
  const where =
    worst === null
      ? ''
      : ` (${places(worst.value, 3)}, ${worst.pair.kind} of ${arrow(worst.pair)}, ${documentTitle(documents[worst.at]?.name ?? '?')})`;
  const chance =
    worst !== null && worst.value < CHANCE ? ' So little can be chance: change the seed and look again.' : '';
  return `LEAK: a control with shuffled tokens has an R² above 0${where}. Training and test are not apart: this result must not be believed.${chance}`;
}

export function arrow({ from, to }: Pick<PairResult, 'from' | 'to'>): string {
  return `${from} → ${to}`;
}

/** “K of a layer predicts 34 to 69 % of the next layer's K; … shuffled tokens predict nothing (-0.22 to -0.01). The ideal bound saves …” */
export function redundancySentence(result: RedundancyResult): string {
  const adjacent = result.pairs.filter((pair) => pair.adjacent);
  const parts = KINDS.flatMap((kind) => predicts(kind, adjacent));
  if (parts.length === 0) return 'No R² of adjacent layers is known.';
  const shuffled = endsOf(result.pairs.flatMap(({ shuffled }) => [shuffled.min, shuffled.max]));
  const control = shuffled === null ? [] : [controlText(result, shuffled)];
  const first = `${[...parts, ...control].join('; ')}.`;
  return result.savings === null ? first : `${first} ${savingsSentence(result.savings)}`;
}

function predicts(kind: Kind, adjacent: readonly PairResult[]): string[] {
  const ends = endsOf(adjacent.filter((pair) => pair.kind === kind).map((pair) => pair.r2.mean));
  if (ends === null) return [];
  const { min, max } = ends;
  if (max <= 0)
    return [`${kind} of a layer predicts nothing of the next layer’s ${kind} (R² ${rangeText(ends)})`];
  if (min < 0)
    return [
      `${kind} of a layer predicts the next layer’s ${kind} in some pairs only (R² ${rangeText(ends)})`,
    ];
  const [low, high] = [places(100 * min, 0), places(100 * max, 0)];
  return [
    `${kind} of a layer predicts ${low === high ? high : `${low} to ${high}`} % of the next layer’s ${kind}`,
  ];
}

function controlText({ leak }: RedundancyResult, ends: Ends): string {
  return leak
    ? `shuffled tokens predict something too (R² ${rangeText(ends)}), which they cannot`
    : `shuffled tokens predict nothing (R² ${rangeText(ends)})`;
}

/** Savings beside what they are savings of, as on the page: redundant, and worth saving, are two answers. */
function savingsSentence(savings: Savings): string {
  const { context, savedBits, savedBytes, share4Bit, cacheBytes4Bit, shareF16, cacheBytesF16 } = savings;
  if (savedBits <= 0) return 'The ideal bound saves nothing.';
  const of4Bit = `${wholePercent(share4Bit)} of a 4-bit cache (${partOf(savedBytes, cacheBytes4Bit)} at ${formatInteger(context)} tokens)`;
  const ofF16 = `${wholePercent(shareF16)} of a float16 one (${mib(cacheBytesF16)})`;
  return `The ideal bound saves ${places(savedBits, 2)} bits per element: ${of4Bit}, ${ofF16}${besideText(savings)}.`;
}

function besideText({ weightBytes, weightsFrom }: Savings): string {
  if (weightBytes === null)
    return '; the bytes of the model’s weights are not known (option weights, such as weights=4.5GB)';
  return `, beside ${mib(weightBytes)} of weights${weightsFrom === 'typed' ? ', as typed' : ''}`;
}

/** “14.4 of 96 MiB”: the unit once where both have it. */
function partOf(part: number, whole: number): string {
  const [small, large] = [mib(part), mib(whole)];
  const unit = large.slice(large.indexOf(' '));
  return `${small.endsWith(unit) ? small.slice(0, -unit.length) : small} of ${large}`;
}

/** Whole percent from 10 on, else one decimal. */
function wholePercent(share: number): string {
  return share >= 0.1 ? `${(100 * share).toFixed(0)} %` : percentText(share);
}

interface Ends {
  min: number;
  max: number;
}

/** The two ends of what is known; null when nothing is. */
function endsOf(values: (number | null)[]): Ends | null {
  const { min, max } = spreadOf(values);
  return min === null || max === null ? null : { min, max };
}

function rangeText({ min, max }: Ends): string {
  const [low, high] = [r2Text(min, 2), r2Text(max, 2)];
  return low === high ? low : `${low} to ${high}`;
}
