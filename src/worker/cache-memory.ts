/** Where a cache lives whose memory we make: buffers of the GPU, or arrays. The tensors around them are the runtime's to make. */
import type { RuntimeTensor } from './dynamic-cache';
import { rowBytesOf, tensorBytes } from './ledger';

/** One copy command: `rows` rows (one token of one head each) that lie together, counted from the first row of each tensor. */
export interface RowCopy<T> {
  source: T;
  from: number;
  target: T;
  to: number;
  rows: number;
}

/** Makes the tensors of a cache and copies between them, on the GPU or in memory. */
export interface CacheMemory<T extends RuntimeTensor> {
  /** A tensor full of zeros. */
  allocate(type: string, dims: readonly number[]): T;
  /** Does the copies in their order. @returns Their bytes. */
  copyRows(copies: Iterable<RowCopy<T>>): number;
  free(tensor: T): void;
  /** Whether the graph writes to the tensors it was given (GPU), or gives new ones (memory of WASM, which it copies). */
  inPlace: boolean;
}

/**
 * Buffers on ONNX Runtime's own device.
 * @param wrap Makes the tensor around a buffer; it owns nothing.
 */
export function gpuMemory<T extends RuntimeTensor>(
  device: GPUDevice,
  wrap: (buffer: GPUBuffer, type: string, dims: readonly number[]) => T,
): CacheMemory<T> {
  const buffers = new WeakMap<T, GPUBuffer>();
  return {
    inPlace: true,
    allocate(type, dims) {
      const buffer = device.createBuffer({
        size: Math.ceil(tensorBytes([{ type, dims }]) / 4) * 4,
        usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST,
      });
      const tensor = wrap(buffer, type, dims);
      buffers.set(tensor, buffer);
      return tensor;
    },
    copyRows(copies) {
      let bytes = 0;
      const encoder = device.createCommandEncoder();
      for (const { source, from, target, to, rows } of copies) {
        const [old, fresh] = [buffers.get(source), buffers.get(target)];
        if (old === undefined || fresh === undefined) throw new Error('a tensor of another memory');
        const rowBytes = rowBytesOf(source);
        encoder.copyBufferToBuffer(old, from * rowBytes, fresh, to * rowBytes, rows * rowBytes);
        bytes += rows * rowBytes;
      }
      if (bytes > 0) device.queue.submit([encoder.finish()]);
      return bytes;
    },
    free(tensor) {
      buffers.get(tensor)?.destroy();
    },
  };
}

/** Arrays that ONNX Runtime's WASM copies in and out at every pass: what it gives then is what it was given, and the new rows. */
export function arrayMemory<T extends RuntimeTensor>(
  make: (type: string, dims: readonly number[]) => T,
): CacheMemory<T> {
  return {
    inPlace: false,
    allocate: make,
    copyRows(copies) {
      let bytes = 0;
      for (const { source, from, target, to, rows } of copies) {
        const rowBytes = rowBytesOf(source);
        const moved = bytesOf(source).subarray(from * rowBytes, (from + rows) * rowBytes);
        bytesOf(target).set(moved, to * rowBytes);
        bytes += moved.length;
      }
      return bytes;
    },
    free: () => undefined,
  };
}

/** The buffer or array behind a tensor. */
export function memoryOf({ location, ort_tensor: raw }: RuntimeTensor): unknown {
  return location === 'gpu-buffer' ? raw.gpuBuffer : raw.data;
}

function bytesOf({ ort_tensor: { data } }: RuntimeTensor): Uint8Array {
  const { buffer, byteOffset, byteLength } = data as ArrayBufferView;
  return new Uint8Array(buffer, byteOffset, byteLength);
}
