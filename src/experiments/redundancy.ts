/** What the worker found about redundancy, joined with what it would save by the geometry and with the weights. Pure. */
import type { Geometry } from '../geometry/geometry';
import { makeCheck, say } from '../protocol/checks';
import type { Pass } from '../protocol/messages';
import type { Check, LabRecord } from '../protocol/record';
import type { MeasuredRedundancy, RedundancyResult, Savings } from '../protocol/redundancy';
import { CHANCE, leaks, meanSavedBits, savingsOf } from '../redundancy/savings';
import { fullCaches } from './full-layers';

type Weights = Pick<Savings, 'weightBytes' | 'weightsFrom'>;

/** The record with all that is known so far, which replaces what it said before. */
export function withRedundancy(
  record: LabRecord,
  { model, dtype, work }: Pass,
  found: MeasuredRedundancy,
  geometry: Geometry,
): LabRecord {
  if (work.kind !== 'redundancy') return record;
  const { skip, keep, split, context, weights } = work.state;
  const loaded = record.models.find((one) => one.id === model && one.dtype === dtype);
  const redundancy: RedundancyResult = {
    ...found,
    model,
    dtype,
    skip,
    keep,
    split,
    savings: savings(found, geometry, context, weightsOf(weights, loaded?.weightBytes ?? null)),
    leak: leaks(found.pairs),
  };
  return { ...record, redundancy };
}

/** The bytes of the weights that were typed, else those of the model that ran. */
export function weightsOf(typed: number, known: number | null): Weights {
  return typed > 0
    ? { weightBytes: typed, weightsFrom: 'typed' }
    : { weightBytes: known, weightsFrom: 'known' };
}

/** By the geometry's keys and values of the layers that were read, whatever else the model keeps. */
function savings(
  { pairs }: MeasuredRedundancy,
  geometry: Geometry,
  context: number,
  weights: Weights,
): Savings | null {
  const bits = meanSavedBits(pairs);
  if (bits === null) return null;
  const channels = fullCaches(geometry).map(({ kvHeads, keyDim, valueDim }) => ({
    K: kvHeads * keyDim,
    V: kvHeads * valueDim,
  }));
  return { ...savingsOf(channels, context, bits), ...weights };
}

/** Check `shuffled-control`: passes when no document of any pair is predicted from shuffled tokens. Null without any pair. */
export function shuffledCheck({ redundancy }: LabRecord): Check | null {
  const values = (redundancy?.pairs ?? []).flatMap(({ shuffled }) => shuffled.perDocument);
  const known = values.filter((value) => value !== null);
  if (redundancy === null || known.length === 0) return null;
  const count = known.length;
  const above = known.filter((value) => value > 0).length;
  const most = Math.max(...known);
  const largest = smallText(most);
  return makeCheck('shuffled-control', redundancy.model, !redundancy.leak, {
    expected: say('shuffled-expected'),
    measured: say('shuffled-found', { largest }),
    detail: !redundancy.leak
      ? say('shuffled-count', { count })
      : most < CHANCE
        ? say('shuffled-leak-small', { above, count, largest })
        : say('shuffled-leak', { above, count }),
  });
}

/** Four places, or as many as it takes to show that a number above 0 is not 0. */
function smallText(value: number): string {
  return value > 0 && value < 1e-3 ? value.toExponential(1) : value.toFixed(4);
}
