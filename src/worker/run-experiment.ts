/**
 * Runs passes one after another, as an async generator of reports. Runtime, ledger and GPU watch are injected.
 * It measures only: formula bytes are joined on the page, so the two sides share nothing but the record.
 */
import { checkCacheIsUsed } from './check-cache-used';
import { checkQuantised } from './check-quantised';
import { checkSameLogits } from './check-same-logits';
import { checkPaddedBatch } from './check-padded-batch';
import { notMeasuredReasons } from './environment';
import { during, faultOf } from './fault-of';
import type { GpuWatch } from './gpu-watch';
import { checkGraph } from './check-graph';
import { canChunk, KV_TENSOR } from './prefill';
import { runContexts } from './run-contexts';
import { runGrowth } from './run-growth';
import { runLength } from './run-length';
import { runRedundancy } from './run-redundancy';
import { runServing } from './run-serving';
import type { SolverEvent, SolverOptions } from './solver-pool';
import { itemSize, type LedgerTensor } from './ledger';
import { subjectOf, type Subject } from './subject';
import { loadSubject } from './load-subject';
import { probeQuantised } from './probe-quantised';
import type { LoadedModel, Runtime } from './runtime-types';
import { bytesPerToken } from '../geometry/bytes';
import { makeCheck, say } from '../protocol/checks';
import { LabError } from '../protocol/faults';
import type { ModelFiles } from '../model/twin';
import type { Pass, Phase, Report } from '../protocol/messages';
import type { Probe } from '../protocol/policies';
import { preallocates } from '../protocol/room';
import type { Environment, MaybeBytes, ModelRecord } from '../protocol/record';
import type { DocumentText } from '../protocol/redundancy';
import type { OpenedSource } from '../protocol/source';
import type { SourceJob } from '../redundancy/types';

export interface Ledger {
  tensorBytes(tensors: Iterable<LedgerTensor>): number;
  residentBytes(tensors: Iterable<LedgerTensor>): number | null;
  locations(tensors: Iterable<LedgerTensor>): Record<string, number>;
  deviceBytes(): number;
  peakDeviceBytes(): number;
  resetPeak(): void;
}

export interface Dependencies {
  loadRuntime(): Promise<Runtime>;
  /** What runs here; asked once the model is loaded and the device exists. The runtime is null where none is needed. */
  environment(pass: Pass, runtime: Runtime | null): Environment;
  ledger: Ledger;
  gpu: GpuWatch;
  /** GPU pipelines that were built in this worker so far. */
  pipelinesBuilt(): number;
  /** The models that are not built here: one a model and dtype. */
  sources: readonly OpenedSource[];
  /** The texts of a redundancy. */
  documents: readonly DocumentText[];
  /** Solves the jobs of a redundancy, see `solveJobs`. */
  solve(jobs: readonly SourceJob[], options: SolverOptions): AsyncIterable<SolverEvent>;
  /** Asks the runtime what else it can do, by trying it; never throws. `files` are those of the model that was measured. */
  probe(pass: Pass, files: ModelFiles): Promise<Probe[]>;
  /** Asks the page for the browser's figure for all of it; null where there is none. Takes seconds. */
  processBytes(): Promise<MaybeBytes>;
  /** Aborted to stop at the next chunk or step. */
  signal: AbortSignal;
}

/** What one pass works with. */
export interface PassContext extends Dependencies {
  pass: Pass;
  runtime: Runtime;
  subject: Subject;
  model: LoadedModel;
  /** Device bytes now, or null where they cannot be measured. */
  device(): MaybeBytes;
  peak(): MaybeBytes;
  /** Process bytes now, or null where the pass does not take them. */
  process(): Promise<MaybeBytes>;
  phase(phase: Phase, done: number, total: number): Report;
}

/** Runs the passes. Ends with `pass-failed` when one cannot go on (the worker is then used up), else with `done`. */
export async function* runPasses(passes: readonly Pass[], deps: Dependencies): AsyncGenerator<Report> {
  for (const pass of passes) {
    if (deps.signal.aborted) break;
    try {
      yield* runPass(pass, deps);
    } catch (error) {
      yield { type: 'pass-failed', passId: pass.id, fault: faultOf(error, pass, deps.gpu) };
      return;
    }
  }
  yield { type: 'done', cancelled: deps.signal.aborted };
}

async function* runPass(pass: Pass, deps: Dependencies): AsyncGenerator<Report> {
  if (pass.work.kind === 'serving') yield* runServing(pass, pass.work, deps);
  else yield* runModelPass(pass, deps);
}

async function* runModelPass(pass: Pass, deps: Dependencies): AsyncGenerator<Report> {
  const { ledger, gpu } = deps;
  const stopped = (): boolean => deps.signal.aborted;
  const probing = pass.work.kind === 'contexts' && pass.work.probes;
  const phase = (name: Phase, done = 0, total = 0): Report => ({
    type: 'phase',
    passId: pass.id,
    phase: name,
    done,
    total,
  });
  // Once a model is on the GPU, a device total of 0 means that the hooks see another device, not that it is empty.
  let seen = false;
  const onGpu = pass.device === 'webgpu';
  const device = (): MaybeBytes => (onGpu && seen ? ledger.deviceBytes() : null);
  const peak = (): MaybeBytes => (onGpu && seen ? ledger.peakDeviceBytes() : null);

  yield phase('load-runtime');
  const runtime = await during('runtime-load-failed', deps.loadRuntime());

  yield phase('build-model');
  const subject = subjectOf(pass, deps.sources);
  if (preallocates(pass.policy) && subject.notBound !== null)
    throw new LabError(subject.notBound.code, subject.notBound.params);
  if (stopped()) return;

  yield phase('load-model');
  const offered = subject.quantised === undefined ? [] : [await probeQuantised(runtime, gpu, pass, subject)];
  const beforeLoad = onGpu ? ledger.deviceBytes() : null;
  ledger.resetPeak();
  const startedAt = performance.now();
  const model = await loadSubject(runtime, gpu, pass, subject);
  seen = onGpu && ledger.deviceBytes() > 0;
  const record = modelRecord(pass, subject, model);
  record.notes.push(
    ...offered,
    ...model.notes,
    ...gpu.notes,
    ...(canChunk({ pass, subject }) ? [] : [ONE_PIECE]),
  );
  record.loadMs = performance.now() - startedAt;
  record.deviceBytes = {
    ...{ beforeLoad: seen ? beforeLoad : null, loadPeak: peak() },
    ...{ loaded: device(), released: null },
  };
  yield {
    type: 'environment',
    environment: deps.environment(pass, runtime),
    notMeasured: notMeasuredReasons(pass.device, seen),
  };
  if (!probing) yield { type: 'model', passId: pass.id, model: { ...record } };

  const process = (): Promise<MaybeBytes> =>
    pass.processBytes && !stopped() ? deps.processBytes() : Promise.resolve(null);
  const context: PassContext = { ...deps, pass, runtime, subject, model, device, peak, process, phase };
  try {
    const graph = checkGraph(
      pass.model,
      subject.kept,
      subject.cacheType,
      model.graphCache,
      subject.facts.geometryFrom,
    );
    yield { type: 'check', passId: pass.id, check: graph };
    refuseStates(pass, model);
    record.cacheLocations = yield* runWork(context);
    // Once is enough: a repeat runs the same graph on the same device.
    const checked = (): boolean => !stopped() && !probing && pass.repeat === 0;
    if (checked()) yield* checkCacheIsUsed(context);
    if (checked()) yield* checkSameLogits(context);
    if (checked()) yield* checkQuantised(context);
    if (checked() && pass.batch > 1) yield* checkPaddedBatch(context, itemSize(record.cacheType));
    if (!stopped() && probing) yield* probes(context);
  } catch (error) {
    // From expectClose on, a device that was destroyed counts as closed.
    await gpu.awaitReason(error);
    throw error;
  } finally {
    // Also when the pass failed; a release that fails after a failure has nothing to add.
    gpu.expectClose();
    if (gpu.fault === null) await model.release().catch(() => undefined);
  }
  yield phase('release');
  record.deviceBytes.released = device();
  if (!probing) yield { type: 'model', passId: pass.id, model: { ...record } };
  const { beforeLoad: before, released } = record.deviceBytes;
  // What was tried may be left on the device, and says so in a note.
  if (!probing && before !== null && released !== null) {
    const check = makeCheck('released', pass.model, released === before, {
      expected: say('released-expected', { bytes: before }),
      measured: say('bytes', { bytes: released }),
    });
    yield { type: 'check', passId: pass.id, check };
  }
  gpu.check();
  yield { type: 'pass-done', passId: pass.id };
}

/** @returns Where the cache tensors were. */
function runWork(context: PassContext): AsyncGenerator<Report, Record<string, number>> {
  const { work } = context.pass;
  switch (work.kind) {
    case 'length':
      return runLength(context, work);
    case 'growth':
      return runGrowth(context, work);
    case 'redundancy':
      return runRedundancy(context, work);
    case 'contexts':
      return runContexts(context, work);
    case 'serving':
      throw new Error(`no work ${work.kind} yet`);
  }
}

async function* probes(context: PassContext): AsyncGenerator<Report> {
  const { pass, subject } = context;
  yield context.phase('check', 0, 0);
  const before = context.device();
  for (const probe of await context.probe(pass, subject.files)) {
    yield { type: 'probe', passId: pass.id, probe };
  }
  const after = context.device();
  if (before === after) return;
  const note = `Trying what else ONNX Runtime offers left ${((after ?? 0) - (before ?? 0)).toLocaleString('en-US')} bytes on the device, until its worker ended.`;
  yield { type: 'note', passId: pass.id, note };
}

const ONE_PIECE =
  'With more than one sequence every prefill was done in one piece: ONNX Runtime’s attention takes no chunk on top of a past then.';

/** @throws LabError static-states, paged-states. */
function refuseStates({ policy, model: id }: Pass, { graphCache }: LoadedModel): void {
  const state = graphCache.find(({ name }) => !KV_TENSOR.test(name));
  if (preallocates(policy) && state !== undefined)
    throw new LabError(`${policy}-states`, { model: id, tensor: state.name });
}

function modelRecord(pass: Pass, subject: Subject, model: LoadedModel): ModelRecord {
  const { geometry, kept, quantised, facts } = subject;
  // Keys decide; a graph without any has no type to read, and is refused before it comes here.
  const cacheType =
    model.graphCache.find(({ name }) => KV_TENSOR.test(name))?.type ?? subject.cacheType ?? 'float32';
  return {
    id: pass.model,
    dtype: pass.dtype,
    geometry,
    ...facts,
    ...(quantised === undefined ? {} : { quantised }),
    notes: [...facts.notes],
    cacheType,
    graphCache: model.graphCache,
    bytesPerToken: bytesPerToken(kept, itemSize(cacheType)),
    cacheLocations: {},
    deviceBytes: { beforeLoad: null, loaded: null, released: null },
    loadMs: 0,
  };
}
