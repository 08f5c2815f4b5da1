/** The exit code of `npm run verify`, from the record alone. */
import type { Comparison } from '../../src/record/compare';
import { describeFault } from '../../src/protocol/faults';
import type { LabRecord } from '../../src/protocol/record';

export interface Judgement {
  /** 0: every check passes. 1: a check failed, or the results differ. 2: nothing could be judged. */
  code: 0 | 1 | 2;
  /** One sentence a reason; for code 0 the one that says so. */
  sentences: string[];
}

/** What was asked for and not measured, except where the model itself ends: that is a property of the model. */
function unmeasured(record: LabRecord): string[] {
  const cells = record.cells
    .filter((cell) => cell.skipped !== null && cell.fault?.code !== 'over-max-position')
    .map((cell) => `${cell.model} at ${cell.tokens} tokens was not measured: ${cell.skipped ?? ''}`);
  const growth = record.growth
    .filter((run) => run.interrupted !== null && run.fault?.code !== 'over-max-position')
    .map(
      (run) =>
        `${run.model} stopped after ${run.steps.length} of ${run.stepsPlanned} steps: ${run.interrupted ?? ''}`,
    );
  return [...cells, ...growth];
}

/** Why a record without a single measured number has none. */
function whyNothing(record: LabRecord): string {
  const [fault] = record.faults;
  const skipped = record.cells.find((cell) => cell.skipped !== null)?.skipped;
  return `Nothing was measured: ${fault ? describeFault(fault) : (skipped ?? 'the run ended without a number.')}`;
}

/**
 * Judges a finished record.
 * @param comparison with the results that the recipe carried in its `#r=`; null when it carried none.
 */
export function judge(record: LabRecord, comparison: Comparison | null): Judgement {
  const measured =
    record.cells.some((cell) => cell.tensorBytes !== null) ||
    record.growth.some((run) => run.steps.length > 0);
  if (!measured || record.checks.length === 0) return { code: 2, sentences: [whyNothing(record)] };
  if (record.status !== 'done') {
    const [fault] = record.faults;
    const why = fault ? describeFault(fault) : 'no reason was given.';
    return { code: 2, sentences: [`The run did not finish (${record.status}): ${why}`] };
  }
  const failed = record.checks
    .filter((check) => !check.pass)
    .map(
      ({ name, model, expected, measured: found }) =>
        `The check ${name}${model === null ? '' : ` of ${model}`} failed: expected ${expected}, measured ${found}.`,
    );
  const differs =
    comparison === null || comparison.verdict === 'same'
      ? []
      : [`The results are not those in the link: ${comparison.verdict}.`];
  const sentences = [...failed, ...unmeasured(record), ...differs];
  return sentences.length > 0
    ? { code: 1, sentences }
    : { code: 0, sentences: [`All ${record.checks.length} checks pass.`] };
}
