/** The planner's sentences in the page's language, made from its numbers. Pure. */
import type { Count } from '../../geometry/capacity/types';
import type { CapacityResult, PlannedModel, PlannedReason } from '../../protocol/capacity';
import { bytesPerTokenRatios, capacityVerdict, times } from '../../record/capacity-verdict';
import { numberText } from '../architecture/derivation-text';
import type { CapacityTranslate } from './words';

export interface AnswerLine {
  text: string;
  /** Says that something does not fit or is not known. */
  bad: boolean;
}

/** What the plan says: how many sessions each model has, and what does not fit. */
export function answer(result: CapacityResult, tr: CapacityTranslate): AnswerLine[] {
  const { gpus, gpuName, tokens, held, unfit, unknown, ratios } = capacityVerdict(result);
  const items = held.map(({ name, sessions }, at) =>
    at === 0 ? firstItem(name, sessions, tokens, tr) : laterItem(name, sessions, tr),
  );
  const last = items.at(-1) ?? '';
  const list = items.length < 2 ? last : `${items.slice(0, -1).join(', ')}${tr('cap.and')}${last}`;
  const place =
    gpus === 1
      ? tr('cap.holds.one', { gpu: gpuName, list })
      : tr('cap.holds.many', { gpus, gpu: gpuName, list });
  const differ =
    ratios === null
      ? ''
      : tr('cap.differ', { weights: timesOf(ratios.weights), sessions: timesOf(ratios.sessions) });
  return [
    ...(held.length > 0 ? [{ text: `${place}${differ}.`, bad: false }] : []),
    ...unfit.map(({ name, missing }) => ({ text: tr('cap.unfit', { name, missing }), bad: true })),
    ...(unknown.length > 0 ? [{ text: tr('cap.unknown', { names: unknown.join(', ') }), bad: true }] : []),
  ];
}

function firstItem(name: string, sessions: Count, tokens: number, tr: CapacityTranslate): string {
  if (sessions === 'unbounded') return tr('cap.item.firstAny', { tokens, name });
  return sessions === 1
    ? tr('cap.item.firstOne', { tokens, name })
    : tr('cap.item.first', { sessions, tokens, name });
}

function laterItem(name: string, sessions: Count, tr: CapacityTranslate): string {
  return sessions === 'unbounded' ? tr('cap.item.any', { name }) : tr('cap.item', { sessions, name });
}

/** The number of `times` without its letter, which is the language's. */
function timesOf(ratio: number): string {
  return times(ratio).slice(0, -1);
}

/** Every two models by their bytes per token, the larger over the smaller. */
export function comparisons(models: readonly PlannedModel[], tr: CapacityTranslate): string[] {
  const bytesOf = (name: string): string =>
    numberText(models.find((model) => model.name === name)?.bytesPerTokenFirst ?? 0);
  return bytesPerTokenRatios(models).map(({ more, less, ratio }) =>
    tr('cap.compare.item', {
      more,
      less,
      times: timesOf(ratio),
      moreBytes: bytesOf(more),
      lessBytes: bytesOf(less),
    }),
  );
}

/** Why a model has no numbers, or fewer. */
export function reasonText({ code, params }: PlannedReason, tr: CapacityTranslate): string {
  return tr(code, params);
}

/** A count in words and digits. */
export function countText(count: Count | null, tr: CapacityTranslate): string {
  if (count === null) return tr('cap.notKnown');
  return count === 'unbounded' ? tr('cap.unbounded') : numberText(count);
}

/** GiB of bytes, exact to four places: 1,207,959,552 → "1.125". */
export function gib(bytes: number): string {
  return (bytes / 2 ** 30).toLocaleString('en-US', { maximumFractionDigits: 4 });
}
