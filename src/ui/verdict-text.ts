/** The verdict sentence, made from a record's data. Pure. */
import { verdict, type Verdict } from '../experiments/summarise';
import type { PartKey, TextKey, TextParams } from '../i18n';
import type { Experiment } from '../protocol/recipe';
import { formatRatio } from '../protocol/format';
import type { LabRecord } from '../protocol/record';
import { scaledLayers } from '../record/scaled';
import { experimentParts } from './experiment-verdicts';
import { modelName } from './model-name';

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
  const scaled = scaledParts(record, words.tr);
  const rooms = staticParts(data, words);
  if (own.length === 0 || data.measured === 0)
    return { sentence: sentenceOf([...dataParts(data, experiment, words), ...rooms], scaled, words), equal };
  // What the experiment shows comes first; bytes that are not the formula's come before everything.
  const cells = cellsPart(data, words.tr);
  const parts = [...(equal ? [...own, ...cells] : [...cells, ...own]), ...rooms];
  return { sentence: sentenceOf(parts, scaled, words), equal };
}

/** One sentence: how many numbers are equal to the byte, what was skipped, and what the GPU holds. */
export function verdictText(verdict: Verdict, experiment: Experiment, words: Words): string {
  return sentenceOf(dataParts(verdict, experiment, words), [], words);
}

function dataParts(verdict: Verdict, experiment: Experiment, words: Words): string[] {
  return experiment === 'growth' ? growthParts(verdict, words) : lengthParts(verdict, words.tr);
}

/** The parts as one sentence; `scaled` comes right after the first, whose numbers it is about. */
function sentenceOf(parts: readonly string[], scaled: readonly string[], { tr }: Words): string {
  return `${[...parts.slice(0, 1), ...scaled, ...parts.slice(1)].join(tr('verdict.join'))}.`;
}

/** Of which models only some layers were measured; by name where the record has several. */
function scaledParts(record: LabRecord, tr: Words['tr']): string[] {
  const several = new Set(record.models.map(({ id }) => id)).size > 1;
  return scaledLayers(record).map(({ model, measured, of }) =>
    several
      ? tr('verdict.scaledOf', { name: modelName(model, tr), measured, of })
      : tr('verdict.scaled', { measured, of }),
  );
}

/** What of a preallocated cache holds tokens at the end, and what it has room for. */
function staticParts({ preallocated }: Verdict, { tr, int }: Words): string[] {
  if (preallocated === null) return [];
  const { tokens, usedBytes, roomTokens, capacityBytes, equal, moves } = preallocated;
  const sizes = {
    used: int(usedBytes),
    capacity: int(capacityBytes),
    room: int(roomTokens),
    tokens: int(tokens),
  };
  return [
    tr(equal ? 'verdict.static' : 'verdict.staticWrong', sizes),
    ...(moves > 0 ? [tr('verdict.staticMoved', { moves })] : []),
  ];
}

/** Whether everything that was measured is what the formula says. */
export function isEqual(verdict: Verdict, experiment: Experiment): boolean {
  if (verdict.preallocated?.equal === false) return false;
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
