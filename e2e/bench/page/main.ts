/** The bench's page: offers each case what it runs in the browser, under `window.bench`. */
import { ask } from './ask-worker';
import { runInLab, startLabWorker, type BenchRecipe, type LabRun } from './lab-runs';
import { decode, endWorkers, type DecodeResult, type DecodeTask, type Side } from './loops';
import type { PrefillTask } from './prefill.worker';
import type { Solved } from './redundancy.worker';
import { buildHere } from '../../../src/worker/ort-build';
import type { RuntimeBuild } from '../../../src/protocol/record';
import { describeAdapter } from '../../../src/protocol/adapter';

export interface Bench {
  /** The WebGPU adapter in words; null where there is none. */
  adapter(): Promise<string | null>;
  /** The build of ONNX Runtime that the product loads in this browser. */
  build(): RuntimeBuild;
  /** Loads the data of a description in `../data/`, then solves all its pairs; only the solving is timed. */
  redundancy(description: string): Promise<Solved>;
  /** Decodes once; a side keeps its worker until `endWorkers`. */
  decode(side: Side, task: DecodeTask): Promise<DecodeResult>;
  endWorkers(): void;
  /** Runs a recipe of one pass in a measuring worker of its own, without the checks. */
  runInLab(recipe: BenchRecipe, build?: RuntimeBuild): Promise<LabRun>;
  /** Milliseconds of one prefill by the product's code; the first of each size compiles shaders. */
  prefillMs(task: PrefillTask): Promise<number>;
}

declare global {
  interface Window {
    bench: Bench;
  }
}

let prefillWorker: Worker | null = null;

window.bench = {
  prefillMs(task) {
    prefillWorker ??= new Worker(new URL('./prefill.worker.ts', import.meta.url), { type: 'module' });
    return ask<number>(prefillWorker, task);
  },
  decode,
  endWorkers,
  async adapter() {
    const gpu = (navigator as { gpu?: GPU }).gpu;
    const adapter = await gpu?.requestAdapter();
    if (!adapter) return null;
    const { vendor, architecture, device, description, fallback } = describeAdapter(adapter);
    const words = [vendor, architecture, device, description].filter((word) => word !== '');
    return `${words.join(' ')}${fallback ? ' (software)' : ''}`;
  },
  build: buildHere,
  redundancy(description) {
    // Nested as in the product: the page's worker holds the data and starts the solvers.
    const worker = new Worker(new URL('./redundancy.worker.ts', import.meta.url), { type: 'module' });
    const url = new URL(`../data/${description}`, location.href).href;
    return ask<Solved>(worker, url).finally(() => {
      worker.terminate();
    });
  },
  async runInLab(recipe, build = buildHere()) {
    const worker = startLabWorker(build);
    try {
      return await runInLab(worker, recipe);
    } finally {
      worker.terminate();
    }
  },
};
