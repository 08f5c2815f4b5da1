/** Decode loops on the same model and prompt, ours and others', each in a worker of its own that stays for all its turns. */
import { ask } from './ask-worker';
import { runInLab, startLabWorker } from './lab-runs';
import type { RuntimeBuild } from '../../../src/protocol/record';
import type { Device, Policy } from '../../../src/protocol/recipe';

export interface DecodeTask {
  /** An id of the catalogue, or of a twin's first layers. */
  model: string;
  device: Device;
  promptTokens: number;
  /** Decode steps: one token after the one that the prompt gave. */
  steps: number;
  seed: number;
}

/** Who decodes: the product's measuring worker, transformers.js' forward pass in a loop, or its `generate()`. */
export type Side =
  { by: 'lab'; policy: Policy; build: RuntimeBuild } | { by: 'forward' | 'generate'; build: RuntimeBuild };

export type BareTask = DecodeTask & { by: 'forward' | 'generate' };

/** What transformers.js' loops give. */
export interface Loop {
  /** The token that the prompt gave, and that of every step. */
  tokens: number[];
  /** When each was known: milliseconds by the worker's clock. */
  tokensAt: number[];
}

export interface DecodeResult {
  /** Milliseconds a step, of all steps but the first, with all that the loop does between them. */
  msPerStep: number;
  /** Of the product, the same of its own times, which are those of the forward pass alone; else null. */
  forwardMs: number | null;
  /** The tokens that were fed after the prompt, one a step. */
  tokens: number[];
}

const workers = new Map<string, Worker>();

/** Decodes once. */
export async function decode(side: Side, task: DecodeTask): Promise<DecodeResult> {
  const name = JSON.stringify(side);
  const worker =
    workers.get(name) ??
    (side.by === 'lab'
      ? startLabWorker(side.build)
      : new Worker(new URL('./bare.worker.ts', import.meta.url), { type: 'module', name: side.build }));
  workers.set(name, worker);
  return side.by === 'lab'
    ? decodeInLab(worker, side.policy, task)
    : decodeBare(worker, { ...task, by: side.by });
}

/** Ends all workers. */
export function endWorkers(): void {
  for (const worker of workers.values()) worker.terminate();
  workers.clear();
}

async function decodeBare(worker: Worker, task: BareTask): Promise<DecodeResult> {
  const { tokens, tokensAt } = await ask<Loop>(worker, task);
  // The token of the prompt stands before the first step's.
  return {
    msPerStep: perStep(tokensAt.slice(1), task.steps),
    tokens: tokens.slice(0, task.steps),
    forwardMs: null,
  };
}

/** A growth as a person runs it; timed by when its worker reports the steps. */
async function decodeInLab(worker: Worker, policy: Policy, task: DecodeTask): Promise<DecodeResult> {
  const { model, device, promptTokens, steps, seed } = task;
  const {
    steps: measured,
    stepsAt,
    fed,
  } = await runInLab(worker, {
    experiment: 'growth',
    model: [model],
    prompt: '',
    tokens: [promptTokens],
    ...{ device, steps, seed, policy },
  });
  const later = measured.slice(1);
  const forwardMs = later.reduce((sum, { ms }) => sum + ms, 0) / later.length;
  return { msPerStep: perStep(stepsAt, steps), forwardMs, tokens: fed.slice(promptTokens) };
}

function perStep(times: readonly number[], steps: number): number {
  const [first = NaN] = times;
  if (times.length !== steps) throw new Error(`${times.length} of ${steps} steps were reported`);
  return ((times.at(-1) ?? NaN) - first) / (steps - 1);
}
