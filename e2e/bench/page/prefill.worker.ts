/** Times the product's own prefill again and again on a model that stays, so that its shaders are compiled only once. */
import './forced-build';
import { answer } from './ask-worker';
import { deviceBytes } from '../../../src/worker/ledger';
import { cacheOfPass } from '../../../src/worker/caches';
import { watchGpu } from '../../../src/worker/gpu-watch';
import { prefill } from '../../../src/worker/prefill';
import { runtime } from '../../../src/worker/runtime';
import type { LoadedModel } from '../../../src/worker/runtime-types';
import { subjectOf, type Subject } from '../../../src/worker/subject';
import { planRun } from '../../../src/experiments/plan';
import { labModels } from '../../../src/lab/models';
import { seededTokens } from '../../../src/model/weights';
import type { Pass } from '../../../src/protocol/messages';
import { defaultRecipe } from '../../../src/protocol/recipe';

export interface PrefillTask {
  /** Of the catalogue; the same for all tasks of a worker, as are `most` and `seed`. */
  model: string;
  tokens: number;
  batch: number;
  /** Tokens of the longest prefill that will be asked for. */
  most: number;
  seed: number;
}

const gpu = watchGpu(deviceBytes);
let loaded: Promise<{ pass: Pass; subject: Subject; model: LoadedModel }> | null = null;

answer(async (task: PrefillTask): Promise<number> => {
  const { pass: planned, ...rest } = await (loaded ??= load(task));
  const pass = { ...planned, batch: task.batch };
  const context = { ...rest, pass, gpu, signal: new AbortController().signal };
  const rows = Array.from({ length: task.batch }, (_, row) =>
    seededTokens(task.seed + row, task.tokens, rest.subject.vocabSize),
  );
  const startedAt = performance.now();
  const cache = cacheOfPass(context, task.tokens);
  try {
    let done = 0;
    for await (const { tokens } of prefill(context, cache, rows, 0, task.tokens)) done = tokens;
    if (done !== task.tokens) throw new Error(`${done} of ${task.tokens} tokens were fed`);
    return performance.now() - startedAt;
  } finally {
    await cache.dispose();
  }
});

async function load({ model: id, most, seed }: PrefillTask) {
  const recipe = { ...defaultRecipe('length'), model: [id], tokens: [most], seed };
  const [pass] = planRun(recipe, labModels({ sources: [], refused: [] })).passes;
  if (pass === undefined) throw new Error(`${id} has no pass`);
  const subject = subjectOf(pass, []);
  const { device, allocator } = pass;
  const model = await runtime.load({ files: subject.files, device, dtype: 'fp32', allocator });
  return { pass, subject, model };
}
