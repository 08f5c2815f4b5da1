/** A solver worker's entry: opens ONNX Runtime on one thread, then solves one job after another. */
import { ortMultiply } from './matmul';
import type { SolverReply, SolverTask } from './solver-messages';
import { analyseSource } from '../redundancy/ridge';

declare const self: DedicatedWorkerGlobalScope;

const post = (reply: SolverReply): void => {
  self.postMessage(reply);
};
const sayWhy = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const multiply = ortMultiply();
multiply.then(
  () => {
    post({ type: 'ready' });
  },
  (error: unknown) => {
    post({ type: 'cannot-start', detail: sayWhy(error) });
  },
);

self.addEventListener('message', ({ data: { id, job } }: MessageEvent<SolverTask>) => {
  void (async () => {
    try {
      const onStep = (done: number): void => {
        post({ type: 'step', id, done });
      };
      post({ type: 'solved', id, pairs: await analyseSource(job, await multiply, { onStep }) });
    } catch (error) {
      post({ type: 'failed', id, detail: sayWhy(error) });
    }
  })();
});
