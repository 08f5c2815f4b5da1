/** Keys and values of a live cache as the numerics want them: float32, a row a token, the heads beside each other. */
import { getFloat16 } from '@petamoriken/float16';
import { readTensor } from './read-tensor';
import type { PassContext } from './run-experiment';
import type { KvCache } from './runtime-types';
import { fullCaches } from '../experiments/full-layers';
import { attentionNumbers, keyValueNames } from '../model/cache-parts';
import { LabError } from '../protocol/faults';
import { documentTitle } from '../protocol/redundancy-options';
import { firstNonFinite } from '../redundancy/finite';
import type { Kind } from '../redundancy/types';

/** One of a full layer's tensors. */
export interface FullTensor {
  /** The layer's true number. */
  layer: number;
  kind: Kind;
  /** Of its cache input. */
  name: string;
}

/** Keys or values of some tokens. */
export interface Rows {
  channels: number;
  /** [tokens][channels]. */
  values: Float32Array;
}

/**
 * The cache inputs of the layers that are read, in the order of their layers, keys first: those with a full KV cache that the
 * loaded graph has. A latent that is kept compressed has keys alone.
 * @throws LabError redundancy-few-layers.
 */
export function fullTensors({ pass, subject, model }: PassContext): FullTensor[] {
  const full = new Set(fullCaches(subject.geometry));
  const inputs = new Set(model.graphCache.map(({ name }) => name));
  const tensors = [...attentionNumbers(subject.geometry)]
    .filter(([cache]) => full.has(cache))
    .flatMap(([, layer]): FullTensor[] => [
      { layer, kind: 'K', name: keyValueNames(layer, 'key').past },
      { layer, kind: 'V', name: keyValueNames(layer, 'value').past },
    ])
    .filter(({ name }) => inputs.has(name));
  const layers = layersOf(tensors).length;
  if (layers < 2) throw new LabError('redundancy-few-layers', { model: pass.model, layers });
  return tensors;
}

/** The numbers of the layers that some tensors belong to, each once. */
export function layersOf(tensors: readonly FullTensor[]): number[] {
  return [...new Set(tensors.map(({ layer }) => layer))];
}

/**
 * Reads one tensor, which stays where it is.
 * @param from Tokens that are left out at the start.
 * @param document Its name, for the fault.
 * @throws LabError cache-not-finite: a NaN is never handed on as a number.
 */
export async function readRows(
  context: Pick<PassContext, 'gpu'>,
  cache: KvCache,
  { layer, kind, name }: FullTensor,
  from: number,
  document: string,
): Promise<Rows> {
  const tensor = cache.tensors().get(name);
  if (tensor === undefined) throw new Error(`the cache has no tensor ${name}`);
  const rows = toRows(await readTensor(context, name, tensor), tensor, from);
  const wrong = firstNonFinite(rows.values);
  if (wrong !== null) {
    const token = from + Math.floor(wrong.index / rows.channels);
    throw new LabError('cache-not-finite', { layer, kind, name: documentTitle(document), token });
  }
  return rows;
}

/**
 * From [1, heads, tokens, head dim] to [tokens - from][heads x head dim], float32.
 * @throws LabError cache-type-unknown for elements that are neither float32 nor float16.
 */
export function toRows(
  bytes: Uint8Array,
  { type, dims }: { type: string; dims: readonly number[] },
  from: number,
): Rows {
  const [, heads = 0, tokens = 0, headDim = 0] = dims;
  const channels = heads * headDim;
  const values = sharedFloats(Math.max(0, tokens - from) * channels);
  const elements = floatsOf(bytes, type);
  for (let head = 0; head < heads; head++) {
    for (let token = from; token < tokens; token++) {
      const at = (head * tokens + token) * headDim;
      values.set(elements.subarray(at, at + headDim), (token - from) * channels + head * headDim);
    }
  }
  return { channels, values };
}

/** Memory that solver workers can read without a copy, where the page is isolated. */
function sharedFloats(length: number): Float32Array {
  return globalThis.crossOriginIsolated
    ? new Float32Array(new SharedArrayBuffer(length * Float32Array.BYTES_PER_ELEMENT))
    : new Float32Array(length);
}

function floatsOf(bytes: Uint8Array, type: string): Float32Array {
  const { buffer, byteOffset, byteLength } = bytes;
  if (type === 'float32') return new Float32Array(buffer, byteOffset, byteLength / 4);
  if (type !== 'float16') throw new LabError('cache-type-unknown', { type });
  const table = halfTable();
  const halves = new Uint16Array(buffer, byteOffset, byteLength / 2);
  const floats = new Float32Array(halves.length);
  for (let i = 0; i < halves.length; i++) floats[i] = table[halves[i] as number] as number;
  return floats;
}

let table: Float32Array | null = null;

/** The value of each of the 65,536 float16 numbers, by its bits. */
function halfTable(): Float32Array {
  if (table !== null) return table;
  table = new Float32Array(2 ** 16);
  const view = new DataView(new ArrayBuffer(2));
  for (let bits = 0; bits < table.length; bits++) {
    view.setUint16(0, bits);
    table[bits] = getFloat16(view, 0);
  }
  return table;
}
