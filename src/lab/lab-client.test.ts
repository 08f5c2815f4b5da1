import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Pass, Report } from '../protocol/messages';
import { CANCEL_GRACE_MS, measure, type Measurement } from './lab-client';
import { tinyCell, WorkerFactory } from './testing';

const pass = (id: number): Pass => ({
  id,
  model: 'tiny',
  dtype: 'fp32',
  batch: 1,
  policy: 'dynamic',
  room: 0,
  overflow: 'refuse',
  bits: '8',
  block: 16,
  device: 'webgpu',
  allocator: 'bucket',
  chunk: 0,
  seed: 0,
  repeat: id,
  processBytes: false,
  work: { kind: 'length', stops: [64], steps: 0 },
});

/** No models from outside, no figure for the whole page. */
const NOTHING_ELSE = { sources: [], documents: [], processBytes: () => Promise.resolve(null) };

function setup(passes: Pass[] = [pass(0), pass(1)]) {
  const workers = new WorkerFactory();
  const reports: Report[] = [];
  const abort = new AbortController();
  const measurement: Measurement = {
    passes,
    ...NOTHING_ELSE,
    onReport: (report) => reports.push(report),
    remaining: () => {
      const over = reports.flatMap((r) =>
        r.type === 'pass-done' || r.type === 'pass-failed' ? [r.passId] : [],
      );
      return passes.filter((p) => !over.includes(p.id));
    },
    beforeRestart: vi.fn(() => Promise.resolve()),
  };
  const outcome = measure(workers.spawn, measurement, abort.signal);
  return { workers, reports, abort, measurement, outcome };
}

const lost = { code: 'device-lost', params: { detail: 'x' } } as const;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('measure', () => {
  it('sends the passes, hands on the reports, and ends the worker after done', async () => {
    const { workers, reports, outcome } = setup();
    const worker = workers.last;
    expect(worker.passes.map((p) => p.id)).toEqual([0, 1]);
    worker.report({ type: 'pass-done', passId: 0 });
    worker.report({ type: 'done', cancelled: false });
    expect(await outcome).toEqual({ end: 'done' });
    expect(reports.map((r) => r.type)).toEqual(['pass-done', 'done']);
    expect(workers.alive).toBe(0);
  });

  it('drops messages of another run, and all that come after the end', async () => {
    const { workers, reports, outcome } = setup();
    const worker = workers.last;
    worker.report({ type: 'pass-done', passId: 0 }, worker.runId - 1);
    expect(reports).toEqual([]);
    worker.report({ type: 'done', cancelled: false });
    await outcome;
    worker.report({ type: 'pass-done', passId: 0 });
    expect(reports.map((r) => r.type)).toEqual(['done']);
  });

  it('runs what remains in a fresh worker after a pass failed', async () => {
    const { workers, outcome, measurement } = setup();
    const first = workers.last;
    first.report({ type: 'pass-failed', passId: 0, fault: lost });
    await vi.advanceTimersByTimeAsync(0);
    expect(measurement.beforeRestart).toHaveBeenCalledWith(lost, expect.anything());
    expect(first.terminated).toBe(true);
    expect(workers.made).toHaveLength(2);
    expect(workers.last.passes.map((p) => p.id)).toEqual([1]);
    expect(workers.last.runId).not.toBe(first.runId);
    workers.last.report({ type: 'done', cancelled: false });
    expect(await outcome).toEqual({ end: 'done' });
    expect(workers.alive).toBe(0);
  });

  it('ends when the last pass failed, without another worker', async () => {
    const { workers, outcome } = setup([pass(0)]);
    workers.last.report({ type: 'pass-failed', passId: 0, fault: lost });
    expect(await outcome).toEqual({ end: 'done' });
    expect(workers.made).toHaveLength(1);
  });

  it('does not start workers for ever when nothing gets done', async () => {
    const workers = new WorkerFactory();
    const outcome = measure(
      workers.spawn,
      {
        passes: [pass(0)],
        ...NOTHING_ELSE,
        onReport: () => undefined,
        remaining: () => [pass(0)],
        beforeRestart: () => Promise.resolve(),
      },
      new AbortController().signal,
    );
    for (let i = 0; i < 5; i += 1) {
      workers.last.report({ type: 'pass-failed', passId: 0, fault: lost });
      await vi.advanceTimersByTimeAsync(0);
    }
    expect(await outcome).toEqual({ end: 'done' });
    // MAX_FRUITLESS_WORKERS
    expect(workers.made).toHaveLength(4);
  });

  it('goes on as long as something is measured between failures', async () => {
    const workers = new WorkerFactory();
    let failures = 0;
    const outcome = measure(
      workers.spawn,
      {
        passes: [pass(0)],
        ...NOTHING_ELSE,
        onReport: () => undefined,
        remaining: () => ((failures += 1) < 6 ? [pass(0)] : []),
        beforeRestart: () => Promise.resolve(),
      },
      new AbortController().signal,
    );
    for (let i = 0; i < 6; i += 1) {
      workers.last.report(tinyCell(0, 64));
      workers.last.report({ type: 'pass-failed', passId: 0, fault: lost });
      await vi.advanceTimersByTimeAsync(0);
    }
    expect(await outcome).toEqual({ end: 'done' });
    expect(workers.made).toHaveLength(6);
  });

  it('a report that cannot be taken in ends the run with the reason', async () => {
    const workers = new WorkerFactory();
    const outcome = measure(
      workers.spawn,
      {
        passes: [pass(0)],
        ...NOTHING_ELSE,
        onReport: () => {
          throw new RangeError('the cache would take more than 2^53 bytes');
        },
        remaining: () => [],
        beforeRestart: () => Promise.resolve(),
      },
      new AbortController().signal,
    );
    workers.last.report({ type: 'pass-done', passId: 0 });
    expect(await outcome).toMatchObject({
      end: 'failed',
      fault: { code: 'run-failed', params: { detail: 'the cache would take more than 2^53 bytes' } },
    });
    expect(workers.alive).toBe(0);
  });

  it('a worker that crashes fails the pass it was in', async () => {
    const { workers, reports, outcome } = setup();
    workers.last.report({ type: 'pass-done', passId: 0 });
    workers.last.report({ type: 'phase', passId: 1, phase: 'load-model', done: 0, total: 1 });
    workers.last.emit('error', { message: 'Uncaught RangeError' });
    expect(await outcome).toEqual({ end: 'done' });
    expect(reports.at(-1)).toEqual({
      type: 'pass-failed',
      passId: 1,
      fault: { code: 'worker-failed', params: { detail: 'Uncaught RangeError' } },
    });
    expect(workers.alive).toBe(0);
  });

  it('a message that cannot be read fails the pass too', async () => {
    const { workers, reports } = setup([pass(0)]);
    workers.last.report({ type: 'phase', passId: 0, phase: 'prefill', done: 0, total: 1 });
    workers.last.emit('messageerror', {});
    await vi.advanceTimersByTimeAsync(0);
    expect(reports.at(-1)).toMatchObject({ type: 'pass-failed', fault: { code: 'worker-failed' } });
  });

  it('E7: a worker script that cannot be fetched means an outdated page', async () => {
    const { workers, outcome } = setup();
    workers.last.emit('error', {});
    expect(await outcome).toEqual({ end: 'failed', fault: { code: 'page-outdated', params: {} } });
    expect(workers.made).toHaveLength(1);
    expect(workers.alive).toBe(0);
  });

  it('E7: so does a part that the worker could not fetch', async () => {
    const { workers, outcome } = setup();
    workers.last.report({ type: 'pass-failed', passId: 0, fault: { code: 'page-outdated', params: {} } });
    expect(await outcome).toEqual({ end: 'failed', fault: { code: 'page-outdated', params: {} } });
    expect(workers.made).toHaveLength(1);
  });

  it('a worker that throws before its first word ends the run instead of being tried again', async () => {
    const { workers, outcome } = setup();
    workers.last.emit('error', { message: 'SyntaxError' });
    expect(await outcome).toEqual({
      end: 'failed',
      fault: { code: 'worker-failed', params: { detail: 'SyntaxError' } },
    });
    expect(workers.made).toHaveLength(1);
  });

  it('a browser that refuses workers ends the run with its words', async () => {
    const refuse = (): never => {
      throw new Error('blocked by policy');
    };
    const { measurement } = setup();
    expect(await measure(refuse, measurement, new AbortController().signal)).toMatchObject({
      end: 'failed',
      fault: { code: 'worker-failed', params: { detail: 'blocked by policy' } },
    });
  });
});

describe('cancelling a measurement', () => {
  it('asks the worker, and keeps what it reports until it stops', async () => {
    const { workers, reports, abort, outcome } = setup();
    abort.abort();
    expect(workers.last.commands.at(-1)).toEqual({ type: 'cancel', runId: workers.last.runId });
    workers.last.report({ type: 'pass-done', passId: 0 });
    workers.last.report({ type: 'done', cancelled: true });
    expect(await outcome).toEqual({ end: 'cancelled' });
    expect(reports.map((r) => r.type)).toEqual(['pass-done', 'done']);
    expect(workers.alive).toBe(0);
  });

  it('C19: ends a worker that does not answer, after the grace', async () => {
    const { workers, abort, outcome } = setup();
    abort.abort();
    await vi.advanceTimersByTimeAsync(CANCEL_GRACE_MS - 1);
    expect(workers.alive).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await outcome).toEqual({ end: 'cancelled' });
    expect(workers.alive).toBe(0);
  });

  it('starts no worker when it was cancelled before, or between two workers', async () => {
    const { workers, abort, outcome, measurement } = setup();
    workers.last.report({ type: 'pass-failed', passId: 0, fault: lost });
    abort.abort();
    expect(await outcome).toEqual({ end: 'cancelled' });
    expect(await measure(workers.spawn, measurement, abort.signal)).toEqual({ end: 'cancelled' });
    expect(workers.made).toHaveLength(1);
  });

  it('C19: leaves no worker behind after 20 starts and stops', async () => {
    for (let i = 0; i < 20; i += 1) {
      const { workers, abort, outcome } = setup();
      abort.abort();
      await vi.advanceTimersByTimeAsync(CANCEL_GRACE_MS);
      await outcome;
      expect(workers.alive).toBe(0);
    }
    expect(vi.getTimerCount()).toBe(0);
  });
});
