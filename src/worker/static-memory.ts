/** Where a static cache lives: buffers of the GPU, or arrays in memory. The tensors around them are the runtime's to make. */
import type { RuntimeTensor } from './dynamic-cache';
import { rowBytesOf, tensorBytes } from './ledger';
import type { StaticMemory } from './static-cache';

/**
 * Buffers on ONNX Runtime's own device.
 * @param wrap Makes the tensor around a buffer; it owns nothing.
 */
export function gpuMemory<T extends RuntimeTensor>(
  device: GPUDevice,
  wrap: (buffer: GPUBuffer, type: string, dims: readonly number[]) => T,
): StaticMemory<T> {
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
    copyRows(source, target, { heads, tokens, from, to }) {
      const [old, fresh] = [buffers.get(source), buffers.get(target)];
      if (old === undefined || fresh === undefined || tokens === 0) return;
      const rowBytes = rowBytesOf(source);
      const encoder = device.createCommandEncoder();
      for (let head = 0; head < heads; head++) {
        encoder.copyBufferToBuffer(
          old,
          head * from * rowBytes,
          fresh,
          head * to * rowBytes,
          tokens * rowBytes,
        );
      }
      device.queue.submit([encoder.finish()]);
    },
    free(tensor) {
      buffers.get(tensor)?.destroy();
    },
  };
}

/** Arrays that ONNX Runtime's WASM copies in and out at every pass: what it gives then is what it was given, and the new rows. */
export function arrayMemory<T extends RuntimeTensor>(
  make: (type: string, dims: readonly number[]) => T,
): StaticMemory<T> {
  return {
    inPlace: false,
    allocate: make,
    copyRows(source, target, { heads, tokens, from, to }) {
      const rowBytes = rowBytesOf(source);
      const [old, fresh] = [bytesOf(source), bytesOf(target)];
      for (let head = 0; head < heads; head++) {
        const start = head * from * rowBytes;
        fresh.set(old.subarray(start, start + tokens * rowBytes), head * to * rowBytes);
      }
    },
    free: () => undefined,
  };
}

function bytesOf({ ort_tensor: { data } }: RuntimeTensor): Uint8Array {
  const { buffer, byteOffset, byteLength } = data as ArrayBufferView;
  return new Uint8Array(buffer, byteOffset, byteLength);
}
