/** The pairs of layers of two or more redundancy records side by side: R² within the tolerance, each setting apart. */
import type { LabRecord } from '../protocol/record';
import type { Kind } from '../redundancy/types';
import {
  expectedRedundancy,
  redundancySubject,
  sameR2,
  type PairSide,
  type RedundancySubject,
} from './redundancy-results';

/** `single`: fewer than two records have the pair, so there is nothing to compare. */
export type ManyPairOutcome = 'same' | 'different' | 'single';

export interface ManyPair extends RedundancySubject {
  from: number;
  to: number;
  kind: Kind;
  adjacent: boolean;
  /** One a record, in their order; null where it has no such pair. */
  values: (PairSide | null)[];
  outcome: ManyPairOutcome;
}

/** Every pair that any of the records has, in the order in which they come. Pairs found with other settings are other pairs. */
export function comparePairs(records: readonly LabRecord[]): ManyPair[] {
  const found = new Map<string, ManyPair>();
  records.forEach((record, index) => {
    const results = expectedRedundancy(record);
    if (results === null) return;
    const subject = redundancySubject(results);
    for (const { from, to, kind, adjacent, r2, shuffled } of results.pairs) {
      const key = JSON.stringify([Object.values(subject), from, to, kind]);
      const values = records.map(() => null);
      const pair = found.get(key) ?? { ...subject, from, to, kind, adjacent, values, outcome: 'single' };
      pair.values[index] = { r2, shuffled };
      found.set(key, pair);
    }
  });
  return [...found.values()].map((pair) => ({ ...pair, outcome: outcomeOf(pair.values) }));
}

/** Every one against every other: being within a tolerance of a third is not being the same. */
function outcomeOf(values: readonly (PairSide | null)[]): ManyPairOutcome {
  const known = values.filter((value) => value !== null);
  if (known.length < 2) return 'single';
  const same = known.every((one, at) =>
    known.slice(at + 1).every((other) => sameR2(one.r2, other.r2) && sameR2(one.shuffled, other.shuffled)),
  );
  return same ? 'same' : 'different';
}
