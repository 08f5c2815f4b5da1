/** A redundancy inside a results link: settings, documents, and a row of five small integers a pair. */
import * as v from 'valibot';
import { isModelId } from '../protocol/options';
import { isDocumentName, MAX_DOCUMENTS } from '../protocol/redundancy-options';
import { DTYPES } from '../protocol/recipe';
import type { ExpectedPair, ExpectedRedundancy } from './redundancy-results';

const MAX_PAIRS = 2000;
/** R² travel with 4 decimals, as integers. */
const SCALE = 10_000;
/** Bits of a pair's second number. */
const VALUES = 1;
const ADJACENT = 2;

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const scaled = v.nullable(v.pipe(v.number(), v.safeInteger(), v.maxValue(SCALE)));

export const packedRedundancy = v.tuple([
  /** Model, dtype, skip, keep, 1 for halves, seed. */
  v.tuple([
    v.pipe(v.string(), v.check(isModelId)),
    v.picklist(DTYPES),
    count,
    count,
    v.picklist([0, 1]),
    count,
  ]),
  /** Documents: name and the start of its hash. */
  v.pipe(
    v.array(
      v.tuple([
        v.pipe(v.string(), v.check(isDocumentName)),
        v.nullable(v.pipe(v.string(), v.regex(/^[0-9a-f]{8}$/))),
      ]),
    ),
    v.maxLength(MAX_DOCUMENTS),
  ),
  /** Pairs: from, to, flags, R² and shuffled R². */
  v.pipe(v.array(v.tuple([count, count, v.picklist([0, 1, 2, 3]), scaled, scaled])), v.maxLength(MAX_PAIRS)),
]);

export type PackedRedundancy = v.InferOutput<typeof packedRedundancy>;

export function packRedundancy(results: ExpectedRedundancy): PackedRedundancy {
  const { model, dtype, skip, keep, split, seed, documents, pairs } = results;
  return [
    [model, dtype, skip, keep, split === 'halves' ? 1 : 0, seed],
    documents.map(({ name, sha }) => [name, sha]),
    pairs.map(packPair),
  ];
}

function packPair({ from, to, kind, adjacent, r2, shuffled }: ExpectedPair): PackedRedundancy[2][number] {
  const flags = ((kind === 'V' ? VALUES : 0) + (adjacent ? ADJACENT : 0)) as 0 | 1 | 2 | 3;
  return [from, to, flags, packR2(r2), packR2(shuffled)];
}

/** A perfect R² may be above 1 by rounding. */
function packR2(value: number | null): number | null {
  return value === null ? null : Math.min(SCALE, Math.round(value * SCALE));
}

export function unpackRedundancy([subject, documents, pairs]: PackedRedundancy): ExpectedRedundancy {
  const [model, dtype, skip, keep, halves, seed] = subject;
  return {
    ...{ model, dtype, skip, keep, seed },
    split: halves === 1 ? 'halves' : 'documents',
    documents: documents.map(([name, sha]) => ({ name, sha })),
    pairs: pairs.map(([from, to, flags, r2, shuffled]) => ({
      ...{ from, to },
      kind: (flags & VALUES) === 0 ? 'K' : 'V',
      adjacent: (flags & ADJACENT) !== 0,
      r2: unpackR2(r2),
      shuffled: unpackR2(shuffled),
    })),
  };
}

function unpackR2(value: number | null): number | null {
  return value === null ? null : value / SCALE;
}
