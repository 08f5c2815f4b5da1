/** The exit code of `npm run verify`, from the record alone. */
import { PLAN_SENTENCES, type CapacityResult } from '../../src/protocol/capacity';
import { reasonText } from '../../src/record/capacity-text';
import type { Comparison } from '../../src/record/compare';
import { leakWarning } from '../../src/record/redundancy-text';
import { cutShort } from '../../src/record/serving-text';
import { describeFault, type FaultCode } from '../../src/protocol/faults';
import type { LabRecord } from '../../src/protocol/record';
import type { RedundancyResult } from '../../src/protocol/redundancy';
import { documentTitle } from '../../src/protocol/redundancy-options';

export interface Judgement {
  /** 0: every check passes. 1: a check failed, or the results differ. 2: nothing could be judged. */
  code: 0 | 1 | 2;
  /** One sentence a reason; for code 0 the one that says so. */
  sentences: string[];
}

/** Reasons that no machine can do anything about: the model ends there, or the runtime has no such tensors. */
const UNMEASURABLE: readonly (FaultCode | undefined)[] = [
  'over-max-position',
  'redundancy-over-maximum',
  'redundancy-skip-over-maximum',
  'bf16-unsupported',
];

/**
 * What was asked for and not measured, except what cannot be measured anywhere. Of policies and modes side by side a failure is
 * what was found, not what was missed.
 */
function unmeasured(record: LabRecord): string[] {
  if (record.recipe.experiment === 'policies') return [];
  const cells = record.cells
    .filter((cell) => cell.skipped !== null && !UNMEASURABLE.includes(cell.fault?.code))
    .map((cell) => `${cell.model} at ${cell.tokens} tokens was not measured: ${cell.skipped ?? ''}`);
  const growth = record.growth
    .filter((run) => run.interrupted !== null && !UNMEASURABLE.includes(run.fault?.code))
    .map(
      (run) =>
        `${run.model} stopped after ${run.steps.length} of ${run.stepsPlanned} steps: ${run.interrupted ?? ''}`,
    );
  const pools = (record.serving?.runs ?? []).flatMap((run) => {
    const cut = cutShort(run);
    return cut === null ? [] : [`The system ${run.system} was ${cut}.`];
  });
  return [...cells, ...growth, ...pools];
}

/** Why a record without a single measured number has none. */
function whyNothing(record: LabRecord): string {
  const [fault] = record.faults;
  const skipped = record.cells.find((cell) => cell.skipped !== null)?.skipped;
  return `Nothing was measured: ${fault ? describeFault(fault) : (skipped ?? 'the run ended without a number.')}`;
}

/** A part of a plan that was shared out among more parts than it has pieces, or that has only what cannot be measured. */
function nothingToDo(record: LabRecord): boolean {
  const { recipe, status, growth, faults, cells } = record;
  const others = cells.some((cell) => !UNMEASURABLE.includes(cell.fault?.code));
  return recipe.shard !== '' && status === 'done' && growth.length === 0 && faults.length === 0 && !others;
}

/** A plan has no checks: it stands unless one of its models is not known. */
function judgePlan({ models }: CapacityResult): Judgement {
  const sentences = models.flatMap(({ reason }) =>
    reason !== null && reason.code in PLAN_SENTENCES ? [reasonText(reason)] : [],
  );
  if (sentences.length > 0) return { code: 2, sentences };
  return {
    code: 0,
    sentences: [`${models.length} ${models.length === 1 ? 'model is' : 'models are'} planned.`],
  };
}

/** Why a redundancy has no result that could be judged, in one sentence; null when it has one. */
function notSolved({ redundancy, faults, recipe }: LabRecord): string | null {
  if (recipe.experiment !== 'redundancy') return null;
  const [fault] = faults;
  if (fault !== undefined) return `The redundancy was not worked out: ${describeFault(fault)}`;
  return redundancy === null || redundancy.pairs.length === 0 ? 'No pair of layers was worked out.' : null;
}

/** A leak cannot be judged away by what else went well or wrong. */
function leakOf(redundancy: RedundancyResult | null): string[] {
  const warning = redundancy === null ? null : leakWarning(redundancy);
  return warning === null ? [] : [warning];
}

/**
 * Judges a finished record.
 * @param comparison with the results that the recipe carried in its `#r=`; null when it carried none.
 */
export function judge(record: LabRecord, comparison: Comparison | null): Judgement {
  if (record.capacity !== null) return judgePlan(record.capacity);
  const measured =
    record.cells.some((cell) => cell.tensorBytes !== null) ||
    record.growth.some((run) => run.steps.length > 0) ||
    (record.serving?.runs ?? []).length > 0;
  if (nothingToDo(record)) {
    return { code: 0, sentences: [`Part ${record.recipe.shard} of the plan has nothing to measure.`] };
  }
  const incomplete = record.faults.find((fault) => fault.code === 'merge-missing');
  if (incomplete) return { code: 2, sentences: [describeFault(incomplete)] };
  const leak = leakOf(record.redundancy);
  if (leak.length > 0) return { code: 1, sentences: leak };
  if (!measured || record.checks.length === 0) return { code: 2, sentences: [whyNothing(record)] };
  if (record.status !== 'done') {
    const [fault] = record.faults;
    const why = fault ? describeFault(fault) : 'no reason was given.';
    return { code: 2, sentences: [`The run did not finish (${record.status}): ${why}`] };
  }
  const unsolved = notSolved(record);
  if (unsolved !== null) return { code: 2, sentences: [unsolved] };
  const failed = record.checks
    .filter((check) => !check.pass)
    .map(
      ({ name, model, expected, measured: found }) =>
        `The check ${name}${model === null ? '' : ` of ${model}`} failed: expected ${expected}, measured ${found}.`,
    );
  const differs =
    comparison === null || comparison.verdict === 'same'
      ? []
      : [`The results are not those in the link: ${comparison.verdict}.${differenceText(comparison)}`];
  const sentences = [...failed, ...unmeasured(record), ...differs];
  return sentences.length > 0
    ? { code: 1, sentences }
    : { code: 0, sentences: [`All ${record.checks.length} checks pass.${sameText(comparison)}`] };
}

/** How many R² or pools are those of the link; empty where it has none. */
function sameText(comparison: Comparison | null): string {
  const pools = comparison?.serving?.pools ?? [];
  if (pools.length > 0) return ` The tokens in ${pools.length} pools are those of the link, at every moment.`;
  const pairs = comparison?.redundancy?.pairs ?? [];
  if (pairs.length === 0) return '';
  const same = pairs.filter(({ outcome }) => outcome === 'same').length;
  return ` R² of ${same} of ${pairs.length} pairs are those of the link.`;
}

/** The largest difference of an R², documents that are other texts here, pools with other tokens; empty for other records. */
function differenceText({ redundancy, serving }: Comparison): string {
  const pools = (serving?.pools ?? []).filter(({ outcome }) => outcome === 'different');
  if (pools.length > 0)
    return ` Other tokens in the pools of: ${pools.map(({ system }) => system).join(', ')}.`;
  if (redundancy === null) return '';
  const { largest, tolerance, otherDocuments, otherSettings } = redundancy;
  return [
    largest === null ? '' : ` R² differ by at most ${largest.toFixed(4)}; ${tolerance} is allowed.`,
    otherDocuments.length === 0 ? '' : ` Other texts here: ${otherDocuments.map(documentTitle).join(', ')}.`,
    otherSettings.length === 0 ? '' : ` Other settings here: ${otherSettings.join(', ')}.`,
  ].join('');
}
