/**
 * The experiment `serving`: each system's pool is made as real memory, and for every token that the simulation places a row is really
 * written there. What the pool holds is read from it, and held against the simulation.
 */
import { arrayPlace, gpuPlace, type PoolMemory, type PoolPlace } from './pool-memory';
import type { Dependencies } from './run-experiment';
import { makeCheck, say } from '../protocol/checks';
import type { Pass, Report } from '../protocol/messages';
import type { LabRecord, MaybeBytes } from '../protocol/record';
import {
  SERVING_SYSTEMS,
  type ServingRun,
  type ServingSample,
  type ServingSystem,
} from '../protocol/serving';
import { outlineOf, sampleSteps, Serving, type ServingStep } from '../serving/serving';
import { drawRequests, LENGTH_MEANS, meansOf, type Request } from '../serving/workload';

/** Moments at which a pool is read. */
const SAMPLES = 24;
/** Steps whose copies go to the GPU together: a submit costs as much as some copies do. */
const STEPS_A_SUBMIT = 8;
/** Steps after which the GPU is waited for, so that it is never far behind and a Cancel is heard. */
const STEPS_AT_ONCE = 32;
/** ms without a word to the page after which it hears how far the run is. */
const TELL_MS = 100;

type ServingWork = Extract<Pass['work'], { kind: 'serving' }>;
type Deps = Pick<Dependencies, 'gpu' | 'ledger' | 'signal' | 'environment'>;

interface Context extends Deps {
  pass: Pass;
  work: ServingWork;
  requests: readonly Request[];
  place: PoolPlace;
  /** Device bytes now; null where they are not measured. */
  device(): MaybeBytes;
  phase(done: number): Report;
}

/**
 * Serves with each system in turn; all pools are of one device, and none is there when the next is made.
 * @param open Opens where the pools are made; tests bring their own.
 */
export async function* runServing(
  pass: Pass,
  work: ServingWork,
  deps: Deps,
  open: () => Promise<PoolPlace> = () =>
    pass.device === 'webgpu' ? gpuPlace(deps.gpu) : Promise.resolve(arrayPlace),
): AsyncGenerator<Report> {
  const { state } = work;
  const requests = drawRequests(LENGTH_MEANS[state.lengths], state.requests, state.longest, pass.seed);
  const outlines = SERVING_SYSTEMS.map((system) => outlineOf(servingOf(system, requests, pass, work)));
  const total = outlines.reduce((sum, { steps }) => sum + steps, 0);
  const phase = (done: number): Report => ({ type: 'phase', passId: pass.id, phase: 'serve', done, total });
  yield phase(0);

  const onGpu = pass.device === 'webgpu';
  const place = await open();
  try {
    const before = onGpu ? deps.ledger.deviceBytes() : null;
    yield {
      type: 'environment',
      environment: deps.environment(pass, null),
      notMeasured: onGpu ? ALL_MEASURED : IN_AN_ARRAY,
    };
    let done = 0;
    for (const [at, system] of SERVING_SYSTEMS.entries()) {
      if (deps.signal.aborted) return;
      const base = done;
      const context: Context = {
        ...{ ...deps, pass, work, requests, place },
        device: () => (onGpu ? deps.ledger.deviceBytes() : null),
        phase: (steps) => phase(base + steps),
      };
      const steps = outlines[at]?.steps ?? 0;
      yield* serveWith(system, steps, context);
      done += steps;
    }
    if (before !== null && !deps.signal.aborted) yield releasedCheck(pass, before, deps.ledger.deviceBytes());
    deps.gpu.check();
  } finally {
    place.close();
  }
  if (!deps.signal.aborted) yield { type: 'pass-done', passId: pass.id };
}

const PROCESS_NOT_TAKEN = 'the browser’s figure for the whole page is not taken in this experiment';
const ALL_MEASURED: LabRecord['notMeasured'] = { resident: null, device: null, process: PROCESS_NOT_TAKEN };
const ARRAY = 'on the WASM backend the pools are arrays in the page’s memory, not GPU buffers';
const IN_AN_ARRAY: LabRecord['notMeasured'] = { resident: ARRAY, device: ARRAY, process: PROCESS_NOT_TAKEN };

function servingOf(
  system: ServingSystem,
  requests: readonly Request[],
  pass: Pass,
  work: ServingWork,
): Serving {
  const { pool, longest } = work.state;
  return new Serving(system, requests, { pool, longest, block: pass.block });
}

/** One system from its pool's making to its freeing. */
async function* serveWith(
  system: ServingSystem,
  stepsPlanned: number,
  context: Context,
): AsyncGenerator<Report> {
  const { pass, work, requests, place, signal } = context;
  const serving = servingOf(system, requests, pass, work);
  const deviceBefore = context.device();
  const memory = await place.make({ rows: work.state.pool, rowBytes: work.bytesPerToken });
  const tally = new Tally(system, stepsPlanned, memory.bytes, work.bytesPerToken);
  const means = meansOf(requests);
  const report = (deviceAfter: MaybeBytes = null): Report => ({
    ...{ type: 'serving', passId: pass.id },
    run: tally.run({ before: deviceBefore, pool: devicePool, after: deviceAfter }),
    ...{ promptMean: means.prompt, outputMean: means.output },
  });
  const devicePool = context.device();
  const moments = new Set(sampleSteps(stepsPlanned, SAMPLES));
  let told = performance.now();
  try {
    for (let step = serving.next(); step !== null && !signal.aborted; step = serving.next()) {
      apply(step, memory);
      tally.step(step);
      const sampled = moments.has(step.step);
      if (sampled) tally.sample(step, await memory.owners(), serving.owners());
      else if (step.step % STEPS_AT_ONCE === 0) await memory.settled();
      else if (step.step % STEPS_A_SUBMIT === 0) memory.submit();
      if (sampled) yield report();
      if (sampled || performance.now() - told > TELL_MS) {
        told = performance.now();
        yield context.phase(step.step + 1);
      }
    }
  } finally {
    memory.destroy();
  }
  yield report(context.device());
  if (!signal.aborted) yield { type: 'check', passId: pass.id, check: tally.check(pass.model) };
}

function apply({ changes }: ServingStep, memory: PoolMemory): void {
  for (const { kind, owner, span } of changes) {
    if (kind === 'write') memory.write(owner, span);
    else memory.clear(owner, span);
  }
}

/** Counts what is found in one system's pool. */
class Tally {
  readonly #samples: ServingSample[] = [];
  #steps = 0;
  #mostRunning = 0;
  #preemptions = 0;
  #writtenTokens = 0;
  #rows = 0;
  #wrong = 0;
  #first: { row: number; step: number; found: number; owner: number } | null = null;

  constructor(
    private readonly system: ServingSystem,
    private readonly stepsPlanned: number,
    private readonly poolBytes: number,
    private readonly bytesPerToken: number,
  ) {}

  step({ changes, running, preemptions }: ServingStep): void {
    this.#steps += 1;
    this.#mostRunning = Math.max(this.#mostRunning, running);
    this.#preemptions = preemptions;
    for (const { kind, span } of changes) if (kind === 'write') this.#writtenTokens += span.count;
  }

  /** @param found What the pool's rows hold. @param placed Where the simulation has put the tokens. */
  sample(
    { step, running, waiting, held, reserved, wasted }: ServingStep,
    found: Uint32Array,
    placed: Uint32Array,
  ): void {
    let usedTokens = 0;
    for (const [row, owner] of placed.entries()) {
      const there = found[row] ?? 0;
      if (there !== 0) usedTokens += 1;
      if (there === owner) continue;
      this.#wrong += 1;
      this.#first ??= { row, step, found: there, owner };
    }
    this.#rows += placed.length;
    this.#samples.push({
      ...{ step, running, waiting, usedTokens },
      usedBytes: usedTokens * this.bytesPerToken,
      heldTokens: held,
      reservedTokens: reserved,
      wastedTokens: wasted,
    });
  }

  run(deviceBytes: ServingRun['deviceBytes']): ServingRun {
    const full = this.#samples.filter(({ waiting }) => waiting > 0);
    const sum = (of: (sample: ServingSample) => number): number =>
      full.reduce((total, sample) => total + of(sample), 0);
    const mean = (of: (sample: ServingSample) => number): number | null =>
      full.length === 0 ? null : sum(of) / full.length;
    return {
      system: this.system,
      poolBytes: this.poolBytes,
      deviceBytes,
      samples: [...this.#samples],
      steps: this.#steps,
      stepsPlanned: this.stepsPlanned,
      utilisation: mean(({ usedBytes }) => usedBytes / this.poolBytes),
      insideUse: mean(({ usedTokens, heldTokens }) => usedTokens / heldTokens),
      mostRunning: this.#mostRunning,
      preemptions: this.#preemptions,
      writtenTokens: this.#writtenTokens,
    };
  }

  /** Check `serving-blocks`: passes when every row that was read held its request's pattern or, where none has a token, zeros. */
  check(model: string): ReturnType<typeof makeCheck> {
    const rows = this.#samples.reduce((sum, { usedTokens }) => sum + usedTokens, 0);
    const [all, wrong] = [this.#rows, this.#wrong];
    return makeCheck('serving-blocks', model, wrong === 0 && rows > 0, {
      expected: say('serving-expected', { system: this.system }),
      measured:
        this.#first === null
          ? say('serving-found', { rows, empty: all - rows })
          : say('serving-differs', { wrong, rows: all, ...this.#first }),
      detail: say('serving-count', { moments: this.#samples.length }),
    });
  }
}

function releasedCheck(pass: Pass, before: number, after: number): Report {
  const check = makeCheck('released', pass.model, after === before, {
    expected: say('pools-released-expected', { bytes: before }),
    measured: say('bytes', { bytes: after }),
  });
  return { type: 'check', passId: pass.id, check };
}
