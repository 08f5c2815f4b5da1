/** The worker's entry: takes commands, runs the passes, posts reports. */
import { peakDeviceBytes, deviceBytes, resetPeak, residentBytes, tensorBytes, locations } from './ledger';
import { watchGpu } from './gpu-watch';
import { runPasses } from './run-experiment';
import type { Command, Report, ReportMessage } from '../protocol/messages';

declare const self: DedicatedWorkerGlobalScope;

const gpu = watchGpu(deviceBytes);
const ledger = { tensorBytes, residentBytes, locations, deviceBytes, peakDeviceBytes, resetPeak };
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
    const loadRuntime = async () => (await import('./runtime')).runtime;
    for await (const report of runPasses(passes, { loadRuntime, ledger, gpu, signal: controller.signal })) {
      post(report);
    }
    running.delete(runId);
  })();
});
