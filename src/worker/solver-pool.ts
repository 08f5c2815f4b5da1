/**
 * Solves jobs on several solver workers at once, as an async generator of what happens. Knows nothing of models or passes.
 * Where no solver worker can start, the jobs are solved here, with plain loops, and a note says so.
 */
import { EventQueue } from './event-queue';
import type { SolverReply, SolverTask } from './solver-messages';
import { LabError } from '../protocol/faults';
import { plainMultiply } from '../redundancy/matrix';
import { analyseSource } from '../redundancy/ridge';
import type { PairResult, SourceJob } from '../redundancy/types';
import { unitsOf } from '../redundancy/work';

export type SolverEvent =
  /** Of all jobs together, in the units of `unitsOf`. */
  | { type: 'progress'; done: number; total: number }
  /** All that is predicted from one layer's keys or values. */
  | { type: 'pairs'; pairs: PairResult[] }
  | { type: 'note'; note: string };

/** What the pool uses of a Worker. */
export interface SolverWorker {
  postMessage(task: SolverTask): void;
  terminate(): void;
  addEventListener(type: 'message', listener: (event: { data: SolverReply }) => void): void;
  addEventListener(type: 'error', listener: (event: Event | ErrorEvent) => void): void;
}

export interface SolverOptions {
  /** Aborted to stop at once; the generator then ends without an error. */
  signal: AbortSignal;
  /** Workers at the same time, at most; less where there are fewer threads or jobs. */
  most?: number;
  /** Of the machine. */
  threads?: number;
  spawn?: () => SolverWorker;
}

/** Each solver has its own ONNX Runtime and Gram matrices, so memory, not threads, is what more of them would cost. */
const MOST_WORKERS = 4;

/**
 * @param jobs Their arrays are copied into each worker that needs them, unless they are over a SharedArrayBuffer.
 * @throws LabError solver-failed when a solver crashes or refuses its job.
 */
export async function* solveJobs(
  jobs: readonly SourceJob[],
  {
    signal,
    most = MOST_WORKERS,
    threads = navigator.hardwareConcurrency,
    spawn = spawnSolver,
  }: SolverOptions,
): AsyncGenerator<SolverEvent> {
  if (jobs.length === 0 || signal.aborted) return;
  const count = Math.max(1, Math.min(threads, jobs.length, most, MOST_WORKERS));
  try {
    yield* solveElsewhere(jobs, { signal, count, spawn });
  } catch (error) {
    if (!(error instanceof NoSolverError)) throw error;
    yield {
      type: 'note',
      note: `No solver worker could be started (${error.message}); the regressions were solved in one thread, without ONNX Runtime.`,
    };
    yield* solveHere(jobs, signal);
  }
}

/** Solves the jobs in this thread, one after another. @throws LabError solver-failed. */
export async function* solveHere(
  jobs: readonly SourceJob[],
  signal: AbortSignal,
): AsyncGenerator<SolverEvent> {
  const queue = new EventQueue<SolverEvent>();
  const progress = new Progress(jobs, queue);
  void (async () => {
    try {
      for (const [id, job] of jobs.entries()) {
        const onStep = async (done: number): Promise<void> => {
          progress.step(id, done);
          // Lets messages (Cancel) in, which nothing else here would.
          await new Promise((resolve) => setTimeout(resolve, 0));
        };
        queue.push({ type: 'pairs', pairs: await analyseSource(job, plainMultiply, { onStep, signal }) });
      }
      queue.close();
    } catch (error) {
      if (signal.aborted) queue.close();
      else queue.fail(solverFailed(error instanceof Error ? error.message : String(error)));
    }
  })();
  yield* queue;
}

/** Not one solver worker could be started. */
class NoSolverError extends Error {}

async function* solveElsewhere(
  jobs: readonly SourceJob[],
  { signal, count, spawn }: { signal: AbortSignal; count: number; spawn: () => SolverWorker },
): AsyncGenerator<SolverEvent> {
  const queue = new EventQueue<SolverEvent>();
  const progress = new Progress(jobs, queue);
  const waiting: SolverTask[] = jobs.map((job, id) => ({ id, job }));
  const workers: SolverWorker[] = [];
  let open = jobs.length;
  let alive = count;
  const cannotStart = (detail: string): void => {
    alive -= 1;
    if (alive === 0) queue.fail(new NoSolverError(detail));
  };
  const start = (): void => {
    const worker = spawn();
    workers.push(worker);
    let ready = false;
    let lost = false;
    const lose = (detail: string): void => {
      if (!lost) cannotStart(detail);
      lost = true;
    };
    const next = (): void => {
      const task = waiting.shift();
      if (task !== undefined) worker.postMessage(task);
    };
    worker.addEventListener('message', ({ data }) => {
      switch (data.type) {
        case 'ready':
          ready = true;
          next();
          break;
        case 'cannot-start':
          lose(data.detail);
          break;
        case 'step':
          progress.step(data.id, data.done);
          break;
        case 'solved':
          queue.push({ type: 'pairs', pairs: data.pairs });
          open -= 1;
          if (open === 0) queue.close();
          else next();
          break;
        case 'failed':
          queue.fail(solverFailed(data.detail));
          break;
      }
    });
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      const message = 'message' in event && event.message !== '' ? event.message : 'its worker stopped';
      if (ready) queue.fail(solverFailed(message));
      else lose(message);
    });
  };
  const stop = (): void => {
    queue.close();
  };
  signal.addEventListener('abort', stop);
  try {
    for (let i = 0; i < count; i++) {
      try {
        start();
      } catch (error) {
        cannotStart(error instanceof Error ? error.message : String(error));
      }
    }
    yield* queue;
  } finally {
    signal.removeEventListener('abort', stop);
    // The only way to give a solver's memory back, and to end it in the middle of a job.
    for (const worker of workers) worker.terminate();
  }
}

/** Progress of all jobs together. */
class Progress {
  private readonly done: number[];
  private readonly total: number;

  constructor(
    jobs: readonly SourceJob[],
    private readonly queue: EventQueue<SolverEvent>,
  ) {
    this.done = jobs.map(() => 0);
    this.total = sum(jobs.map(unitsOf));
  }

  step(id: number, done: number): void {
    this.done[id] = done;
    this.queue.push({ type: 'progress', done: sum(this.done), total: this.total });
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function solverFailed(detail: string): LabError {
  // The sentence that it goes into has a full stop of its own.
  return new LabError('solver-failed', { detail: detail.replace(/\.+$/, '') });
}

function spawnSolver(): SolverWorker {
  return new Worker(new URL('./solver.worker.ts', import.meta.url), {
    type: 'module',
    name: 'kv-cache-lab-solver',
  });
}
