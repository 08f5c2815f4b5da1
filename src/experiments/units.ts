/** Work of a pass in units of its own, for estimates of time and for sharing it out. */
import type { Pass } from '../protocol/messages';

/** Tokens of context at which one more token costs twice what it costs in an empty cache. */
const CONTEXT_DOUBLING = 1024;
/** What a decode step costs more than one token of a prefill, which shares its overhead with its chunk. */
const DECODE_STEP_UNITS = 8;

/**
 * Work that a pass has done when its cache holds `doneTokens` tokens per sequence. Prefilling a token at context c costs
 * 1 + c / 1024 units a sequence (attention grows with the context), a decode step 8 times that. For estimates of time only.
 */
export function unitsOf({ work, batch }: Pick<Pass, 'work' | 'batch'>, doneTokens: number): number {
  const start = work.kind === 'length' ? (work.stops.at(-1) ?? 0) : work.promptTokens;
  const decoded = Math.max(0, Math.min(doneTokens - start, work.steps));
  const decodeUnits = prefillUnits(start + decoded) - prefillUnits(start);
  return batch * (prefillUnits(Math.min(doneTokens, start)) + DECODE_STEP_UNITS * decodeUnits);
}

/** The integral of 1 + c / 1024 over the tokens, so that chunks of any size add up to the same. */
function prefillUnits(tokens: number): number {
  return tokens + tokens ** 2 / (2 * CONTEXT_DOUBLING);
}
