/** What is wrong with one run of the soak, in sentences; none when it went as it must. */
import { describeFault, type Fault, type FaultCode } from '../../src/protocol/faults';
import type { Policy } from '../../src/protocol/recipe';
import type { Cell, Growth, LabRecord, Step } from '../../src/protocol/record';
import { SERVING_SYSTEMS } from '../../src/protocol/serving';
import { graphRefusal, pointAt, refusalsAt, roomAt, type PolicyPoint } from './judge-policy';
import { wrongServing } from './judge-serving';
import { FAULT_OF, type SoakRun } from './plan';
import type { Observed } from './session';
import { bytesByHand, quantisedByHand } from './subjects';

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
  return [...problems, ...wrongBytes(run, record), ...wrongEnd(run, observed, record)];
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
function wrongBytes({ query }: SoakRun, { cells, growth, models, serving }: LabRecord): string[] {
  return [
    ...wrongServing(query, serving ?? null),
    ...cells.flatMap((cell) => wrongCell(query, cell)),
    ...growth.flatMap((series) => wrongGrowth(query, series)),
    ...models.flatMap(({ id, deviceBytes: { beforeLoad, released } }) =>
      released === null || (released === 0 && beforeLoad === 0)
        ? []
        : [`${id}: device bytes ${String(released)} after release, ${String(beforeLoad)} before`],
    ),
  ];
}

function wrongCell(query: string, cell: Cell): string[] {
  const { model, tokens, tensorBytes, ratio, fault } = cell;
  const where = `${model} at ${tokens} tokens`;
  const at = pointOf(query, cell.policy, tokens, tokens);
  if (tensorBytes === null) return wrongReason(query, where, at, fault);
  return [
    ...wrongPoint(query, where, cell, { ...cell, tensorBytes }, at),
    ...(ratio === 1 ? [] : [`${where}: ratio ${String(ratio)}`]),
    ...(fault === null ? [] : [`${where}: bytes, and yet ${fault.code}`]),
  ];
}

/** A point by its policy: the query's, or in the experiment policies the point's own. */
function pointOf(query: string, policy: Policy, tokens: number, context: number): PolicyPoint {
  const asked = pointAt(query, tokens);
  return new URLSearchParams(query).get('experiment') === 'policies'
    ? { policy, tokens, context }
    : { ...asked, context };
}

/** A point without bytes has a reason, and the policy is one only where it must refuse. */
function wrongReason(query: string, where: string, at: PolicyPoint, fault: Fault | null): string[] {
  if (fault === null) return [`${where}: neither bytes nor a reason`];
  const refused = REFUSAL.test(fault.code) && !refusalsAt(query, at).includes(fault.code);
  return refused ? [`${where}: ${fault.code}, which it need not be`] : [];
}

/** Codes by which a policy refuses. */
const REFUSAL = /^(static|paged|quantised)-/;

function wrongGrowth(query: string, growth: Growth): string[] {
  const { model, policy, promptTokens, promptBytes, promptUsedBytes, steps, fault } = growth;
  const prompt = { tokens: promptTokens, tensorBytes: promptBytes, usedBytes: promptUsedBytes };
  const at = (tokens: number): PolicyPoint => pointOf(query, policy, tokens, promptTokens);
  const next = at(promptTokens + steps.length + 1);
  return [
    ...wrongPoint(query, `${model}, prompt of ${promptTokens} tokens`, growth, prompt, at(promptTokens)),
    ...steps.flatMap((step) =>
      wrongPoint(query, `${model}, step to ${step.tokens} tokens`, growth, step, at(step.tokens)),
    ),
    ...(fault === null ? [] : wrongReason(query, `${model}, step to ${next.tokens} tokens`, next, fault)),
  ];
}

/** A cell, a prompt or a step that has bytes; a prompt does not tell its room. */
type Point = Pick<Step, 'tokens' | 'tensorBytes' | 'usedBytes' | 'roomTokens'>;

/**
 * The formula's bytes are those of the tensors where the cache grows. Where room is set aside they are the used bytes, and the
 * tensors have the formula's bytes at the room.
 */
function wrongPoint(
  query: string,
  where: string,
  { model, dtype, batch, device }: Pick<Cell, 'model' | 'dtype' | 'batch' | 'device'>,
  { tokens, tensorBytes, usedBytes, roomTokens }: Point,
  at: PolicyPoint,
): string[] {
  const bits = Number(new URLSearchParams(query).get('bits') ?? '8');
  const byHand = (count: number): number =>
    at.policy === 'quantised'
      ? quantisedByHand(model, { bits, device }, batch, count)
      : bytesByHand(model, dtype, batch, count);
  const refusals = refusalsAt(query, at);
  if (refusals.length > 0) return [`${where}: ${tensorBytes} bytes instead of ${refusals.join(' or ')}`];
  const expected = byHand(tokens);
  const room = roomAt(query, at);
  if (room === null) {
    return tensorBytes === expected && usedBytes === undefined && roomTokens === undefined
      ? []
      : [
          `${where}: ${tensorBytes} bytes, by hand ${expected}${usedBytes === undefined ? '' : ', and used bytes'}`,
        ];
  }
  const capacity = byHand(room);
  return [
    ...(usedBytes === expected ? [] : [`${where}: ${String(usedBytes)} bytes used, by hand ${expected}`]),
    ...(tensorBytes === capacity
      ? []
      : [`${where}: a capacity of ${tensorBytes} bytes, by hand ${capacity}`]),
    ...((roomTokens ?? room) === room
      ? []
      : [`${where}: room for ${String(roomTokens)} tokens instead of ${room}`]),
  ];
}

/** Whether all of the recipe was measured that can be under its policy. */
function isWhole({ query }: SoakRun, { cells, growth, capacity, serving }: LabRecord): boolean {
  const refused = (tokens: number, fault: Fault | null): boolean =>
    fault !== null && refusalsAt(query, pointAt(query, tokens)).includes(fault.code);
  const missing =
    cells.some(
      ({ tokens, tensorBytes, fault }) =>
        tensorBytes === null && !UNMEASURABLE.includes(fault?.code) && !refused(tokens, fault),
    ) ||
    growth.some(
      ({ promptTokens, steps, stepsPlanned, fault }) =>
        steps.length < stepsPlanned && !refused(promptTokens + steps.length + 1, fault),
    );
  const served = serving?.runs.filter(({ steps, stepsPlanned }) => steps === stepsPlanned).length ?? 0;
  const all = served === SERVING_SYSTEMS.length;
  return !missing && (cells.length > 0 || growth.length > 0 || capacity !== null || all);
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
  const refusal = graphRefusal(run.query);
  if (refusal !== null) return wrongRefusal(run, record, refusal, failed);
  const expected = faultOf(run);
  // A disturbance that came too late has disturbed nothing.
  const disturbed = fired || run.kind === 'allocator';
  if (run.kind === 'cancel' || run.kind === 'cancel-early') {
    return [
      ...(status === 'cancelled' || (status === 'done' && isWhole(run, record))
        ? []
        : [`it ended as ${status}`]),
      ...faultsBut('cancelled', faults),
      ...failed,
    ];
  }
  if (disturbed && expected !== null) return wrongFailure(run, record, expected, failed);
  return [
    ...(status === 'done' && isWhole(run, record) ? [] : [`it ended as ${status}, and not all was measured`]),
    ...faultsBut(null, faults),
    ...failed.map((check) => `check ${check}`),
  ];
}

function faultsBut(expected: FaultCode | null, faults: readonly Fault[]): string[] {
  return faults
    .filter(({ code }) => code !== expected)
    .map((fault) => `fault ${fault.code}: ${describeFault(fault)} ${fault.detail ?? ''}`.trim());
}

/** A graph that the policy refuses is refused before it is loaded, so nothing disturbs that but Cancel. */
function wrongRefusal(
  { kind }: SoakRun,
  { status, faults, growth }: LabRecord,
  refusal: FaultCode,
  failed: readonly string[],
): string[] {
  const cancelled = status === 'cancelled' && (kind === 'cancel' || kind === 'cancel-early');
  const told = cancelled || faults.some(({ code }) => code === refusal);
  return [
    ...(status === 'failed' || cancelled ? [] : [`it ended as ${status}`]),
    ...(told ? [] : [`it does not tell of ${refusal}`]),
    ...faultsBut(refusal, faults).filter((fault) => !(cancelled && fault.startsWith('fault cancelled:'))),
    ...(growth.length === 0 ? [] : ['it has a growth']),
    // Where nothing is measured, nothing is right.
    ...failed.filter((check) => !check.startsWith('ratio')).map((check) => `check ${check}`),
  ];
}

/** A run that was disturbed must say by what, must not blame anything else, and must have an end. */
function wrongFailure(
  run: SoakRun,
  record: LabRecord,
  expected: FaultCode,
  failed: readonly string[],
): string[] {
  const codes = record.faults.map(({ code }) => code);
  const measured = record.cells.some(({ tensorBytes }) => tensorBytes !== null);
  // A device that is lost while it is being closed takes nothing with it, and a mode of ONNX Runtime's may work.
  const mayPass = run.kind === 'destroy' || run.kind === 'allocator';
  const told = codes.includes(expected) || (mayPass && codes.length === 0 && isWhole(run, record));
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
