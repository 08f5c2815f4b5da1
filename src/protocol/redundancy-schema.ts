/** The redundancy experiment's part of a record from outside: its state and its result, parsed by schema. */
import * as v from 'valibot';
import type { PairNote, PairResult, Spread } from '../redundancy/types';
import { DTYPES } from './recipe';
import {
  KINDS,
  PAIR_CHOICES,
  SPLITS,
  type RedundancyResult,
  type RedundancyState,
  type Savings,
} from './redundancy';
import { isDocumentName, MAX_DOCUMENTS } from './redundancy-options';
import { amount, count, list, name } from './schema-parts';

const MAX_LAYERS = 500;
/** Every ordered pair of 100 layers, K and V. */
const MAX_PAIRS = 20_000;
const MAX_LAMBDAS = 32;
const NOTES: readonly PairNote['code'][] = [
  'constant-channels',
  'rank-deficient',
  'fewer-tokens-than-channels',
  'constant-target',
];

const finite = v.pipe(v.number(), v.finite());
/** R² of a prediction is at most 1; floating point may round a perfect one up. */
const r2 = v.nullable(v.pipe(finite, v.maxValue(1 + 1e-6, 'an R² is at most 1')));
/** A median of absolute correlations. */
const correlation = v.nullable(v.pipe(amount, v.maxValue(1 + 1e-6, 'a correlation is at most 1')));
const documentName = v.pipe(name, v.check(isDocumentName, 'no name of a document'));
const sha256 = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'no SHA-256'));

/** Types alone; the limits are those of the options table. */
export const redundancyState: v.GenericSchema<unknown, RedundancyState> = v.object({
  documents: list(name, 64),
  skip: count,
  keep: count,
  split: v.picklist(SPLITS),
  pairs: v.picklist(PAIR_CHOICES),
  context: count,
  // Records from before the option have none.
  weights: v.optional(count, 0),
});

const spread: v.GenericSchema<unknown, Spread> = v.object({
  mean: r2,
  min: r2,
  max: r2,
  perDocument: list(r2, MAX_DOCUMENTS),
});

const pair: v.GenericSchema<unknown, PairResult> = v.object({
  from: count,
  to: count,
  adjacent: v.boolean(),
  kind: v.picklist(KINDS),
  r2: spread,
  shuffled: spread,
  channelCorrelation: correlation,
  savedBits: v.nullable(amount),
  lambda: list(amount, MAX_DOCUMENTS),
  notes: list(v.object({ code: v.picklist(NOTES), count }), 16),
});

const savings: v.GenericSchema<unknown, Savings> = v.object({
  context: count,
  savedBits: amount,
  shareF16: amount,
  share4Bit: amount,
  bytesPerTokenF16: count,
  cacheBytesF16: count,
  cacheBytes4Bit: amount,
  savedBytes: amount,
  weightBytes: v.nullable(count),
  weightsFrom: v.optional(v.picklist(['known', 'typed']), 'known'),
});

export const redundancyResult: v.GenericSchema<unknown, RedundancyResult> = v.object({
  model: name,
  dtype: v.picklist(DTYPES),
  skip: count,
  keep: count,
  split: v.picklist(SPLITS),
  documents: list(v.object({ name: documentName, tokens: count, sha256: v.nullable(sha256) }), MAX_DOCUMENTS),
  layers: list(count, MAX_LAYERS),
  channels: list(v.object({ K: count, V: count }), MAX_LAYERS),
  lambdas: list(amount, MAX_LAMBDAS),
  pairs: list(pair, MAX_PAIRS),
  noiseFloor: v.nullable(amount),
  savings: v.nullable(savings),
  leak: v.boolean(),
});
