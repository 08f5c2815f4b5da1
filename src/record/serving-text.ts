/** A serving in English, for files and terminals: the sentence, and what is simulated and what is real. The page has the same in its own languages. */
import { formatInteger } from '../protocol/format';
import type { ServingResult, ServingRun, ServingSystem } from '../protocol/serving';

/** What a figure of a serving is made of; stands with every one of them. */
export const SIMULATED =
  'Simulated: the requests (their lengths are drawn from a geometric distribution with the means of the data set, and all have arrived before the first step), which rows the systems give them, and that a token is computed.';
export const REAL =
  'Real: the pools are GPU buffers (arrays on WASM); a row of a token’s bytes is written for every token, in the pattern of its request, and cleared when the request leaves; used bytes are counted by looking at every word of the pool.';

const NAMES: Record<ServingSystem, string> = {
  'reserve-max': 'reserved, longest request',
  'reserve-pow2': 'reserved, output to a power of two',
  'reserve-oracle': 'reserved, true length',
  paged: 'blocks (paged)',
};

export function systemName(system: ServingSystem): string {
  return NAMES[system];
}

/** “37.1 %”; “not measured” where no sample was taken while requests waited. */
export function shareText(share: number | null): string {
  return share === null ? 'not measured' : `${(100 * share).toFixed(1)} %`;
}

/** “cut short at step 40 of 210”, or null where all requests have left. */
export function cutShort({ steps, stepsPlanned }: ServingRun): string | null {
  return steps < stepsPlanned
    ? `cut short after step ${formatInteger(steps)} of ${formatInteger(stepsPlanned)}`
    : null;
}

/** “While requests wait, systems that reserve use 22.3 to 37.1 % of their pool, blocks of 16 tokens 96.3 %.” */
export function servingSentence({ runs, block }: ServingResult): string {
  const known = runs.filter(({ utilisation }) => utilisation !== null);
  const reserving = known
    .filter(({ system }) => system !== 'paged')
    .map(({ utilisation }) => utilisation ?? 0);
  const paged = known.find(({ system }) => system === 'paged');
  const [low, high] = [Math.min(...reserving), Math.max(...reserving)];
  const percent = (share: number): string => (100 * share).toFixed(1);
  const range = percent(low) === percent(high) ? percent(low) : `${percent(low)} to ${percent(high)}`;
  const parts = [
    ...(reserving.length > 0 ? [`systems that reserve use ${range} % of their pool`] : []),
    ...(paged ? [`blocks of ${formatInteger(block)} tokens ${shareText(paged.utilisation)}`] : []),
  ];
  return parts.length === 0
    ? 'No pool was read while requests waited.'
    : `While requests wait, ${parts.join(', ')}.`;
}
