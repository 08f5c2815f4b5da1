/** The pool with solver workers that answer by hand. */
import { describe, expect, it } from 'vitest';
import type { SolverReply, SolverTask } from './solver-messages';
import { solveJobs, type SolverEvent, type SolverWorker } from './solver-pool';
import type { PairResult, SourceJob } from '../redundancy/types';

/** 3 documents of 8 tokens, one channel; the target is the source. */
function job(from: number): SourceJob {
  const documents = [1, 2, 3].map((seed) =>
    Float32Array.from({ length: 8 }, (_, i) => Math.sin(i * seed + from)),
  );
  return {
    kind: 'K',
    from,
    channels: 1,
    source: documents,
    targets: [{ to: from + 1, adjacent: true, channels: 1, values: documents }],
    lambdas: [0.001, 1],
    split: 'documents',
    seed: 0,
  };
}

const JOBS = [job(0), job(1), job(2)];
const pairsOf = (from: number) => [{ from, to: from + 1 }] as unknown as PairResult[];

/** A worker that a test speaks for. */
class FakeSolver implements SolverWorker {
  tasks: SolverTask[] = [];
  terminated = false;
  private onMessage: (event: { data: SolverReply }) => void = () => undefined;
  private onError: (event: ErrorEvent) => void = () => undefined;

  constructor(private readonly answer: (solver: FakeSolver, task: SolverTask) => void = () => undefined) {}

  postMessage(task: SolverTask): void {
    this.tasks.push(task);
    this.answer(this, task);
  }
  terminate(): void {
    this.terminated = true;
  }
  addEventListener(type: string, listener: unknown): void {
    if (type === 'message') this.onMessage = listener as typeof this.onMessage;
    else this.onError = listener as typeof this.onError;
  }
  say(data: SolverReply): void {
    queueMicrotask(() => {
      this.onMessage({ data });
    });
  }
  crash(message: string): void {
    queueMicrotask(() => {
      this.onError({ message, preventDefault: () => undefined } as ErrorEvent);
    });
  }
}

/** A solver that is ready at once and answers each task at once. */
function quick(): FakeSolver {
  const solver = new FakeSolver((self, { id, job: { from } }) => {
    self.say({ type: 'step', id, done: 1 });
    self.say({ type: 'solved', id, pairs: pairsOf(from) });
  });
  solver.say({ type: 'ready' });
  return solver;
}

async function all(events: AsyncIterable<SolverEvent>): Promise<SolverEvent[]> {
  const seen: SolverEvent[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}
const solved = (events: SolverEvent[]) =>
  events.flatMap((event) => (event.type === 'pairs' ? event.pairs.map(({ from }) => from) : [])).sort();
const never = new AbortController().signal;

describe('solver workers', () => {
  it('share the jobs, tell of progress and are ended', async () => {
    const solvers: FakeSolver[] = [];
    const spawn = () => {
      const solver = quick();
      solvers.push(solver);
      return solver;
    };
    const events = await all(solveJobs(JOBS, { signal: never, threads: 4, most: 2, spawn }));
    expect(solved(events)).toEqual([0, 1, 2]);
    expect(solvers).toHaveLength(2);
    expect(solvers.flatMap(({ tasks }) => tasks.map(({ id }) => id)).sort()).toEqual([0, 1, 2]);
    expect(solvers.every(({ terminated }) => terminated)).toBe(true);
    const progress = events.flatMap((event) => (event.type === 'progress' ? [event] : []));
    expect(progress.map(({ done }) => done)).toEqual([1, 2, 3]);
    expect(new Set(progress.map(({ total }) => total)).size).toBe(1);
  });

  it('are no more than the jobs', async () => {
    let spawned = 0;
    const spawn = () => {
      spawned += 1;
      return quick();
    };
    await all(solveJobs(JOBS.slice(0, 1), { signal: never, threads: 4, most: 4, spawn }));
    expect(spawned).toBe(1);
  });

  it('that crash at work are a fault, and all are ended', async () => {
    const solver = new FakeSolver((self) => {
      self.crash('out of memory.');
    });
    solver.say({ type: 'ready' });
    const run = all(solveJobs(JOBS, { signal: never, threads: 4, most: 1, spawn: () => solver }));
    await expect(run).rejects.toMatchObject({
      fault: { code: 'solver-failed', params: { detail: 'out of memory' } },
    });
    expect(solver.terminated).toBe(true);
  });

  it('that refuse a job are a fault with its reason', async () => {
    const solver = new FakeSolver((self, { id }) => {
      self.say({ type: 'failed', id, detail: 'candidates must be above 0' });
    });
    solver.say({ type: 'ready' });
    const run = all(solveJobs(JOBS, { signal: never, threads: 4, most: 1, spawn: () => solver }));
    await expect(run).rejects.toMatchObject({ fault: { code: 'solver-failed' } });
  });

  it('are ended by Cancel at once, and what was solved stays', async () => {
    const controller = new AbortController();
    const solver = new FakeSolver((self, { id }) => {
      if (id === 0) self.say({ type: 'solved', id, pairs: pairsOf(0) });
    });
    solver.say({ type: 'ready' });
    const events: SolverEvent[] = [];
    for await (const event of solveJobs(JOBS, {
      signal: controller.signal,
      threads: 4,
      most: 1,
      spawn: () => solver,
    })) {
      events.push(event);
      controller.abort();
    }
    expect(solved(events)).toEqual([0]);
    expect(solver.terminated).toBe(true);
  });

  it('that cannot start leave the jobs to the others', async () => {
    const lame = new FakeSolver();
    lame.say({ type: 'cannot-start', detail: 'no WASM' });
    const spawn = [() => lame, quick];
    const events = await all(
      solveJobs(JOBS, { signal: never, threads: 4, most: 2, spawn: () => (spawn.shift() ?? quick)() }),
    );
    expect(solved(events)).toEqual([0, 1, 2]);
    expect(events.some(({ type }) => type === 'note')).toBe(false);
  });
});

describe('without a solver worker', () => {
  const note = (why: string) =>
    `No solver worker could be started (${why}); the regressions were solved in one thread, without ONNX Runtime.`;

  it('jobs are solved here, and a note says so', async () => {
    const lame = () => {
      const solver = new FakeSolver();
      solver.say({ type: 'cannot-start', detail: 'no WASM' });
      return solver;
    };
    const events = await all(solveJobs(JOBS, { signal: never, threads: 4, most: 2, spawn: lame }));
    expect(events[0]).toEqual({ type: 'note', note: note('no WASM') });
    expect(solved(events)).toEqual([0, 1, 2]);
    const pairs = events.flatMap((event) => (event.type === 'pairs' ? event.pairs : []));
    expect(pairs[0]?.r2.mean, 'a channel predicts itself').toBeGreaterThan(0.99);
  });

  it('nor the means to make one, just the same', async () => {
    const spawn = () => {
      throw new ReferenceError('Worker is not defined');
    };
    const events = await all(solveJobs(JOBS, { signal: never, threads: 4, spawn }));
    expect(events[0]).toEqual({ type: 'note', note: note('Worker is not defined') });
    expect(solved(events)).toEqual([0, 1, 2]);
  });
});
