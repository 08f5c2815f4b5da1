/** What the experiment `redundancy` asks of its model, checked before anything is fed. */
import type { Geometry, LayerCache } from '../geometry/geometry';
import { LabError, type Fault } from '../protocol/faults';
import type { Pass } from '../protocol/messages';
import type { Recipe } from '../protocol/recipe';
import { defaultRedundancy, FEWEST_KEPT, type RedundancyState } from '../protocol/redundancy';
import { fullCaches } from './full-layers';

/** Bytes that the Gram matrices and factors of all jobs that are solved at one time may take. */
const GRAM_LIMIT_BYTES = 2 ** 30;
/** Matrices that are at work besides those that are kept. */
const PASSING_MATRICES = 6;
const FLOAT64_BYTES = 8;

/**
 * The one work of a redundancy: `skip` + `keep` tokens of every document.
 * @param faultAt Why a number of tokens cannot be held; null where it can.
 * @throws LabError what `faultAt` gives, in the words of this experiment; redundancy-few-layers, redundancy-too-large: there
 * is nothing to measure then.
 */
export function planRedundancy(
  recipe: Recipe,
  model: string,
  geometry: Geometry,
  faultAt: (tokens: number) => Fault | null,
): Pass['work'] {
  const state = recipe.redundancy ?? defaultRedundancy();
  const layers = fullCaches(geometry);
  if (layers.length < 2) throw new LabError('redundancy-few-layers', { model, layers: layers.length });
  const channels = Math.max(...layers.map(widest));
  const bytes = gramBytes(channels, state);
  if (bytes > GRAM_LIMIT_BYTES)
    throw new LabError('redundancy-too-large', { channels, bytes, limit: GRAM_LIMIT_BYTES });
  const fault = named(faultAt(state.skip + state.keep), state);
  if (fault) throw new LabError(fault.code, fault.params, fault.detail);
  return { kind: 'redundancy', state };
}

/** A fault that names the fields of this experiment, where the one of all experiments would not say what to change. */
function named(fault: Fault | null, state: RedundancyState): Fault | null {
  if (fault?.code === 'bf16-unsupported') return { code: 'redundancy-bf16', params: {} };
  return fault?.code === 'over-max-position' ? overMaximum(state, Number(fault.params['maximum'])) : fault;
}

/** The fault of skipping and keeping more tokens than the model has positions: how many may be kept, or else skipped. */
export function overMaximum({ skip, keep }: RedundancyState, maximum: number): Fault {
  const [tokens, left] = [skip + keep, maximum - skip];
  return left < FEWEST_KEPT
    ? { code: 'redundancy-skip-over-maximum', params: { tokens, maximum, skip: maximum - FEWEST_KEPT } }
    : { code: 'redundancy-over-maximum', params: { tokens, maximum, keep: left } };
}

/**
 * Bytes of the Gram matrices and factors while one layer of so many channels predicts others (`analyseSource`): sums of the
 * source and with a target, a block each; a factor a training set; for each of the inner ones two blocks in its basis.
 */
export function gramBytes(channels: number, { documents, split }: RedundancyState): number {
  const count = documents.length;
  const blocks = split === 'halves' ? 2 * count : count;
  const inner = split === 'halves' ? 0 : (count * (count - 1)) / 2;
  return (2 * blocks + count + 3 * inner + PASSING_MATRICES) * channels ** 2 * FLOAT64_BYTES;
}

/** Jobs that may be solved at one time, at least 1, where a layer has at most so many channels. */
export function jobsAtOnce(channels: number, state: RedundancyState): number {
  return Math.max(1, Math.floor(GRAM_LIMIT_BYTES / gramBytes(channels, state)));
}

function widest({ kvHeads, keyDim, valueDim }: LayerCache): number {
  return kvHeads * Math.max(keyDim, valueDim);
}
