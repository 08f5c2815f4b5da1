/** The planner's sentences in the page's language, made from its numbers. Pure. */
import type { Count } from '../../geometry/capacity/types';
import type { CapacityResult, PlannedModel, PlannedReason } from '../../protocol/capacity';
import {
  bytesPerTokenRatios,
  capacityVerdict,
  isAboutOne,
  times,
  type CapacityRatios,
  type TokenRatio,
} from '../../record/capacity-verdict';
import { numberText } from '../architecture/derivation-text';
import type { CapacityTranslate } from './words';

export interface AnswerLine {
  text: string;
  /** Says that something does not fit or is not known. */
  bad: boolean;
}

/** What the plan says: how many sessions each model has, and what does not fit. */
export function answer(result: CapacityResult, tr: CapacityTranslate): AnswerLine[] {
  const { gpus, gpuName, tokens, held, unfit, unweighed, unknown, ratios } = capacityVerdict(result);
  const items = held.map(({ name, sessions }, at) =>
    at === 0 ? firstItem(name, sessions, tokens, tr) : laterItem(name, sessions, tr),
  );
  const last = items.at(-1) ?? '';
  const list = items.length < 2 ? last : `${items.slice(0, -1).join(', ')}${tr('cap.and')}${last}`;
  const place =
    gpus === 1
      ? tr('cap.holds.one', { gpu: gpuName, list })
      : tr(gpuName.endsWith('GPU') ? 'cap.holds.manyGpus' : 'cap.holds.many', { gpus, gpu: gpuName, list });
  const differ = ratios === null ? '' : differText(ratios, tr);
  return [
    ...(held.length > 0 ? [{ text: `${place}${differ}.`, bad: false }] : []),
    ...unfit.map(({ name, missing }) => ({ text: tr('cap.unfit', { name, missing }), bad: true })),
    ...unweighed.map((name) => ({ text: tr('cap.unweighed', { name }), bad: true })),
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

/** How far weights and sessions are apart, by name unless two numbers say it. */
function differText(ratios: CapacityRatios, tr: CapacityTranslate): string {
  const { heavier, lighter, most, fewest } = ratios;
  const weights = timesOf(ratios.weights);
  const sessions = timesOf(ratios.sessions);
  if (ratios.plain) return tr('cap.differ', { weights, sessions });
  return [
    isAboutOne(ratios.weights)
      ? tr('cap.differ.weightsSame', { heavier, lighter })
      : tr('cap.differ.weights', { heavier, lighter, weights }),
    isAboutOne(ratios.sessions)
      ? tr('cap.differ.sessionsSame', { most, fewest })
      : tr('cap.differ.sessions', { most, fewest, sessions }),
  ].join('');
}

/** The number of `times` without its letter, which is the language's. */
function timesOf(ratio: number): string {
  return times(ratio).slice(0, -1);
}

/** Every two models by their bytes per token, the larger over the smaller; the first token's and later ones' where they differ. */
export function comparisons(models: readonly PlannedModel[], tr: CapacityTranslate): string[] {
  return bytesPerTokenRatios(models).map(({ far, ...first }) => {
    if (far === null) return tr('cap.compare.item', pairParams(first));
    const start = tr('cap.compare.first', pairParams(first));
    if (far.kind === 'same') return `${start}${tr('cap.compare.farSame')}`;
    if (far.kind === 'ratio') return `${start}${tr('cap.compare.far', pairParams(far))}`;
    const names = far.names.join(tr('cap.and'));
    return `${start}${tr(far.names.length === 1 ? 'cap.compare.farNone' : 'cap.compare.farNoneBoth', { names })}`;
  });
}

function pairParams(pair: Omit<TokenRatio, 'far'>): Record<string, string> {
  const { more, less, ratio, moreBytes, lessBytes } = pair;
  return {
    more,
    less,
    times: timesOf(ratio),
    moreBytes: numberText(moreBytes),
    lessBytes: numberText(lessBytes),
  };
}

/** Why a model has no numbers, or fewer; one that is on no hub (by its id) is looked up nowhere. */
export function reasonText({ code, params }: PlannedReason, tr: CapacityTranslate, id = ''): string {
  if (code === 'capacity-weights-unknown' && /^(typed|config):/.test(id))
    return tr('cap.weights.unknownTyped', params);
  return tr(code, params);
}

/** Where the weights are from, in the page's language where the source is one of ours; free text stays as it is. */
export function sourceText(source: string, tr: CapacityTranslate): string {
  const counted = /^([\d,]+) parameters x ([\d.e-]+) bytes \((.*)\)$/.exec(source);
  if (counted !== null) {
    const [, n = '', bytes = '', type = ''] = counted;
    return tr('cap.source.counted', {
      n,
      bytes,
      type: type.replace(/, groups of (\d+)$/, tr('cap.source.groups')),
    });
  }
  const article = /^total_size of (\S+), as quoted in the second article$/.exec(source);
  return article === null ? source : tr('cap.source.article', { file: article[1] ?? '' });
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
