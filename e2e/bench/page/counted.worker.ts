/**
 * The product's measuring worker as it is, with the time of every report, taken here and not on arrival, and with the tokens that
 * the model was fed, which no report carries.
 */
import './forced-build';
import '../../../src/worker/lab.worker';
import { runtime } from '../../../src/worker/runtime';
import type { ReportMessage } from '../../../src/protocol/messages';

declare global {
  /** What lab.worker.ts uses of it: it is written for the WebWorker library, and scripts are compiled with the DOM's. */
  interface DedicatedWorkerGlobalScope extends Pick<Window, 'addEventListener'> {
    postMessage(message: unknown): void;
  }
}

export type TimedReport = ReportMessage & {
  /** When it was posted: milliseconds by this worker's clock. */
  postedAt: number;
  /** Only of `pass-done`: all tokens of the first sequence since the model was loaded, in order. */
  fed?: number[];
};

let fed: number[] = [];
const load = runtime.load.bind(runtime);
runtime.load = async (options) => {
  fed = [];
  const model = await load(options);
  const forward = model.forward.bind(model);
  model.forward = (tokens, ...others) => {
    fed.push(...(tokens[0] ?? []));
    return forward(tokens, ...others);
  };
  return model;
};

const post = self.postMessage.bind(self) as (message: unknown) => void;
self.postMessage = (message: ReportMessage) => {
  const timed: TimedReport = { ...message, postedAt: performance.now() };
  post(message.type === 'pass-done' ? { ...timed, fed } : timed);
};
