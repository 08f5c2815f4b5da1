/** The bench's page: offers each case what it runs in the browser, under `window.bench`. */
import type { DecodeTask } from './bare.worker';
import { decodeInTurns, type DecodeTurns } from './decode-loops';
import type { FromRedundancy, Solved } from './redundancy.worker';
import { describeAdapter } from '../../../src/protocol/adapter';

export interface Bench {
  /** The WebGPU adapter in words; null where there is none. */
  adapter(): Promise<string | null>;
  /** Loads the data of a description in `../data/`, then solves all its pairs; only the solving is timed. */
  redundancy(description: string): Promise<Solved>;
  /** Times a decode step of ours and of the bare loop, in so many turns. */
  decodeInTurns(task: DecodeTask, turns: number): Promise<DecodeTurns>;
}

declare global {
  interface Window {
    bench: Bench;
  }
}

window.bench = {
  decodeInTurns,
  async adapter() {
    const gpu = (navigator as { gpu?: GPU }).gpu;
    const adapter = await gpu?.requestAdapter();
    if (!adapter) return null;
    const { vendor, architecture, device, description, fallback } = describeAdapter(adapter);
    const words = [vendor, architecture, device, description].filter((word) => word !== '');
    return `${words.join(' ')}${fallback ? ' (software)' : ''}`;
  },
  redundancy(description) {
    // Nested as in the product: the page's worker holds the data and starts the solvers.
    const worker = new Worker(new URL('./redundancy.worker.ts', import.meta.url), { type: 'module' });
    return new Promise<Solved>((resolve, reject) => {
      worker.addEventListener('message', ({ data }: MessageEvent<FromRedundancy>) => {
        if ('error' in data) reject(new Error(data.error));
        else resolve(data);
      });
      worker.addEventListener('error', (event) => {
        reject(new Error(event.message));
      });
      worker.postMessage(new URL(`../data/${description}`, location.href).href);
    }).finally(() => {
      worker.terminate();
    });
  },
};
