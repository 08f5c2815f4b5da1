/** Loads synthetic keys and values as the measuring worker would hold them, and hands them to the product's solvers. */
import { answer } from './ask-worker';
import { jobsAtOnce } from '../../../src/experiments/plan-redundancy';
import { defaultRedundancy, KINDS, type RedundancyState } from '../../../src/protocol/redundancy';
import type { PairResult } from '../../../src/redundancy/types';
import { pairOrder, redundancyJobs, type ReadTensor } from '../../../src/worker/redundancy-jobs';
import { solveJobs } from '../../../src/worker/solver-pool';
import type { DataDescription } from '../synthetic';

export interface Solved {
  /** From the jobs to their last result: start of the solver workers and of their ONNX Runtime included. */
  seconds: number;
  pairs: PairResult[];
  /** What the product would have said to the person, such as that no solver worker could be started. */
  notes: string[];
}

answer(run);

async function run(url: string): Promise<Solved> {
  const description = (await fetchFile(url).then((file) => file.json())) as DataDescription;
  const tensors = await load(description, new URL(description.values, url).href);
  const state: RedundancyState = {
    ...defaultRedundancy(),
    documents: Array.from({ length: description.documents }, (_, document) => `own:${document}`),
    keep: description.tokens,
  };
  const jobs = redundancyJobs(tensors, state, description.seed);
  const most = jobsAtOnce(description.channels, state);
  const found: PairResult[] = [];
  const notes: string[] = [];
  const startedAt = performance.now();
  for await (const event of solveJobs(jobs, { signal: new AbortController().signal, most })) {
    if (event.type === 'pairs') found.push(...event.pairs);
    if (event.type === 'note') notes.push(event.note);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  return { seconds, pairs: found.sort(pairOrder), notes };
}

async function fetchFile(url: string): Promise<Response> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response;
}

/** One tensor a kind and layer, over shared memory, filled as the file comes in: the file is never held as a whole. */
async function load(
  { layers, channels, documents, tokens }: DataDescription,
  url: string,
): Promise<ReadTensor[]> {
  const documentBytes = tokens * channels * Float32Array.BYTES_PER_ELEMENT;
  const tensors = KINDS.flatMap((kind) =>
    Array.from({ length: layers }, (_, layer) => ({
      layer,
      kind,
      name: `${kind}.${layer}`,
      channels,
      documents: Array.from(
        { length: documents },
        () => new Float32Array(new SharedArrayBuffer(documentBytes)),
      ),
    })),
  );
  const targets = tensors.flatMap((tensor) => tensor.documents.map(({ buffer }) => new Uint8Array(buffer)));
  const { body } = await fetchFile(url);
  if (body === null) throw new Error(`${url} is empty`);
  const reader = body.getReader();
  let at = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    for (let left = part.value; left.length > 0;) {
      const inside = at % documentBytes;
      const target = targets[Math.floor(at / documentBytes)];
      if (target === undefined) throw new Error(`${url} is longer than its description says`);
      const taken = left.subarray(0, documentBytes - inside);
      target.set(taken, inside);
      at += taken.length;
      left = left.subarray(taken.length);
    }
  }
  if (at !== targets.length * documentBytes) throw new Error(`${url} is shorter than its description says`);
  return tensors;
}
