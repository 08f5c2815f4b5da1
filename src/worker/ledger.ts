/**
 * The ledger: counts bytes of things that exist. It knows tensors and buffers, and nothing of geometry or formulas.
 * Device totals come from webgpu-memory, which must be imported before the first device is opened; importing this file does.
 */
import { getWebGPUMemoryUsage, resetMaxTotal } from 'webgpu-memory';

/** What the ledger reads of a live cache tensor. */
export interface LedgerTensor {
  /** Element type by ONNX Runtime's name, for instance `float32`. */
  type: string;
  dims: readonly number[];
  /** Where the data is: `gpu-buffer`, `cpu`, … */
  location: string;
  /** The buffer behind it; null unless the location is `gpu-buffer`. */
  gpuBuffer: { readonly size: number } | null;
  /** Its data in memory; null when the GPU holds it. */
  cpuData: ArrayBufferView | null;
}

/** Bytes of one element by ONNX Runtime's tensor type names (onnxruntime-common, tensor.d.ts). */
const ITEM_SIZES: Record<string, number> = {
  float32: 4,
  float16: 2,
  int8: 1,
  uint8: 1,
  bool: 1,
  int16: 2,
  uint16: 2,
  int32: 4,
  uint32: 4,
  int64: 8,
  uint64: 8,
  float64: 8,
};

/**
 * Bytes of one element of a tensor type.
 * @throws Error naming the type when it is not known.
 */
export function itemSize(type: string): number {
  const size = ITEM_SIZES[type];
  if (size === undefined) throw new Error(`the item size of tensor type ${type} is unknown`);
  return size;
}

/** Bytes of one token of one head's keys or values: the last dim. @throws as {@link itemSize}. */
export function rowBytesOf({ type, dims }: { type: string; dims: readonly number[] }): number {
  return (dims.at(-1) ?? 0) * itemSize(type);
}

/**
 * Tensor bytes: sum over the tensors of dims x itemsize.
 * @throws Error naming a type whose item size is not known.
 */
export function tensorBytes(tensors: Iterable<Pick<LedgerTensor, 'type' | 'dims'>>): number {
  let sum = 0;
  for (const { type, dims } of tensors) sum += dims.reduce((product, dim) => product * dim, itemSize(type));
  return sum;
}

/** Resident bytes: sum of the sizes of the GPU buffers behind the tensors; null (not measured) when one has none. */
export function residentBytes(tensors: Iterable<LedgerTensor>): number | null {
  let sum = 0;
  // Tensors may be views of one buffer; a buffer is there once.
  const seen = new Set<object>();
  for (const { gpuBuffer } of tensors) {
    if (gpuBuffer === null) return null;
    if (seen.has(gpuBuffer)) continue;
    seen.add(gpuBuffer);
    sum += gpuBuffer.size;
  }
  return sum;
}

/** How many tensors are where, for instance `{ "gpu-buffer": 48 }`. */
export function locations(tensors: Iterable<LedgerTensor>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { location } of tensors) counts[location] = (counts[location] ?? 0) + 1;
  return counts;
}

/** Device bytes: all live GPU buffers (and textures, of which there are none) of this worker. */
export function deviceBytes(): number {
  return getWebGPUMemoryUsage().memory.total;
}

/** Highest device bytes since the last {@link resetPeak}. */
export function peakDeviceBytes(): number {
  return getWebGPUMemoryUsage().memory.maxTotal;
}

export function resetPeak(): void {
  resetMaxTotal();
}
