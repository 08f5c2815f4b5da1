/** What the cache's tensors need of GPU buffers: how large one tensor may get, and what an allocator rounds it to. */
import type { Geometry } from './geometry';

/** One tensor of the cache, as exports to ONNX keep it: keys and values of each layer apart. */
export interface CacheTensor {
  /** Its input name in a transformers.js graph, for instance `past_key_values.0.key`. */
  name: string;
  /** Elements that one token of one sequence adds. */
  elementsPerToken: number;
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

/** Keys and values of every layer that keeps them. */
export function cacheTensors(geometry: Geometry): CacheTensor[] {
  return geometry.caches.flatMap(({ layer, kvHeads, keyDim, valueDim }) => [
    { name: `past_key_values.${layer}.key`, elementsPerToken: kvHeads * keyDim },
    { name: `past_key_values.${layer}.value`, elementsPerToken: kvHeads * valueDim },
  ]);
}

/** The context at which the largest cache tensor reaches a limit of the device, whatever memory there is in all. */
export function tensorCeiling(
  geometry: Geometry,
  { batch, elementBytes }: { batch: number; elementBytes: number },
  limits: BufferLimits,
): TensorCeiling {
  const [first, ...others] = cacheTensors(geometry);
  if (!first) throw new RangeError('a geometry has at least one layer cache');
  const largest = others.reduce((a, b) => (b.elementsPerToken > a.elementsPerToken ? b : a), first);
  const limit =
    limits.maxStorageBufferBindingSize <= limits.maxBufferSize
      ? 'maxStorageBufferBindingSize'
      : 'maxBufferSize';
  const allowed = limits[limit];
  const bytesPerToken = largest.elementsPerToken * elementBytes * batch;
  return { tokens: Math.floor(allowed / bytesPerToken), tensor: largest.name, bytesPerToken, limit, allowed };
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
  return cacheTensors(geometry).reduce(
    (sum, { elementsPerToken }) =>
      sum + bufferSize(elementsPerToken * elementBytes * batch * tokens, bucketMode),
    0,
  );
}
