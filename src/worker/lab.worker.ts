/** The worker's entry: takes commands, runs the passes, posts reports. */
import * as ledger from './ledger';
import { measureEnvironment } from './environment';
import { watchGpu } from './gpu-watch';
import { runPasses } from './run-experiment';
import type { Runtime } from './runtime-types';
import { countPipelines } from './timing';
import { solveJobs } from './solver-pool';
import type { ModelFiles } from '../model/twin';
import { LabError } from '../protocol/faults';
import type { Command, Pass, Report, ReportMessage } from '../protocol/messages';
import type { MaybeBytes } from '../protocol/record';

declare const self: DedicatedWorkerGlobalScope;

const gpu = watchGpu(ledger.deviceBytes);
const pipelinesBuilt = countPipelines();
const running = new Map<number, AbortController>();
/** Takes the page's answer; null while nothing was asked. */
let answerProcessBytes: ((bytes: MaybeBytes) => void) | null = null;

async function loadRuntime(): Promise<Runtime> {
  try {
    return (await import('./runtime')).runtime;
  } catch (error) {
    // The browsers' three ways to say that the file is not there (any more).
    const gone = /dynamically imported module|Importing a module script failed/i.test(String(error));
    throw gone ? new LabError('page-outdated', {}, String(error)) : error;
  }
}

self.addEventListener('message', ({ data }: MessageEvent<Command>) => {
  if (data.type === 'cancel') {
    running.get(data.runId)?.abort();
    // Whoever waits for the page's figure need not.
    answerProcessBytes?.(null);
    answerProcessBytes = null;
    return;
  }
  if (data.type === 'process-bytes') {
    answerProcessBytes?.(data.bytes);
    answerProcessBytes = null;
    return;
  }
  const { runId, passes, sources, documents } = data;
  const controller = new AbortController();
  running.set(runId, controller);
  const post = (report: Report): void => {
    self.postMessage({ ...report, runId } satisfies ReportMessage);
  };
  void (async () => {
    const dependencies = {
      loadRuntime,
      environment: (pass: Pass, runtime: Runtime | null) => measureEnvironment(pass, gpu, runtime),
      ledger,
      gpu,
      pipelinesBuilt,
      sources,
      documents,
      solve: solveJobs,
      probe: async (pass: Pass, files: ModelFiles) =>
        await (await import('./probes/probe-runtime')).probeRuntime(pass, files, gpu),
      processBytes: () =>
        new Promise<MaybeBytes>((resolve) => {
          answerProcessBytes = resolve;
          post({ type: 'process-wanted' });
        }),
      signal: controller.signal,
    };
    for await (const report of runPasses(passes, dependencies)) {
      post(report);
    }
    running.delete(runId);
  })();
});
