/** The verdict sentence, made from a record's data. Pure. */
import { verdict, type Verdict } from '../experiments/summarise';
import type { PartKey, TextKey, TextParams } from '../i18n';
import type { Experiment } from '../protocol/recipe';
import { formatRatio } from '../protocol/format';
import type { LabRecord } from '../protocol/record';
import { experimentParts } from './experiment-verdicts';

export interface Words {
  tr: (key: TextKey | PartKey<'report'>, params?: TextParams) => string;
  int: (value: number) => string;
}

/** The verdict sentence of a record, and whether all that was measured is what the formula says. */
export function recordVerdict(record: LabRecord, words: Words): { sentence: string; equal: boolean } {
  const data = verdict(record);
  const { experiment } = record.recipe;
  const equal = isEqual(data, experiment);
  const own = experimentParts(record, words);
  if (own.length === 0 || data.measured === 0)
    return { sentence: verdictText(data, experiment, words), equal };
  // What the experiment shows comes first; bytes that are not the formula's come before everything.
  const cells = cellsPart(data, words.tr);
  const parts = equal ? [...own, ...cells] : [...cells, ...own];
  return { sentence: `${parts.join(words.tr('verdict.join'))}.`, equal };
}

/** One sentence: how many numbers are equal to the byte, what was skipped, and what the GPU holds. */
export function verdictText(verdict: Verdict, experiment: Experiment, { tr, int }: Words): string {
  const parts = experiment === 'growth' ? growthParts(verdict, { tr, int }) : lengthParts(verdict, tr);
  return `${parts.join(tr('verdict.join'))}.`;
}

/** Whether everything that was measured is what the formula says. */
export function isEqual(verdict: Verdict, experiment: Experiment): boolean {
  const steps = verdict.equalSteps === verdict.steps;
  return experiment === 'growth'
    ? verdict.steps > 0 && steps
    : verdict.measured > 0 && verdict.equal === verdict.measured && steps;
}

function cellsPart({ measured, equal, worstRatio }: Verdict, tr: Words['tr']): string[] {
  const parts = [measured === 0 ? tr('verdict.length.none') : tr('verdict.length', { equal, measured })];
  return equal < measured && worstRatio !== null
    ? [...parts, tr('verdict.worst', { ratio: formatRatio(worstRatio, 1) ?? '' })]
    : parts;
}

function lengthParts(data: Verdict, tr: Words['tr']): string[] {
  const { measured, skipped, largestSlack } = data;
  const parts = cellsPart(data, tr);
  if (measured > 0) parts.push(slackPart(largestSlack, tr));
  if (skipped > 0) parts.push(tr('verdict.skipped', { skipped }));
  return parts;
}

function growthParts({ growth, steps, equalSteps, largestSlack }: Verdict, { tr, int }: Words): string[] {
  const [first, ...more] = growth;
  if (first === undefined || steps === 0) return [tr('verdict.growth.none')];
  if (more.length > 0) {
    return [
      tr('verdict.growth.several', { equal: equalSteps, steps, runs: growth.length }),
      slackPart(largestSlack, tr),
    ];
  }
  const { smallestDelta, largestDelta, distinctDeltas, finalBytes, finalTokens, multipleOfBytesPerToken } =
    first;
  const perToken = int(finalBytes / multipleOfBytesPerToken);
  const added =
    distinctDeltas === 1 && equalSteps === steps
      ? tr('verdict.growth', { steps, delta: int(smallestDelta ?? 0) })
      : tr('verdict.growth.many', {
          steps,
          smallest: int(smallestDelta ?? 0),
          largest: int(largestDelta ?? 0),
          distinct: distinctDeltas,
          perToken,
        });
  const parts = [added];
  if (multipleOfBytesPerToken === finalTokens) {
    parts.push(tr('verdict.final', { bytes: int(finalBytes), tokens: finalTokens, perToken }));
  }
  return [...parts, slackPart(largestSlack, tr)];
}

function slackPart(slack: Verdict['largestSlack'], tr: Words['tr']): string {
  if (slack === null) return tr('verdict.noResident');
  return slack.slack > 1
    ? tr('verdict.slack', { slack: slack.slack.toFixed(2), tokens: slack.tokens })
    : tr('verdict.slackNone');
}
