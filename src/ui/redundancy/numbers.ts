/** Numbers of the redundancy report as text, and what is counted over pairs. Pure. */
import { overMaximum } from '../../experiments/plan-redundancy';
import type { Fault } from '../../protocol/faults';
import type { RedundancyState } from '../../protocol/redundancy';
import { places } from '../../record/redundancy-text';
import type { Kind, PairResult } from '../../redundancy/types';
import type { RedundancyTranslate } from './words';

// A number that is not 0 never looks like it: the sign of a control is what it is read for.
export { places };

/** Below this an R² is only told to be so: how far a useless prediction misses says nothing. */
const LOWEST = -1000;

/** An R² to so many places; one far below 0 as “below -1,000”. */
export function r2Text(value: number, digits: number, tr: RedundancyTranslate): string {
  return value < LOWEST ? tr('red.below', { limit: LOWEST }) : places(value, digits);
}

/** Two sizes of the same kind, the unit once where both have it: “14.4” of “96 MiB”. */
export function sizesOf(
  part: number,
  whole: number,
  size: (bytes: number) => string,
): { part: string; whole: string } {
  const [small, large] = [size(part), size(whole)];
  const unit = / \S+$/.exec(large)?.[0] ?? '';
  return { part: unit !== '' && small.endsWith(unit) ? small.slice(0, -unit.length) : small, whole: large };
}

export const KINDS: readonly Kind[] = ['K', 'V'];

/** A share as percent: whole ones, to one place below 10, never 0 for what is not 0. */
export function percent(share: number): string {
  const value = 100 * share;
  return Math.abs(value) >= 10 ? value.toFixed(0) : String(Number(places(value, 1)));
}

/** The two ends of what is known among values; null when nothing is. */
export function endsOf(values: Iterable<number | null>): { min: number; max: number } | null {
  const known = [...values].filter((value): value is number => value !== null && Number.isFinite(value));
  return known.length === 0 ? null : { min: Math.min(...known), max: Math.max(...known) };
}

/** The mean of what is known among values; null when nothing is. */
export function meanOf(values: Iterable<number | null>): number | null {
  const known = [...values].filter((value): value is number => value !== null && Number.isFinite(value));
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}

/** Adjacent pairs, of one kind or both. */
export function adjacentPairs(pairs: readonly PairResult[], kind?: Kind): PairResult[] {
  return pairs.filter((pair) => pair.adjacent && (kind === undefined || pair.kind === kind));
}

/** The mean over pairs of one document, by its index. */
export function documentMean(
  pairs: readonly PairResult[],
  of: 'r2' | 'shuffled',
  document: number,
): number | null {
  return meanOf(pairs.map((pair) => pair[of].perDocument[document] ?? null));
}

/** Pairs of a run: adjacent ones with first → last where there are three layers, or every ordered pair. */
export function pairCounts(layers: number): { adjacent: number; all: number; times: number } {
  const adjacent = Math.max(0, layers - 1) + (layers >= 3 ? 1 : 0);
  const all = layers * (layers - 1);
  return { adjacent, all, times: adjacent === 0 ? 1 : Math.round((10 * all) / adjacent) / 10 };
}

/** The shuffled control that is highest above 0, of any document; null when none is. */
export function worstLeak(
  pairs: readonly PairResult[],
): { pair: PairResult; document: number; value: number } | null {
  let worst: { pair: PairResult; document: number; value: number } | null = null;
  for (const pair of pairs)
    for (const [document, value] of pair.shuffled.perDocument.entries())
      if (value !== null && value > 0 && value > (worst?.value ?? 0)) worst = { pair, document, value };
  return worst;
}

/** The fault of skipping and keeping more tokens than the model has positions; null also where nobody knows how many. */
export function positionsFault(maximum: number | null, state: RedundancyState): Fault | null {
  return maximum !== null && state.skip + state.keep > maximum ? overMaximum(state, maximum) : null;
}
