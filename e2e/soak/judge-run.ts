/** What is wrong with one run of the soak, in sentences; none when it went as it must. */
import { describeFault, type Fault, type FaultCode } from '../../src/protocol/faults';
import type { Cell, Growth, LabRecord } from '../../src/protocol/record';
import { FAULT_OF, type SoakRun } from './plan';
import type { Observed } from './session';
import { bytesByHand } from './subjects';

/** Why a cell may be without a number though nothing went wrong: this GPU has no float16. */
const UNMEASURABLE: readonly (FaultCode | undefined)[] = ['fp16-unsupported'];

export function judgeRun(run: SoakRun, observed: Observed): string[] {
  if (!observed.ended) return ['the run did not end'];
  const problems = [...leftBehind(observed), ...strayErrors(run, observed)];
  const { record, refusal } = observed;
  if (run.kind === 'bad-recipe') {
    return record === null && refusal?.includes('not a valid value') === true
      ? problems
      : [...problems, `a bad recipe was not refused: ${refusal ?? 'it ran'}`];
  }
  if (record === null) return [...problems, `no record: ${refusal ?? ''}`];
  return [...problems, ...wrongBytes(record), ...wrongEnd(run, observed, record)];
}

/** What a run must not leave. */
function leftBehind({ state, workers, reloaded }: Observed): string[] {
  return [
    ...(state === 'running' || state === '' ? [`data-lab is stuck at “${state}”`] : []),
    ...(workers > 0 ? [`${workers} workers are left`] : []),
    ...(reloaded ? ['the page was reloaded'] : []),
  ];
}

/** A worker that crashes is an uncaught error; nothing else may be. */
function strayErrors({ kind }: SoakRun, { errors }: Observed): string[] {
  return errors
    .filter((error) => kind !== 'crash' || !error.includes('crashed by the soak'))
    .map((error) => `console: ${error}`);
}

/** Every number that the record has must be right, whatever went wrong around it. */
function wrongBytes({ cells, growth, models }: LabRecord): string[] {
  return [
    ...cells.flatMap(wrongCell),
    ...growth.flatMap(wrongGrowth),
    ...models.flatMap(({ id, deviceBytes: { beforeLoad, released } }) =>
      released === null || (released === 0 && beforeLoad === 0)
        ? []
        : [`${id}: device bytes ${String(released)} after release, ${String(beforeLoad)} before`],
    ),
  ];
}

function wrongCell(cell: Cell): string[] {
  const { model, dtype, batch, tokens, tensorBytes, fault } = cell;
  const where = `${model} at ${tokens} tokens`;
  if (tensorBytes === null) return fault === null ? [`${where}: neither bytes nor a reason`] : [];
  const expected = bytesByHand(model, dtype, batch, tokens);
  return tensorBytes === expected && cell.ratio === 1
    ? []
    : [`${where}: ${tensorBytes} bytes, ratio ${String(cell.ratio)}, by hand ${expected}`];
}

function wrongGrowth({ model, dtype, batch, steps }: Growth): string[] {
  return steps
    .filter(({ tokens, tensorBytes }) => tensorBytes !== bytesByHand(model, dtype, batch, tokens))
    .map(({ tokens, tensorBytes }) => `${model}, step to ${tokens} tokens: ${tensorBytes} bytes`);
}

/** Whether all of the recipe was measured. */
function isWhole({ cells, growth, capacity }: LabRecord): boolean {
  const missing =
    cells.some((cell) => cell.tensorBytes === null && !UNMEASURABLE.includes(cell.fault?.code)) ||
    growth.some(({ steps, stepsPlanned }) => steps.length < stepsPlanned);
  return !missing && (cells.length > 0 || growth.length > 0 || capacity !== null);
}

/** An error of the GPU's under another allocator mode than the default is put down to the mode (src/worker/fault-of.ts). */
function faultOf({ kind, query }: SoakRun): FaultCode | null {
  const mode = new URLSearchParams(query).get('allocator') ?? 'bucket';
  return kind === 'validation' && mode !== 'bucket' ? 'allocator-failed' : FAULT_OF[kind];
}

function wrongEnd(run: SoakRun, { fired }: Observed, record: LabRecord): string[] {
  const { status, faults } = record;
  const failed = record.checks
    .filter(({ pass }) => !pass)
    .map(({ name, measured }) => `${name}: ${measured}`);
  const expected = faultOf(run);
  // A disturbance that came too late has disturbed nothing.
  const disturbed = fired || run.kind === 'allocator';
  if (run.kind === 'cancel' || run.kind === 'cancel-early') {
    return [
      ...(status === 'cancelled' || (status === 'done' && isWhole(record)) ? [] : [`it ended as ${status}`]),
      ...faultsBut('cancelled', faults),
      ...failed,
    ];
  }
  if (disturbed && expected !== null) return wrongFailure(record, expected, failed, run.kind);
  return [
    ...(status === 'done' && isWhole(record) ? [] : [`it ended as ${status}, and not all was measured`]),
    ...faultsBut(null, faults),
    ...failed.map((check) => `check ${check}`),
  ];
}

function faultsBut(expected: FaultCode | null, faults: readonly Fault[]): string[] {
  return faults
    .filter(({ code }) => code !== expected)
    .map((fault) => `fault ${fault.code}: ${describeFault(fault)} ${fault.detail ?? ''}`.trim());
}

/** A run that was disturbed must say by what, must not blame anything else, and must have an end. */
function wrongFailure(
  record: LabRecord,
  expected: FaultCode,
  failed: readonly string[],
  kind: SoakRun['kind'],
): string[] {
  const codes = record.faults.map(({ code }) => code);
  const measured = record.cells.some(({ tensorBytes }) => tensorBytes !== null);
  // A device that is lost while it is being closed takes nothing with it, and a mode of ONNX Runtime's may work.
  const mayPass = kind === 'destroy' || kind === 'allocator';
  const told = codes.includes(expected) || (mayPass && codes.length === 0 && isWhole(record));
  return [
    ...(record.status === 'done' || record.status === 'failed' ? [] : [`it ended as ${record.status}`]),
    ...(told ? [] : [`it does not tell of ${expected}: ${codes.join(', ') || 'no fault'}`]),
    ...faultsBut(expected, record.faults),
    // These are there to fail: the GPU had an error; where nothing is measured, nothing is right.
    ...failed
      .filter((check) => !check.startsWith('no-gpu-errors') && (measured || !check.startsWith('ratio')))
      .map((check) => `check ${check}`),
  ];
}
