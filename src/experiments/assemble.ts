/** Joins what the worker measures with what the formula says, report by report, into the record. Pure. */
import { makeCheck, say } from '../protocol/checks';
import { describeFault } from '../protocol/faults';
import type { Fault, FaultCode } from '../protocol/faults';
import { isSameGraph, loadedModel } from '../protocol/loaded-model';
import type { Pass, Report } from '../protocol/messages';
import type { Check, LabRecord, ModelRecord } from '../protocol/record';
import { formulaAt, measuredCell, preallocatedAt, skippedCell, withCell } from './cells';
import { emptyRecord, type RecordStart } from './empty-record';
import { appendStep, closeGrowth, cutGrowth, openGrowth } from './growths';
import type { Models } from './models';
import type { Plan } from './plan';
import { withCheckOf } from './once';
import { withProbe, withRecommendation } from './policies';
import { withRedundancy } from './redundancy';
import { abandonPass, giveUpPass } from './retry';
import { withServing } from './serving';
import { recordChecks } from './summarise';

export interface ReportContext {
  models: Models;
  /** Whether the tab is in the background now, so that times cannot be trusted. */
  background: boolean;
}

/** GPU errors after which a number of that device proves nothing. */
const INVALIDATING_FAULTS: readonly FaultCode[] = ['gpu-error', 'out-of-memory'];

/** The record of a run that begins: the recipe, and the cells that are known not to be measurable. */
export function startRecord({ plan, ...start }: RecordStart & { plan: Plan }): LabRecord {
  return plan.skipped.reduce(
    (record, stop) => withCell(record, skippedCell(stop.pass, stop.tokens, stop.formulaBytes, stop.fault)),
    emptyRecord(start),
  );
}

/**
 * The record after one more report. Unchanged parts are shared with the old one, and a report that adds nothing (a phase,
 * a second word on the same point) gives the same object back.
 */
export function applyReport(record: LabRecord, pass: Pass, report: Report, ctx: ReportContext): LabRecord {
  switch (report.type) {
    case 'environment':
      return withEnvironment(record, report);
    case 'model':
      return withModel(record, report.model);
    case 'cell': {
      const formula = formulaAt(record, pass, ctx.models, report.cell.tokens);
      const preallocated = preallocatedAt(record, pass, ctx.models, report.cell);
      return withCell(record, measuredCell(pass, report.cell, formula, ctx.background, preallocated));
    }
    case 'cell-skipped':
      return withSkippedCell(record, pass, report, ctx);
    case 'prompt':
      return openGrowth(record, pass, report);
    case 'step':
      return appendStep(record, pass, report.step, ctx);
    case 'redundancy':
      return withRedundancy(record, pass, report.found, ctx.models.geometryOf(pass.model));
    case 'check':
      return withCheck(record, pass, report.check);
    case 'note':
      return withNote(record, pass, report.note);
    case 'pass-done':
      return closeGrowth(record, pass, ctx.models.geometryOf(pass.model));
    case 'pass-failed': {
      const failed = { ...record, faults: [...record.faults, report.fault] };
      return withGpuErrorCheck(giveUpPass(failed, pass, report.fault, ctx.models), pass, report.fault);
    }
    case 'serving':
      return withServing(record, pass, report);
    case 'probe':
      return withProbe(record, report.probe);
    case 'phase':
    case 'process-wanted':
    case 'done':
      return record;
  }
}

/**
 * Closes the record: its status, the checks that need all of it, and the reason of every growth that ended early. What was
 * measured stays, whatever the status. May be called again; the checks are then made anew.
 */
export function finishRecord(record: LabRecord, status: Exclude<LabRecord['status'], 'running'>): LabRecord {
  const fault = endOf(record, status);
  const closed =
    fault === null ? record : record.growth.reduce((done, growth) => cutGrowth(done, growth, fault), record);
  const ended = withRecommendation({ ...closed, status });
  return { ...ended, checks: recordChecks(ended) };
}

function endOf(record: LabRecord, status: LabRecord['status']): Fault | null {
  if (status === 'cancelled' || status === 'interrupted') return { code: status, params: {} };
  return status === 'failed' ? (record.faults.at(-1) ?? { code: 'interrupted', params: {} }) : null;
}

/**
 * The environment of a run. Where passes ran on both backends the GPU's stands, since only it has an adapter, and so do the
 * reasons of what the other could not measure.
 */
function withEnvironment(
  record: LabRecord,
  { environment, notMeasured }: Extract<Report, { type: 'environment' }>,
): LabRecord {
  const old = record.environment;
  const { resident, device } = record.notMeasured;
  return {
    ...record,
    environment: old?.backend === 'webgpu' && environment.backend === 'wasm' ? old : environment,
    notMeasured: {
      ...record.notMeasured,
      resident: notMeasured.resident ?? resident,
      device: notMeasured.device ?? device,
    },
  };
}

function withCheck(record: LabRecord, pass: Pass, check: Check): LabRecord {
  const { recipe, checks } = record;
  const all = recipe.experiment === 'policies' ? withCheckOf(checks, pass, check) : [...checks, check];
  return { ...record, checks: all };
}

/** A model that is loaded again (a repeat, a fresh worker) replaces its entry; its notes stay. */
function withModel(record: LabRecord, model: ModelRecord): LabRecord {
  const old = record.models.find((other) => isSameGraph(other, model));
  if (old === undefined) return { ...record, models: withEntry(record.models, model) };
  const next = { ...model, notes: [...new Set([...old.notes, ...model.notes])] };
  return { ...record, models: record.models.map((other) => (other === old ? next : other)) };
}

/** The entry of a model's floats comes before that of its quantised cache, so that who asks for the model alone finds the former. */
function withEntry(models: readonly ModelRecord[], model: ModelRecord): ModelRecord[] {
  const behind = models.findIndex(
    ({ id, dtype, quantised }) => id === model.id && dtype === model.dtype && quantised !== undefined,
  );
  return behind < 0 ? [...models, model] : [...models.slice(0, behind), model, ...models.slice(behind)];
}

function withNote(record: LabRecord, pass: Pass, note: string): LabRecord {
  const model = loadedModel(record, pass);
  if (model === null || model.notes.includes(note)) return record;
  const next = { ...model, notes: [...model.notes, note] };
  return { ...record, models: record.models.map((other) => (other === model ? next : other)) };
}

/** A stop that the worker skipped; after a GPU error no later stop of that pass is believed either. */
function withSkippedCell(
  record: LabRecord,
  pass: Pass,
  { tokens, fault }: { tokens: number; fault: Fault },
  { models }: ReportContext,
): LabRecord {
  const formula = formulaAt(record, pass, models, tokens);
  const skipped = withCell(record, skippedCell(pass, tokens, formula, fault));
  if (!INVALIDATING_FAULTS.includes(fault.code)) return skipped;
  return withGpuErrorCheck(abandonPass(skipped, pass, fault, models), pass, fault);
}

function withGpuErrorCheck(record: LabRecord, pass: Pass, fault: Fault): LabRecord {
  if (!INVALIDATING_FAULTS.includes(fault.code)) return record;
  const check = makeCheck('no-gpu-errors', pass.model, false, {
    expected: say('gpu-expected'),
    measured: say('gpu-found', { message: describeFault(fault) }),
  });
  return { ...record, checks: [...record.checks, check] };
}
