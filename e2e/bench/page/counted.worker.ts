/** The product's measuring worker as it is, with the time of every step that it reports, taken here and not on arrival. */
import '../../../src/worker/lab.worker';
import type { ReportMessage } from '../../../src/protocol/messages';

declare global {
  /** What lab.worker.ts uses of it: it is written for the WebWorker library, and scripts are compiled with the DOM's. */
  interface DedicatedWorkerGlobalScope extends Pick<Window, 'addEventListener'> {
    postMessage(message: unknown): void;
  }
}

/** A report, and when it was posted: milliseconds by this worker's clock. */
export type TimedReport = ReportMessage & { postedAt: number };

const post = self.postMessage.bind(self) as (message: unknown) => void;
self.postMessage = (message: ReportMessage) => {
  post({ ...message, postedAt: performance.now() } satisfies TimedReport);
};
