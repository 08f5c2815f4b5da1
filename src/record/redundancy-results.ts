/** A redundancy's results as a link or file lets one expect them, and the comparison of two: R² within a tolerance. */
import type { Dtype } from '../protocol/recipe';
import type { LabRecord } from '../protocol/record';
import type { Kind, Split } from '../redundancy/types';

/**
 * R² that differ by no more are the same (in proportion where they are below -1): GPUs round differently, and what they round
 * is multiplied by the regression. Bytes are never rounded, so those must be equal.
 */
export const R2_TOLERANCE = 0.005;

/** All that R² depends on, but the texts. */
export interface RedundancySubject {
  model: string;
  dtype: Dtype;
  skip: number;
  keep: number;
  split: Split;
  seed: number;
}

export interface ExpectedPair {
  from: number;
  to: number;
  kind: Kind;
  adjacent: boolean;
  /** Means over the documents; null where they are not known. */
  r2: number | null;
  shuffled: number | null;
}

export interface ExpectedDocument {
  name: string;
  /** The first 8 digits of its SHA-256; null when it is not known. */
  sha: string | null;
}

export interface ExpectedRedundancy extends RedundancySubject {
  documents: ExpectedDocument[];
  pairs: ExpectedPair[];
}

export type PairOutcome = 'same' | 'different' | 'not-run';

/** The two means of a pair. */
export type PairSide = Pick<ExpectedPair, 'r2' | 'shuffled'>;

export interface PairComparison {
  from: number;
  to: number;
  kind: Kind;
  adjacent: boolean;
  outcome: PairOutcome;
  expected: PairSide;
  /** Null when this run has no such pair (yet), or was asked with other settings. */
  here: PairSide | null;
}

export interface RedundancyComparison {
  tolerance: number;
  pairs: PairComparison[];
  /** The largest difference of an R², shuffled or not; null when no pair was compared. */
  largest: number | null;
  /** Documents of the expected results that are another text here, or not there: why R² may differ. */
  otherDocuments: string[];
  /** Settings that differ, so that nothing was compared. */
  otherSettings: (keyof RedundancySubject)[];
}

const SUBJECT: readonly (keyof RedundancySubject)[] = ['model', 'dtype', 'skip', 'keep', 'split', 'seed'];
const SHA_DIGITS = 8;

/** What a record of the experiment lets others expect; null for other records, and before the first pair. */
export function expectedRedundancy({ redundancy, recipe }: LabRecord): ExpectedRedundancy | null {
  if (redundancy === null || redundancy.pairs.length === 0) return null;
  const { model, dtype, skip, keep, split, documents, pairs } = redundancy;
  return {
    ...{ model, dtype, skip, keep, split },
    seed: recipe.seed,
    documents: documents.map(({ name, sha256 }) => ({ name, sha: sha256?.slice(0, SHA_DIGITS) ?? null })),
    pairs: pairs.map(({ from, to, kind, adjacent, r2, shuffled }) => ({
      ...{ from, to, kind, adjacent },
      r2: r2.mean,
      shuffled: shuffled.mean,
    })),
  };
}

/** The subject of results, and nothing else of them. */
export function redundancySubject(results: RedundancySubject): RedundancySubject {
  const { model, dtype, skip, keep, split, seed } = results;
  return { model, dtype, skip, keep, split, seed };
}

/** The difference of two R²; 0 when both are unknown, null when one is. */
function differenceOf(a: number | null, b: number | null): number | null {
  if (a === null && b === null) return 0;
  return a === null || b === null ? null : Math.abs(a - b);
}

/** Whether two R² are the same within the tolerance. */
export function sameR2(expected: number | null, here: number | null): boolean {
  const difference = differenceOf(expected, here);
  if (difference === null) return false;
  // 0.005 itself is within; the difference of two decimals may come out a hair above.
  return difference <= R2_TOLERANCE * Math.max(1, Math.abs(expected ?? 0)) + 1e-9;
}

const keyOf = ({ from, to, kind }: Pick<ExpectedPair, 'from' | 'to' | 'kind'>): string =>
  `${from} ${to} ${kind}`;

/** Compares every expected pair with what was found here; null when nothing was expected. */
export function compareRedundancy(
  expected: ExpectedRedundancy | null,
  here: ExpectedRedundancy | null,
): RedundancyComparison | null {
  if (expected === null) return null;
  const otherSettings = here === null ? [] : SUBJECT.filter((field) => expected[field] !== here[field]);
  const found = new Map(
    otherSettings.length > 0 ? [] : here?.pairs.map((pair) => [keyOf(pair), pair] as const),
  );
  const pairs = expected.pairs.map((pair) => comparePair(pair, found.get(keyOf(pair))));
  const differences = pairs.flatMap(({ expected: was, here: is }) =>
    is === null
      ? []
      : [differenceOf(was.r2, is.r2) ?? [], differenceOf(was.shuffled, is.shuffled) ?? []].flat(),
  );
  return {
    tolerance: R2_TOLERANCE,
    pairs,
    largest: differences.length === 0 ? null : Math.max(...differences),
    otherDocuments: here === null ? [] : otherDocuments(expected.documents, here.documents),
    otherSettings,
  };
}

function comparePair(expected: ExpectedPair, here: ExpectedPair | undefined): PairComparison {
  const { from, to, kind, adjacent } = expected;
  const same = here !== undefined && sameR2(expected.r2, here.r2) && sameR2(expected.shuffled, here.shuffled);
  return {
    ...{ from, to, kind, adjacent },
    outcome: here === undefined ? 'not-run' : same ? 'same' : 'different',
    expected: sideOf(expected),
    here: here === undefined ? null : sideOf(here),
  };
}

function sideOf({ r2, shuffled }: PairSide): PairSide {
  return { r2, shuffled };
}

/** Names on either side whose text is not the same on the other; a text whose hash is unknown counts as the same. */
function otherDocuments(expected: readonly ExpectedDocument[], here: readonly ExpectedDocument[]): string[] {
  const differs = (one: ExpectedDocument, others: readonly ExpectedDocument[]): boolean => {
    const other = others.find(({ name }) => name === one.name);
    return other === undefined || (one.sha !== null && other.sha !== null && one.sha !== other.sha);
  };
  const names = [
    ...expected.filter((one) => differs(one, here)),
    ...here.filter((one) => differs(one, expected)),
  ].map(({ name }) => name);
  return [...new Set(names)];
}
