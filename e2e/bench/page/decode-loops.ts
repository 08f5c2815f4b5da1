/** Our decode loop with the ledger on, and the bare one, each in a worker of its own, in turns on the same model. */
import type { DecodeTask, FromBare } from './bare.worker';
import type { TimedReport } from './counted.worker';
import type { Models } from '../../../src/experiments/models';
import { planRun } from '../../../src/experiments/plan';
import { findModel } from '../../../src/model/catalog';
import type { Command } from '../../../src/protocol/messages';
import { defaultRecipe } from '../../../src/protocol/recipe';

export interface DecodeTurns {
  /** Milliseconds a step, one a turn; the first turn of each, which compiles shaders, is left out. */
  ours: number[];
  bare: number[];
}

const FLOAT32_BYTES = 4;
/** The catalogue alone: nothing is opened from outside here. */
const MODELS: Models = {
  geometryOf(id) {
    const spec = findModel(id);
    if (spec === null) throw new Error(`the catalogue has no ${id}`);
    return spec.geometry;
  },
  itemSizeOf: () => FLOAT32_BYTES,
  variantFault: () => null,
  counterfactualOf: () => null,
  promptTokensOf: () => 0,
};

export async function decodeInTurns(task: DecodeTask, turns: number): Promise<DecodeTurns> {
  const lab = new Worker(new URL('./counted.worker.ts', import.meta.url), { type: 'module' });
  const bare = new Worker(new URL('./bare.worker.ts', import.meta.url), { type: 'module' });
  try {
    const found: DecodeTurns = { ours: [], bare: [] };
    for (let turn = 0; turn <= turns; turn++) {
      const loops = [
        { times: found.ours, run: () => ourTurn(lab, task, turn) },
        { times: found.bare, run: () => bareTurn(bare, task) },
      ];
      // Each goes first in every other turn, so that a machine that grows busier or quieter favours neither.
      for (const { times, run } of turn % 2 === 0 ? loops : loops.reverse()) {
        const ms = await run();
        if (turn > 0) times.push(ms);
      }
    }
    return found;
  } finally {
    lab.terminate();
    bare.terminate();
  }
}

/** A growth as a person runs it; timed by when its worker reports the steps, from the first to the last. */
function ourTurn(lab: Worker, task: DecodeTask, runId: number): Promise<number> {
  const { model, device, promptTokens, steps, seed } = task;
  const recipe = { ...defaultRecipe('growth'), model: [model], prompt: '', tokens: [promptTokens] };
  const { passes } = planRun({ ...recipe, device, steps, seed }, MODELS);
  return new Promise((resolve, reject) => {
    const reportedAt: number[] = [];
    const hear = ({ data }: MessageEvent<TimedReport>): void => {
      if (data.runId !== runId) return;
      if (data.type === 'step') reportedAt.push(data.postedAt);
      if (data.type === 'pass-failed') reject(new Error(data.fault.detail ?? data.fault.code));
      if (data.type !== 'done') return;
      lab.removeEventListener('message', hear);
      const [first = NaN] = reportedAt;
      const last = reportedAt.at(-1) ?? NaN;
      if (reportedAt.length === steps) resolve((last - first) / (steps - 1));
      else reject(new Error(`${reportedAt.length} of ${steps} steps were reported`));
    };
    lab.addEventListener('message', hear);
    lab.postMessage({ type: 'run', runId, passes, sources: [], documents: [] } satisfies Command);
  });
}

function bareTurn(bare: Worker, task: DecodeTask): Promise<number> {
  return new Promise((resolve, reject) => {
    bare.addEventListener(
      'message',
      ({ data }: MessageEvent<FromBare>) => {
        if ('error' in data) reject(new Error(data.error));
        else resolve(data.msPerStep);
      },
      { once: true },
    );
    bare.postMessage(task);
  });
}
