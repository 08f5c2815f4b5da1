/** The product's measuring worker, driven as the page drives it: recipe, opened twins, plan, worker. */
import type { TimedReport } from './counted.worker';
import { planRun } from '../../../src/experiments/plan';
import { labModels } from '../../../src/lab/models';
import { openTwins } from '../../../src/lab/open-twins';
import type { Command, MeasuredCell, MeasuredStep } from '../../../src/protocol/messages';
import type { RuntimeBuild } from '../../../src/protocol/record';
import { defaultRecipe, type Experiment, type Recipe } from '../../../src/protocol/recipe';

/** What differs from the experiment's fresh recipe. */
export type BenchRecipe = Partial<Recipe> & { experiment: Experiment };

export interface LabRun {
  cells: MeasuredCell[];
  steps: MeasuredStep[];
  /** Milliseconds by the page's clock from the command to the first cell; null without one. */
  firstCellMs: number | null;
  /** When the report of each step was posted: milliseconds by the worker's clock. */
  stepsAt: number[];
  /** All tokens that the first sequence was fed, in order. */
  fed: number[];
}

/** @param build The build of ONNX Runtime, which must be one that the browser can run. */
export function startLabWorker(build: RuntimeBuild): Worker {
  return new Worker(new URL('./counted.worker.ts', import.meta.url), { type: 'module', name: build });
}

let lastRunId = 0;

/**
 * Runs a recipe of one pass. It is planned as a repeat, since the first time the product also makes its checks.
 * @throws Error where the plan is not one pass, or the pass fails.
 */
export function runInLab(worker: Worker, own: BenchRecipe): Promise<LabRun> {
  const recipe = { ...defaultRecipe(own.experiment), ...own, repeats: 2 };
  const opened = openTwins(recipe, Infinity);
  const { passes } = planRun({ ...recipe, model: opened.model }, labModels(opened));
  const again = passes.filter(({ repeat }) => repeat > 0);
  if (again.length !== 1) throw new Error(`the recipe has ${again.length} passes and not one`);
  const runId = ++lastRunId;
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const run: LabRun = { firstCellMs: null, cells: [], steps: [], stepsAt: [], fed: [] };
    const hear = ({ data }: MessageEvent<TimedReport>): void => {
      if (data.runId !== runId) return;
      if (data.type === 'cell') {
        run.firstCellMs ??= performance.now() - startedAt;
        run.cells.push(data.cell);
      }
      if (data.type === 'step') {
        run.steps.push(data.step);
        run.stepsAt.push(data.postedAt);
      }
      if (data.type === 'pass-done') run.fed = data.fed ?? [];
      if (data.type !== 'done' && data.type !== 'pass-failed') return;
      worker.removeEventListener('message', hear);
      if (data.type === 'done') resolve(run);
      else reject(new Error(data.fault.detail ?? data.fault.code));
    };
    worker.addEventListener('message', hear);
    const command: Command = { type: 'run', runId, passes: again, sources: opened.sources, documents: [] };
    worker.postMessage(command);
  });
}
