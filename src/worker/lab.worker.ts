/** The worker's entry: takes commands, runs the passes, posts reports. */
import * as ledger from './ledger';
import { measureEnvironment } from './environment';
import { watchGpu } from './gpu-watch';
import { runPasses } from './run-experiment';
import type { Command, Pass, Report, ReportMessage } from '../protocol/messages';

declare const self: DedicatedWorkerGlobalScope;

const gpu = watchGpu(ledger.deviceBytes);
const running = new Map<number, AbortController>();

self.addEventListener('message', ({ data }: MessageEvent<Command>) => {
  if (data.type === 'cancel') {
    running.get(data.runId)?.abort();
    return;
  }
  const { runId, passes } = data;
  const controller = new AbortController();
  running.set(runId, controller);
  const post = (report: Report): void => {
    self.postMessage({ ...report, runId } satisfies ReportMessage);
  };
  void (async () => {
    const dependencies = {
      loadRuntime: async () => (await import('./runtime')).runtime,
      environment: (pass: Pass, threads: number) => measureEnvironment(pass, gpu, threads),
      ledger,
      gpu,
      signal: controller.signal,
    };
    for await (const report of runPasses(passes, dependencies)) {
      post(report);
    }
    running.delete(runId);
  })();
});
