/**
 * Check `backends-agree`: a GPU backend can be silently wrong (transformers.js issue 1728, onnxruntime issues 26732 and 26367),
 * so a short prompt is run on the WASM backend too, and keys and values of every full layer are compared.
 */
import { forward } from './prefill';
import { readRows, type FullTensor } from './read-cache';
import type { TokenisedDocument } from './redundancy-documents';
import type { PassContext } from './run-experiment';
import type { LoadedModel } from './runtime-types';
import type { ModelFiles } from '../model/twin';
import { makeCheck, say } from '../protocol/checks';
import { LabError } from '../protocol/faults';
import type { Report } from '../protocol/messages';

/** Tokens of the first document that are compared. */
const PROMPT_TOKENS = 64;
/** Largest model files that are loaded a second time, bytes. */
const LARGEST_TWICE_BYTES = 512 * 1024 * 1024;
/** Smallest accepted cosine of one tensor on both backends: float16 and quantised kernels round apart; a wrong kernel gives about 0. */
const SMALLEST_COSINE = 0.99;

/** Only for passes on a GPU. What cannot be compared is said in a note. */
export async function* checkBackends(
  context: PassContext,
  tensors: readonly FullTensor[],
  [document]: readonly TokenisedDocument[],
): AsyncGenerator<Report> {
  const { pass, subject, signal } = context;
  if (pass.device !== 'webgpu' || document === undefined || signal.aborted) return;
  const bytes = filesBytes(subject.files);
  if (bytes > LARGEST_TWICE_BYTES) {
    const note = `The GPU’s keys and values were not compared with the WASM backend’s: the model’s files, ${bytes} bytes, are too large to load twice.`;
    yield { type: 'note', passId: pass.id, note };
    return;
  }
  const ids = document.ids.slice(0, PROMPT_TOKENS);
  const total = 2;
  yield context.phase('check', 0, total);
  const here = await keysAndValues(context, context.model, tensors, ids, document.name);
  yield context.phase('check', 1, total);
  let there: Float32Array[];
  try {
    there = await onWasm(context, tensors, ids, document.name);
  } catch (error) {
    const why = (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
    const note = `The GPU’s keys and values were not compared with the WASM backend’s, which could not run the model: ${why}`;
    yield { type: 'note', passId: pass.id, note };
    return;
  }
  yield context.phase('check', total, total);
  const cosines = tensors.map((tensor, index) => ({
    ...tensor,
    cosine: cosine(here[index] ?? new Float32Array(), there[index] ?? new Float32Array()),
  }));
  const worst = cosines.reduce((a, b) => (b.cosine < a.cosine ? b : a));
  const fine = worst.cosine >= SMALLEST_COSINE;
  const size = { tokens: ids.length, tensors: tensors.length };
  const { kind, layer } = worst;
  const check = makeCheck('backends-agree', pass.model, fine, {
    expected: say('backends-expected', { cosine: SMALLEST_COSINE }),
    measured: say('backends-found', { cosine: worst.cosine.toFixed(6), kind, layer }),
    detail: say(fine ? 'backends-how' : 'backends-wrong', size),
  });
  yield { type: 'check', passId: pass.id, check };
}

/** Loads the model a second time, on the WASM backend, and releases it again. */
async function onWasm(
  context: PassContext,
  tensors: readonly FullTensor[],
  ids: number[],
  document: string,
): Promise<Float32Array[]> {
  const { pass, subject } = context;
  const { dtype, allocator } = pass;
  if (dtype === 'bf16') throw new LabError('bf16-unsupported');
  const runtime = await context.loadRuntime();
  const model = await runtime.load({ files: subject.files, device: 'wasm', dtype, allocator });
  try {
    return await keysAndValues(context, model, tensors, ids, document);
  } finally {
    await model.release();
  }
}

async function keysAndValues(
  context: PassContext,
  model: LoadedModel,
  tensors: readonly FullTensor[],
  ids: number[],
  document: string,
): Promise<Float32Array[]> {
  const cache = model.emptyCache();
  try {
    await forward({ ...context, model }, cache, [ids], 0);
    const all: Float32Array[] = [];
    for (const tensor of tensors) all.push((await readRows(context, cache, tensor, 0, document)).values);
    return all;
  } finally {
    await cache.dispose();
  }
}

/** 1 for the same direction, 0 for none in common, also where one of them is all zeros and the other is not. */
export function cosine(a: Float32Array, b: Float32Array): number {
  let [ab, aa, bb] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i] as number, b[i] as number];
    ab += x * y;
    aa += x * x;
    bb += y * y;
  }
  if (aa === 0 && bb === 0) return 1;
  return aa === 0 || bb === 0 ? 0 : ab / Math.sqrt(aa * bb);
}

function filesBytes(files: ModelFiles): number {
  let sum = 0;
  for (const content of files.values()) sum += content instanceof Blob ? content.size : content.length;
  return sum;
}
