/** The page's end of the measuring worker: spawn, listen, restart, cancel. One worker at a time, none afterwards. */
import { isOfSetting, MAX_FRUITLESS_WORKERS } from '../experiments/retry';
import { toFault, type Fault } from '../protocol/faults';
import type { Command, Pass, Report, ReportMessage } from '../protocol/messages';
import type { DocumentText } from '../protocol/redundancy';
import type { MaybeBytes } from '../protocol/record';
import type { OpenedSource } from '../protocol/source';

/** What the client uses of a Worker. */
export interface WorkerLike {
  postMessage(command: Command): void;
  terminate(): void;
  addEventListener(type: 'message', listener: (event: { data: ReportMessage }) => void): void;
  addEventListener(type: 'error', listener: (event: Event | ErrorEvent) => void): void;
  addEventListener(type: 'messageerror', listener: () => void): void;
}

/** How a measurement ended. Whatever was reported before stays valid in every case. */
export type Outcome = { end: 'done' } | { end: 'cancelled' } | { end: 'failed'; fault: Fault };

/** One measurement as the client runs it. */
export interface Measurement {
  passes: readonly Pass[];
  /** The models of the passes that the worker does not build. */
  sources: readonly OpenedSource[];
  /** The texts of a redundancy; none for other passes. */
  documents: readonly DocumentText[];
  /** Called for each report, in order; never after the promise has settled. */
  onReport: (report: Report) => void;
  /** After a pass failed: what a fresh worker still has to do. */
  remaining: (passId: number, fault: Fault) => readonly Pass[];
  /** Answers `process-wanted`: bytes of the whole page, or null. Must not reject. */
  processBytes: () => Promise<MaybeBytes>;
  /** Awaited before a fresh worker is started; it must settle when the signal aborts. */
  beforeRestart: (fault: Fault, signal: AbortSignal) => Promise<void>;
}

/** ms that a worker gets to stop by itself after Cancel. */
export const CANCEL_GRACE_MS = 1000;

type WorkerEnd = Outcome | { end: 'pass-failed'; passId: number; fault: Fault };

let lastRunId = 0;

/**
 * Measures all passes, in one worker as long as none fails, then in a fresh one for what remains. Settles within
 * {@link CANCEL_GRACE_MS} after `signal` aborts; never rejects; when it has settled no worker is left.
 */
export async function measure(
  spawn: () => WorkerLike,
  measurement: Measurement,
  signal: AbortSignal,
): Promise<Outcome> {
  let passes = measurement.passes;
  let fruitless = 0;
  const onReport = (report: Report): void => {
    if (report.type === 'cell' || report.type === 'step') fruitless = 0;
    measurement.onReport(report);
  };
  while (passes.length > 0 && fruitless < MAX_FRUITLESS_WORKERS) {
    if (signal.aborted) return { end: 'cancelled' };
    fruitless += 1;
    const ended = await runOneWorker(spawn, { ...measurement, passes, onReport }, signal);
    if (ended.end !== 'pass-failed') return ended;
    // The worker could not fetch a part of the page: a fresh one could not either.
    if (ended.fault.code === 'page-outdated') return { end: 'failed', fault: ended.fault };
    if (isOfSetting(ended.fault)) fruitless = 0;
    passes = measurement.remaining(ended.passId, ended.fault);
    if (passes.length > 0) await measurement.beforeRestart(ended.fault, signal);
  }
  return { end: 'done' };
}

function runOneWorker(
  spawn: () => WorkerLike,
  { passes, sources, documents, onReport, processBytes }: Measurement,
  signal: AbortSignal,
): Promise<WorkerEnd> {
  return new Promise((resolve) => {
    const runId = (lastRunId += 1);
    let worker: WorkerLike;
    try {
      worker = spawn();
    } catch (error) {
      resolve({ end: 'failed', fault: toFault(error, 'worker-failed') });
      return;
    }
    let settled = false;
    let heard = false;
    let currentPass = passes[0]?.id ?? 0;
    let graceTimer: ReturnType<typeof setTimeout> | undefined;

    const settle = (end: WorkerEnd): void => {
      if (settled) return;
      settled = true;
      clearTimeout(graceTimer);
      signal.removeEventListener('abort', cancel);
      // Ending the worker is the only way to give its WASM memory and its GPU device back.
      worker.terminate();
      resolve(signal.aborted && end.end !== 'failed' ? { end: 'cancelled' } : end);
    };
    const cancel = (): void => {
      worker.postMessage({ type: 'cancel', runId });
      graceTimer = setTimeout(() => {
        settle({ end: 'cancelled' });
      }, CANCEL_GRACE_MS);
    };
    const crashed = (detail: string): void => {
      if (settled) return;
      const fault = workerFault(detail);
      // A worker that never said a word would not do better with the next pass.
      if (!heard) {
        settle({ end: 'failed', fault });
        return;
      }
      onReport({ type: 'pass-failed', passId: currentPass, fault });
      settle({ end: 'pass-failed', passId: currentPass, fault });
    };

    worker.addEventListener('message', ({ data }) => {
      // Messages of an ended worker may still be under way.
      if (settled || data.runId !== runId) return;
      heard = true;
      if (data.type === 'process-wanted') {
        void processBytes().then((bytes) => {
          // After Cancel the worker waits for nothing any more.
          if (!settled && !signal.aborted) worker.postMessage({ type: 'process-bytes', runId, bytes });
        });
        return;
      }
      if ('passId' in data) currentPass = data.passId;
      try {
        onReport(data);
      } catch (error) {
        settle({ end: 'failed', fault: toFault(error, 'run-failed') });
        return;
      }
      if (data.type === 'done') settle({ end: data.cancelled ? 'cancelled' : 'done' });
      else if (data.type === 'pass-failed')
        settle({ end: 'pass-failed', passId: data.passId, fault: data.fault });
    });
    worker.addEventListener('error', (event) => {
      const message = 'message' in event ? event.message : '';
      // A script or one of its imports that cannot be fetched fires a plain event, without any text.
      if (!heard && message === '') settle({ end: 'failed', fault: { code: 'page-outdated', params: {} } });
      else crashed(message === '' ? 'no message' : message);
    });
    worker.addEventListener('messageerror', () => {
      crashed('one of its messages could not be read');
    });
    signal.addEventListener('abort', cancel);
    worker.postMessage({
      type: 'run',
      runId,
      passes: [...passes],
      sources: [...sources],
      documents: [...documents],
    });
  });
}

function workerFault(detail: string): Fault {
  return { code: 'worker-failed', params: { detail } };
}
