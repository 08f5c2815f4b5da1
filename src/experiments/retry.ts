/** What is left to do, and what is given up, when a pass fails. */
import type { Fault, FaultCode } from '../protocol/faults';
import type { Pass } from '../protocol/messages';
import type { LabRecord } from '../protocol/record';
import { formulaAt, hasCell, skippedCell, withCell } from './cells';
import { cutGrowth, growthsOf, missSteps } from './growths';
import type { Models } from './models';
import type { Plan } from './plan';

/** Failures in a row, with nothing measured between them, after which a run gives up: the device is gone for good. */
export const MAX_FRUITLESS_WORKERS = 4;

/** Faults of one moment: the next stop may well succeed in a fresh worker. After any other, the pass would only fail again. */
const PASSING_FAULTS: readonly FaultCode[] = ['device-lost', 'run-failed', 'worker-failed', 'gpu-error'];

/** Whether a failure says something of the setting alone, so that the next pass has every chance: it is no sign of a lost GPU. */
export function isOfSetting({ code }: Fault): boolean {
  return code === 'allocator-failed' || /^(static|quantised|paged)-/.test(code);
}

/** Faults after which nothing more can be measured in this page. */
const FINAL_FAULTS: readonly FaultCode[] = ['page-outdated', 'cancelled'];

/**
 * The passes that a fresh worker still has to do, to be asked for after the `pass-failed` report was applied: the later
 * stops of the failed pass that have no cell yet, and all later passes. Empty when nothing is left or when the fault ends
 * the run.
 */
export function remainingPasses(plan: Plan, record: LabRecord, failedPass: Pass, fault: Fault): Pass[] {
  if (FINAL_FAULTS.includes(fault.code)) return [];
  const later = plan.passes.filter((pass) => pass.id > failedPass.id);
  return [...restOf(failedPass, record, fault), ...later];
}

function restOf(pass: Pass, record: LabRecord, fault: Fault): Pass[] {
  const { work } = pass;
  if (work.kind !== 'length' && work.kind !== 'contexts') return [];
  if (!PASSING_FAULTS.includes(fault.code)) return [];
  const stops = openStops(record, pass);
  return stops.length === 0 ? [] : [{ ...pass, work: { ...work, stops } }];
}

/**
 * Gives a failed pass's reason to what it left undone: the stop that failed, and after a fault that would come again all
 * later stops too; a growth keeps its rows and is marked.
 */
export function giveUpPass(record: LabRecord, pass: Pass, fault: Fault, models: Models): LabRecord {
  const onlyFirst = PASSING_FAULTS.includes(fault.code);
  return skipOpen(record, pass, fault, models, onlyFirst ? 1 : Infinity);
}

/** Gives a reason to all that a pass still lacks, for a fault after which none of its numbers could be trusted. */
export function abandonPass(record: LabRecord, pass: Pass, fault: Fault, models: Models): LabRecord {
  return skipOpen(record, pass, fault, models, Infinity);
}

/**
 * Gives a reason to everything of the plan that has neither a measurement nor a reason yet. For runs that end early:
 * cancelled, failed, or out of fresh workers.
 */
export function skipRemaining(record: LabRecord, plan: Plan, fault: Fault, models: Models): LabRecord {
  return plan.passes.reduce((done, pass) => abandonPass(done, pass, fault, models), record);
}

function skipOpen(record: LabRecord, pass: Pass, fault: Fault, models: Models, atMost: number): LabRecord {
  // Steps that were being taken, or should have been next, are what failed, and no stop behind them is.
  const growths = growthsOf(record, pass);
  const cut = growths.reduce((done, growth) => cutGrowth(done, growth, fault), record);
  if (pass.work.kind !== 'contexts' && growths.length > 0) return cut;
  const missed = pass.work.kind === 'contexts' ? missSteps(cut, pass, fault) : cut;
  const skipped = openStops(missed, pass)
    .slice(0, missed === record ? atMost : atMost - 1)
    .reduce(
      (done, tokens) =>
        withCell(done, skippedCell(pass, tokens, formulaAt(done, pass, models, tokens), fault)),
      missed,
    );
  return openStops(skipped, pass).length > 0 ? skipped : missSteps(skipped, pass, fault);
}

/**
 * Stops without a cell, ascending. A growth that never got as far as its prompt is one stop: the prompt. So is a redundancy:
 * the tokens that it feeds of each document.
 */
function openStops(record: LabRecord, pass: Pass): number[] {
  return stopsOf(pass).filter((tokens) => !hasCell(record, pass, tokens));
}

function stopsOf({ work }: Pass): number[] {
  switch (work.kind) {
    case 'length':
    case 'contexts':
      return work.stops;
    case 'serving':
      return [];
    case 'growth':
      return [work.promptTokens];
    case 'redundancy':
      return [work.state.skip + work.state.keep];
  }
}
