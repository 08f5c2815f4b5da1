/** One run from its recipe to its record: plan, lock, worker, record. Knows nothing of signals or the URL. */
import { applyReport, finishRecord, startRecord } from '../experiments/assemble';
import type { Host, Models } from '../experiments/models';
import { planRun, type Plan } from '../experiments/plan';
import { remainingPasses, skipRemaining } from '../experiments/retry';
import { toFault, type Fault } from '../protocol/faults';
import type { Report } from '../protocol/messages';
import { recipeFault } from '../protocol/options';
import { defaultRedundancy, type DocumentText } from '../protocol/redundancy';
import type { Recipe } from '../protocol/recipe';
import type { LabRecord } from '../protocol/record';
import { recipeLink } from '../record/recipe-link';
import { BackgroundWatch } from './background';
import { deviceFault } from './device-fault';
import { openDocuments } from './documents';
import type { GpuProbe } from './environment';
import { measure, type Outcome } from './lab-client';
import { labModels, needsOpening, unknownModel } from './models';
import { nothingOpened, type DownloadNeed, type Opened } from './opening';
import type { StoreDeps } from './page';
import { processReason } from './process-bytes';
import { RunProgress } from './progress';
import { unlessOffline } from './reload';
import { takeRunLock } from './run-lock';
import { hasMeasurements, IDLE, type RunState } from './run-state';

export interface RunRequest {
  recipe: Recipe;
  /** The recipe link. */
  url: string;
  probe: GpuProbe;
  /** Aborts when the person cancels. */
  signal: AbortSignal;
  /** Asks the person whether to download; settles with false when the signal aborts. */
  agree: (need: DownloadNeed, signal: AbortSignal) => Promise<boolean>;
  /** Something that the person should know and that stops nothing. */
  onNotice: (fault: Fault) => void;
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

/** What one run works with once its models are open. */
interface Prepared {
  plan: Plan;
  models: Models;
  opened: Opened;
  documents: DocumentText[];
  record: LabRecord;
}

export type RunOnce = (deps: StoreDeps, request: RunRequest) => Promise<RunResult>;

/** Runs the recipe. Never rejects: every end, also a refusal, is a result with a closed record. */
export async function runOnce(deps: StoreDeps, request: RunRequest): Promise<RunResult> {
  try {
    return await planAndMeasure(deps, request);
  } catch (error) {
    const fault = await unlessOffline(deps.page, toFault(error, 'run-failed'));
    const record = begin(deps, request, NO_PLAN);
    if (fault.code !== 'cancelled' && fault.code !== 'download-declined')
      return refused(record, fault, false);
    return {
      begun: false,
      record: { ...record, status: 'cancelled', faults: [fault] },
      state: { ...IDLE, status: 'cancelled', fault },
    };
  }
}

async function planAndMeasure(deps: StoreDeps, request: RunRequest): Promise<RunResult> {
  const { recipe, probe, signal } = request;
  const wrong = recipeFault(recipe) ?? unknownModel(recipe);
  if (wrong !== null) return refused(begin(deps, request, NO_PLAN), wrong, false);
  const obstacle = deviceFault(recipe, probe);
  // A text that is missing is told before the person is asked for a download.
  const documents = obstacle === null ? await textsOf(recipe, signal) : [];
  // Nothing is downloaded for a device that cannot run it.
  const opened = obstacle === null ? await openModels(deps, request) : nothingOpened(recipe);
  const pinned = { ...request, recipe: { ...recipe, model: opened.model } };
  const prepared = {
    ...prepare(deps, { ...pinned, url: pinnedLink(request, pinned.recipe) }, opened),
    documents,
  };
  const { plan, models, record } = prepared;
  if (obstacle !== null) return refused(skipRemaining(record, plan, obstacle, models), obstacle, true);
  const [unopened] = record.faults;
  if (plan.passes.length === 0 && unopened !== undefined) return refused(record, unopened, true);
  const release = await takeRunLock(deps.locks, signal, () => {
    request.onChange(null, { ...IDLE, status: 'waiting' });
  });
  if (release === null) return { ...close(prepared, record, { end: 'cancelled' }, IDLE), begun: false };
  try {
    return await measureInto(deps, pinned, prepared);
  } finally {
    release();
  }
}

/** The recipe link of a record, with the commits that branches were. */
function pinnedLink({ url, recipe }: RunRequest, pinned: Recipe): string {
  return pinned.model.join('\n') === recipe.model.join('\n') ? url : recipeLink(url, pinned);
}

/** The texts that a redundancy feeds; none for other experiments. @throws LabError as {@link openDocuments}. */
async function textsOf(recipe: Recipe, signal: AbortSignal): Promise<DocumentText[]> {
  if (recipe.experiment !== 'redundancy') return [];
  return await openDocuments((recipe.redundancy ?? defaultRedundancy()).documents, signal);
}

/** Opens what is not built in the page, and shows what that takes. @throws LabError as {@link OpenModels}. */
async function openModels(
  deps: StoreDeps,
  { recipe, probe, signal, agree, onChange, onNotice }: RunRequest,
): Promise<Opened> {
  return await deps.openModels({
    recipe,
    budget: cacheBudget(recipe, probe),
    signal,
    agree: async (need) => {
      onChange(null, { ...IDLE, status: 'asking', need });
      const yes = await agree(need, signal);
      onChange(null, { ...IDLE, status: 'downloading' });
      return yes;
    },
    onProgress: (download) => {
      const progress = download.total === null ? 0 : download.done / download.total;
      onChange(null, { ...IDLE, status: 'downloading', download, progress });
    },
    onNotice,
  });
}

/**
 * Bytes that the cache of a twin may take. A step holds the old cache and the new one; WASM's memory ends at 4 GiB, a software
 * adapter shares the machine's, and of a GPU's own memory a page is told nothing.
 */
export function cacheBudget({ device }: Recipe, { adapter }: GpuProbe): number {
  return device === 'webgpu' && adapter?.fallback === false ? 4 * 2 ** 30 : 2 ** 30;
}

/** The plan of all models that could be opened. One that could not leaves its fault in the record, and the others run. */
function prepare(deps: StoreDeps, request: RunRequest, opened: Opened): Omit<Prepared, 'documents'> {
  const { recipe, probe } = request;
  const known = (id: string): boolean =>
    !needsOpening(id) || opened.sources.some((source) => source.id === id);
  const models = labModels(opened);
  const plan = planRun({ ...recipe, model: recipe.model.filter(known) }, models, hostOf(deps, recipe, probe));
  const faults = recipe.model.filter((id) => !known(id)).flatMap((id) => whyUnopened(id, opened));
  return { plan, models, opened, record: { ...begin(deps, request, plan), faults } };
}

/** Each reason once: a repository that is not there is missing in every dtype. */
function whyUnopened(model: string, { refused }: Opened): Fault[] {
  const faults = refused.filter(({ id }) => id === model).map(({ fault }) => fault);
  // bf16 is never opened; a model that was asked for in nothing else has no other reason.
  return faults.length === 0 ? [{ code: 'bf16-unsupported', params: {} }] : [...new Set(faults)];
}

/**
 * What the machine allows. The adapter's limits on one buffer, where they are known: a device never has more, and the
 * worker checks against the device's own.
 */
function hostOf(deps: StoreDeps, recipe: Recipe, probe: GpuProbe): Host {
  const { maxBufferSize, maxStorageBufferBindingSize } = probe.limits;
  const limits =
    recipe.device === 'webgpu' && maxBufferSize !== undefined && maxStorageBufferBindingSize !== undefined
      ? { maxBufferSize, maxStorageBufferBindingSize }
      : null;
  const shaderF16 = probe.adapter === null ? null : probe.features.includes('shader-f16');
  return { limits, shaderF16, processBytes: deps.measureProcess !== null };
}

function begin(deps: StoreDeps, { recipe, url }: RunRequest, plan: Plan): LabRecord {
  return startRecord({
    recipe,
    url,
    plan,
    createdAt: deps.today(),
    processReason: processReason(deps.measureProcess, recipe),
  });
}

function refused(record: LabRecord, fault: Fault, begun: boolean): RunResult {
  return {
    begun,
    record: { ...record, status: 'failed', faults: [fault] },
    state: { ...IDLE, status: 'failed', fault },
  };
}

async function measureInto(deps: StoreDeps, request: RunRequest, prepared: Prepared): Promise<RunResult> {
  const { plan, models, opened, documents } = prepared;
  let { record } = prepared;
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
    record = applyReport(record, pass, report, { models, background: background.seen });
    progress.report(pass, report);
    // What was hidden before a measurement was taken has no part in the next one.
    if (['model', 'prompt', 'cell', 'step'].includes(report.type)) background.reset();
    change();
  };
  const ticker = setInterval(change, TICK_MS);
  change();
  try {
    const ended = await measure(
      deps.spawn,
      {
        passes: plan.passes,
        sources: opened.sources,
        documents,
        onReport,
        processBytes: async () => await (deps.measureProcess?.() ?? Promise.resolve(null)).catch(() => null),
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
    const outcome =
      ended.end === 'failed' ? { ...ended, fault: await unlessOffline(deps.page, ended.fault) } : ended;
    return close(prepared, record, outcome, { ...IDLE, ...progress.state() });
  } finally {
    clearInterval(ticker);
    background.stop();
  }
}

/** Gives every point that was not reached its reason, and the run its status. */
function close({ plan, models }: Prepared, record: LabRecord, outcome: Outcome, state: RunState): RunResult {
  const ended = { ...state, phase: null, etaMs: null };
  if (outcome.end === 'cancelled') {
    const fault: Fault = { code: 'cancelled', params: {} };
    const closed = finishRecord(skipRemaining(record, plan, fault, models), 'cancelled');
    return { begun: true, record: closed, state: { ...ended, status: 'cancelled', fault } };
  }
  const faults =
    outcome.end === 'failed' && record.faults.at(-1)?.code !== outcome.fault.code
      ? [...record.faults, outcome.fault]
      : record.faults;
  const last = faults.at(-1);
  const whole = { ...record, faults };
  const filled = last === undefined ? whole : skipRemaining(whole, plan, last, models);
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
