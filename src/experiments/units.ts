/** Work of a pass in units of its own, for estimates of time and for sharing it out. */
import type { Pass } from '../protocol/messages';
import type { RedundancyState } from '../protocol/redundancy';

/** Tokens of context at which one more token costs twice what it costs in an empty cache. */
const CONTEXT_DOUBLING = 1024;
/** What a decode step costs more than one token of a prefill, which shares its overhead with its chunk. */
const DECODE_STEP_UNITS = 8;

/**
 * Work that a pass has done when its cache holds `doneTokens` tokens per sequence. Prefilling a token at context c costs
 * 1 + c / 1024 units a sequence (attention grows with the context), a decode step 8 times that. For estimates of time only.
 * A redundancy feeds one document after the other: its `doneTokens` are those of all of them, and `Infinity` is solved too.
 */
export function unitsOf({ work, batch }: Pick<Pass, 'work' | 'batch'>, doneTokens: number): number {
  if (work.kind === 'redundancy') return redundancyUnits(work.state, doneTokens);
  // One unit a request.
  if (work.kind === 'serving') return Math.min(doneTokens, work.state.requests);
  const contexts =
    work.kind === 'growth'
      ? [work.promptTokens]
      : work.kind === 'contexts'
        ? work.stops
        : work.stops.slice(-1);
  return batch * contextUnits(contexts, work.steps, doneTokens);
}

/** Work of prefilling to each context on top of the one before, with its decode steps behind it. */
function contextUnits(contexts: readonly number[], steps: number, doneTokens: number): number {
  let [units, at] = [0, 0];
  for (const context of contexts) {
    const filled = Math.max(at, Math.min(doneTokens, context));
    const decoded = Math.max(filled, Math.min(doneTokens, context + steps));
    const decodeUnits = prefillUnits(decoded) - prefillUnits(filled);
    units += prefillUnits(filled) - prefillUnits(at) + DECODE_STEP_UNITS * decodeUnits;
    at = decoded;
  }
  return units;
}

/**
 * Work that a redundancy has done when a share (0 to 1) of its solving is; all documents were fed before. Solving counts as
 * much as feeding them: which of the two is longer depends on the model and on the machine.
 */
export function solvingUnits(state: RedundancyState, share: number): number {
  return fedUnits(state, Infinity) * (1 + share);
}

/** Tokens that a redundancy feeds in all: of every document once, and of the first a second time, for the noise floor. */
export function fedTokens({ documents, skip, keep }: RedundancyState): number {
  return (documents.length + 1) * (skip + keep);
}

function redundancyUnits(state: RedundancyState, doneTokens: number): number {
  return doneTokens === Infinity ? solvingUnits(state, 1) : fedUnits(state, doneTokens);
}

function fedUnits(state: RedundancyState, doneTokens: number): number {
  const each = state.skip + state.keep;
  const fed = Math.min(doneTokens, fedTokens(state));
  return Math.floor(fed / each) * prefillUnits(each) + prefillUnits(fed % each);
}

/** The integral of 1 + c / 1024 over the tokens, so that chunks of any size add up to the same. */
function prefillUnits(tokens: number): number {
  return tokens + tokens ** 2 / (2 * CONTEXT_DOUBLING);
}
