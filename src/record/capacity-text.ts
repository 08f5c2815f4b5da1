/** A plan in English, for files and terminals: its verdict and its reasons. The page has the same in its own languages. */
import { CAPACITY_FAULTS, type Count } from '../geometry/capacity/types';
import { PLAN_SENTENCES, type CapacityResult, type PlannedReason } from '../protocol/capacity';
import { fillSentence } from '../protocol/faults';
import { formatInteger } from '../protocol/format';
import { capacityVerdict, isAboutOne, times, type CapacityRatios, type TokenRatio } from './capacity-verdict';

const SENTENCES: Record<PlannedReason['code'], string> = { ...CAPACITY_FAULTS, ...PLAN_SENTENCES };

/** Why a model has no numbers, or fewer; one that is on no hub (by its id) is looked up nowhere. */
export function reasonText({ code, params }: PlannedReason, id = ''): string {
  if (code === 'capacity-weights-unknown' && /^(typed|config):/.test(id))
    return fillSentence('The size of the weights of {model} is not known: type it.', params);
  return fillSentence(SENTENCES[code], params);
}

/** A count with its unit's name, or that there is no end to it. */
export function countText(count: Count | null): string {
  if (count === null) return 'unknown';
  return count === 'unbounded' ? 'no limit' : formatInteger(count);
}

/** “One 80 GiB GPU holds 57 sessions of 8,192 tokens of Qwen3-8B and 9 of Qwen3-32B: weights differ 4.0x, sessions 6.3x.” */
export function capacitySentence(result: CapacityResult): string {
  const { gpus, gpuName, tokens, held, unfit, unweighed, unknown, ratios } = capacityVerdict(result);
  const parts = held.map(({ name, sessions }, at) =>
    at === 0
      ? `${sessions === 'unbounded' ? 'any number of' : formatInteger(sessions)} ${sessions === 1 ? 'session' : 'sessions'} of ${formatInteger(tokens)} tokens of ${name}`
      : `${countText(sessions)} of ${name}`,
  );
  const list =
    parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;
  const differ = ratios === null ? '' : `: ${differText(ratios)}`;
  const place =
    gpus === 1 ? `One ${gpuName} holds` : `${formatInteger(gpus)} x ${gpuName.replace(/GPU$/, 'GPUs')} hold`;
  return [
    ...(held.length > 0 ? [`${place} ${list}${differ}.`] : []),
    ...unfit.map(
      ({ name, missing }) =>
        `The weights of ${name} do not fit: ${formatInteger(missing)} bytes are missing.`,
    ),
    ...unweighed.map((name) => `The weights of ${name} are not known, so no sessions are counted.`),
    ...(unknown.length > 0
      ? [`How many sessions of ${unknown.join(', ')} fit cannot be said: see why below.`]
      : []),
  ].join(' ');
}

/** “X's weights are 1.9x those of Y, and Z holds 3.7x the sessions of X” */
function differText({ heavier, lighter, weights, most, fewest, sessions, plain }: CapacityRatios): string {
  if (plain) return `weights differ ${times(weights)}, sessions ${times(sessions)}`;
  const first = isAboutOne(weights)
    ? `the weights of ${heavier} and ${lighter} are about the same`
    : `${heavier}’s weights are ${times(weights)} those of ${lighter}`;
  return isAboutOne(sessions)
    ? `${first}, and ${most} holds about as many sessions as ${fewest}`
    : `${first}, and ${most} holds ${times(sessions)} the sessions of ${fewest}`;
}

/** One token of a model against one of another: the first, and where that differs a later one. */
export function tokenSentence({ more, less, ratio, far }: TokenRatio): string {
  const of = (what: string): string =>
    `${what} of ${more} takes ${times(ratio)} as many bytes as one of ${less}`;
  if (far === null) return `${of('A token')}.`;
  const first = `${of('The first token')}; in the long run`;
  if (far.kind === 'none')
    return `${first} ${far.names.join(' and ')} ${far.names.length === 1 ? 'grows' : 'grow'} no more.`;
  if (far.kind === 'same') return `${first} about as many.`;
  return `${first} ${far.more} takes ${times(far.ratio)} as many as ${far.less}.`;
}
