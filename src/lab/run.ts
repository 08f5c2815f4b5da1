/** One run from its recipe to its record: plan, lock, worker, record. Knows nothing of signals or the URL. */
import { applyReport, finishRecord, startRecord } from '../experiments/assemble';
import { planRun, type Plan } from '../experiments/plan';
import { remainingPasses, skipRemaining } from '../experiments/retry';
import type { BufferLimits } from '../geometry/gpu-buffers';
import { toFault, type Fault } from '../protocol/faults';
import type { Report } from '../protocol/messages';
import { recipeFault } from '../protocol/options';
import type { Recipe } from '../protocol/recipe';
import type { LabRecord } from '../protocol/record';
import { BackgroundWatch } from './background';
import type { GpuProbe } from './environment';
import { measure, type Outcome } from './lab-client';
import { geometryOf, unknownModel } from './model-check';
import type { StoreDeps } from './page';
import { RunProgress } from './progress';
import { takeRunLock } from './run-lock';
import { IDLE, type RunState } from './run-state';

export interface RunRequest {
  recipe: Recipe;
  /** The recipe link. */
  url: string;
  probe: GpuProbe;
  /** Aborts when the person cancels. */
  signal: AbortSignal;
  /** Called for every change, as often as the worker reports; the record is null while another tab is waited for. */
  onChange: (record: LabRecord | null, state: RunState) => void;
  /** The worker was loaded and has said something. */
  onAlive: () => void;
}

export interface RunResult {
  record: LabRecord;
  state: RunState;
  /** False when the run never got as far as its plan's first point, so that an earlier record may stay on the page. */
  begun: boolean;
}

const NO_PLAN: Plan = { passes: [], skipped: [], totalUnits: 0 };

/** ms between two updates of the elapsed time while the worker is silent. */
const TICK_MS = 1000;

/** Runs the recipe. Never rejects: every end, also a refusal, is a result with a closed record. */
export async function runOnce(deps: StoreDeps, request: RunRequest): Promise<RunResult> {
  try {
    return await planAndMeasure(deps, request);
  } catch (error) {
    return refused(begin(deps, request, NO_PLAN), toFault(error, 'run-failed'), false);
  }
}

async function planAndMeasure(deps: StoreDeps, request: RunRequest): Promise<RunResult> {
  const { recipe, signal } = request;
  const wrong = recipeFault(recipe) ?? unknownModel(recipe);
  if (wrong !== null) return refused(begin(deps, request, NO_PLAN), wrong, false);
  const plan = planRun(recipe, geometryOf, bufferLimits(recipe, request.probe));
  const record = begin(deps, request, plan);
  const obstacle = deviceFault(recipe, request.probe);
  if (obstacle !== null) return refused(skipRemaining(record, plan, obstacle, geometryOf), obstacle, true);
  const release = await takeRunLock(deps.locks, signal, () => {
    request.onChange(null, { ...IDLE, status: 'waiting' });
  });
  if (release === null) return { ...close(record, plan, { end: 'cancelled' }, IDLE), begun: false };
  try {
    return await measureInto(deps, request, plan, record);
  } finally {
    release();
  }
}

/** Why this device cannot run the recipe at all; null when it can be tried. Never a reason to take another backend. */
export function deviceFault(recipe: Recipe, probe: GpuProbe): Fault | null {
  if (recipe.device !== 'webgpu') return null;
  if (probe.fault !== null) return probe.fault;
  return recipe.dtype === 'fp16' && !probe.features.includes('shader-f16')
    ? { code: 'fp16-unsupported', params: {} }
    : null;
}

/**
 * The limits on one buffer that no cache tensor can get over, for refusing before anything runs; null where they are not
 * known or do not apply. The adapter's: a device never has more, and the worker checks against the device's own.
 */
function bufferLimits(recipe: Recipe, { limits }: GpuProbe): BufferLimits | null {
  const { maxBufferSize, maxStorageBufferBindingSize } = limits;
  return recipe.device === 'webgpu' &&
    maxBufferSize !== undefined &&
    maxStorageBufferBindingSize !== undefined
    ? { maxBufferSize, maxStorageBufferBindingSize }
    : null;
}

/** Whether a record has a single measured number. */
export function hasMeasurements(record: LabRecord): boolean {
  return record.growth.length > 0 || record.cells.some((cell) => cell.tensorBytes !== null);
}

function begin(deps: StoreDeps, { recipe, url }: RunRequest, plan: Plan): LabRecord {
  return startRecord({ recipe, url, plan, createdAt: deps.today() });
}

function refused(record: LabRecord, fault: Fault, begun: boolean): RunResult {
  return {
    begun,
    record: { ...record, status: 'failed', faults: [fault] },
    state: { ...IDLE, status: 'failed', fault },
  };
}

async function measureInto(
  deps: StoreDeps,
  request: RunRequest,
  plan: Plan,
  started: LabRecord,
): Promise<RunResult> {
  let record = started;
  const progress = new RunProgress(plan, deps.now);
  const background = new BackgroundWatch(deps.page);
  const change = (): void => {
    request.onChange(record, { ...IDLE, ...progress.state(), status: 'running' });
  };
  const passOf = (id: number) => plan.passes.find((pass) => pass.id === id) ?? plan.passes[0];
  const onReport = (report: Report): void => {
    request.onAlive();
    const pass = passOf('passId' in report ? report.passId : 0);
    if (pass === undefined) return;
    record = applyReport(record, pass, report, { geometryOf, background: background.seen });
    progress.report(pass, report);
    // What was hidden before a measurement was taken has no part in the next one.
    if (['model', 'prompt', 'cell', 'step'].includes(report.type)) background.reset();
    change();
  };
  const ticker = setInterval(change, TICK_MS);
  change();
  try {
    const outcome = await measure(
      deps.spawn,
      {
        passes: plan.passes,
        onReport,
        remaining: (passId, fault) => {
          const failed = passOf(passId);
          return failed === undefined ? [] : remainingPasses(plan, record, failed, fault);
        },
        // Device after device is lost in a hidden tab; a fresh worker has a chance once the person is back.
        beforeRestart: (fault, signal) =>
          fault.code === 'device-lost' ? background.visible(signal) : Promise.resolve(),
      },
      request.signal,
    );
    return close(record, plan, outcome, { ...IDLE, ...progress.state() });
  } finally {
    clearInterval(ticker);
    background.stop();
  }
}

/** Gives every point that was not reached its reason, and the run its status. */
function close(record: LabRecord, plan: Plan, outcome: Outcome, state: RunState): RunResult {
  const ended = { ...state, phase: null, etaMs: null };
  if (outcome.end === 'cancelled') {
    const fault: Fault = { code: 'cancelled', params: {} };
    const closed = finishRecord(skipRemaining(record, plan, fault, geometryOf), 'cancelled');
    return { begun: true, record: closed, state: { ...ended, status: 'cancelled', fault } };
  }
  const faults =
    outcome.end === 'failed' && record.faults.at(-1)?.code !== outcome.fault.code
      ? [...record.faults, outcome.fault]
      : record.faults;
  const last = faults.at(-1);
  const whole = { ...record, faults };
  const filled = last === undefined ? whole : skipRemaining(whole, plan, last, geometryOf);
  // A run that lost a part of its work is done; one that was never able to measure has failed.
  const failed = outcome.end === 'failed' || (last !== undefined && !hasMeasurements(filled));
  return {
    begun: true,
    record: finishRecord(filled, failed ? 'failed' : 'done'),
    state: {
      ...ended,
      status: failed ? 'failed' : 'done',
      progress: failed ? ended.progress : 1,
      fault: (outcome.end === 'failed' ? last : faults[0]) ?? null,
    },
  };
}
