/** What the cache's tensors need of GPU buffers: how large one tensor may get, and what an allocator rounds it to. */
import { underGraphRule } from './engines/graph';
import type { Geometry, LayerCache } from './geometry';

/** One tensor of the cache, as exports to ONNX keep it: keys and values of each layer apart. */
interface CacheTensor {
  /** Its input name in a transformers.js graph, for instance `past_key_values.0.key`; null for states, which do not grow. */
  name: string | null;
  /** Elements that one token of one sequence adds, or that many tokens together. */
  elementsPerToken: number;
  tokensPerEntry: number;
  /** Elements of one sequence that are there whatever its length. */
  fixedElements: number;
}

/** WebGPU's two limits on one buffer, in bytes. */
export interface BufferLimits {
  maxBufferSize: number;
  maxStorageBufferBindingSize: number;
}

export interface TensorCeiling {
  /** The most tokens per sequence that the largest cache tensor can hold. */
  tokens: number;
  /** That tensor's name, and the bytes that one more token per sequence adds to it. */
  tensor: string;
  bytesPerToken: number;
  limit: keyof BufferLimits;
  /** That limit, bytes. */
  allowed: number;
}

/**
 * Bucket sizes of ONNX Runtime's WebGPU buffer manager in mode `bucket`, bytes
 * (onnxruntime, core/providers/webgpu/buffer_manager.cc, BUCKET_DEFAULT_LIMIT_TABLE).
 */
const BUCKETS = [
  64, 128, 256, 512, 2048, 4096, 8192, 16384, 32768, 65536, 131072, 262144, 524288, 1048576, 2097152, 4194304,
  8388608, 12582912, 16777216, 26214400, 33554432, 44236800, 58982400, 67108864, 134217728, 167772160,
];
/** Above the table, and in the other modes, sizes are rounded up to this (`NormalizeBufferSize`). */
const ALIGNMENT = 16;

/**
 * The tensors of a graph's cache that hold something: keys and values, an encoder's keys and values, convolutions and states,
 * all as `underGraphRule` has them.
 */
function cacheTensors(geometry: Geometry): CacheTensor[] {
  const decoder = geometry.caches.some(({ kind }) => kind === 'cross') ? '.decoder' : '';
  return underGraphRule(geometry)
    .caches.flatMap((cache) => tensorsOf(cache, decoder))
    .filter(({ elementsPerToken, fixedElements }) => elementsPerToken + fixedElements > 0);
}

function tensorsOf(cache: LayerCache, decoder: string): CacheTensor[] {
  const { layer, kind, kvHeads, keyDim, valueDim, fixedElements, tokensPerEntry = 1 } = cache;
  if (kind === 'conv' || kind === 'recurrent')
    return [{ name: null, elementsPerToken: 0, tokensPerEntry, fixedElements }];
  const part = (name: 'key' | 'value', dim: number): CacheTensor => ({
    name: `past_key_values.${layer}${kind === 'cross' ? '.encoder' : decoder}.${name}`,
    elementsPerToken: cache.elementsPerToken === 0 ? 0 : kvHeads * dim,
    tokensPerEntry,
    fixedElements: dim === 0 ? 0 : (fixedElements * dim) / (keyDim + valueDim),
  });
  return [part('key', keyDim), part('value', valueDim)];
}

/**
 * The context at which the largest cache tensor reaches a limit of the device, whatever memory there is in all; infinite
 * tokens, with the name empty, where no tensor grows (a model of states alone).
 */
export function tensorCeiling(
  geometry: Geometry,
  { batch, elementBytes }: { batch: number; elementBytes: number },
  limits: BufferLimits,
): TensorCeiling {
  const growth = ({ elementsPerToken, tokensPerEntry }: CacheTensor): number =>
    elementsPerToken / tokensPerEntry;
  const largest = cacheTensors(geometry).reduce<CacheTensor | null>(
    (a, b) => (growth(b) > (a === null ? 0 : growth(a)) ? b : a),
    null,
  );
  const limit =
    limits.maxStorageBufferBindingSize <= limits.maxBufferSize
      ? 'maxStorageBufferBindingSize'
      : 'maxBufferSize';
  const allowed = limits[limit];
  const bytesPerToken = largest === null ? 0 : growth(largest) * elementBytes * batch;
  const tokens = bytesPerToken === 0 ? Infinity : Math.floor(allowed / bytesPerToken);
  return { tokens, tensor: largest?.name ?? '', bytesPerToken, limit, allowed };
}

/** Size of the buffer that ONNX Runtime makes for a tensor of `bytes`, in mode `bucket` or any other. Bytes. */
export function bufferSize(bytes: number, bucketMode: boolean): number {
  const bucket = bucketMode ? BUCKETS.find((size) => size >= bytes) : undefined;
  return bucket ?? Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

/**
 * Resident bytes to be expected: the sum over the cache tensors of their buffers' sizes. A prediction from the table
 * above, shown beside the formula; it never stands for a measurement.
 */
export function expectedResidentBytes(
  geometry: Geometry,
  { batch, tokens, elementBytes }: { batch: number; tokens: number; elementBytes: number },
  bucketMode: boolean,
): number {
  return cacheTensors(geometry).reduce((sum, { elementsPerToken, tokensPerEntry, fixedElements }) => {
    const elements = elementsPerToken * Math.floor(tokens / tokensPerEntry) + fixedElements;
    return sum + (elements === 0 ? 0 : bufferSize(elements * elementBytes * batch, bucketMode));
  }, 0);
}
