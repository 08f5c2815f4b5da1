/** The ledger against real GPU buffers: create, count, destroy, count again. */
import { expect, it } from 'vitest';
import { deviceBytes, peakDeviceBytes, residentBytes, resetPeak, tensorBytes } from './ledger';
import { readBuffer } from './read-buffer';

async function openDevice(): Promise<GPUDevice> {
  const adapter = await navigator.gpu.requestAdapter();
  if (!adapter) throw new Error('this test needs a WebGPU adapter');
  return adapter.requestDevice();
}

it('counts exactly the bytes of live buffers, and the peak since the last reset', async () => {
  const device = await openDevice();
  const base = deviceBytes();
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
  const first = device.createBuffer({ size: 131_072, usage });
  const second = device.createBuffer({ size: 65_536, usage });
  expect(deviceBytes() - base).toBe(196_608);
  second.destroy();
  resetPeak();
  expect(deviceBytes() - base).toBe(131_072);
  expect(peakDeviceBytes() - base).toBe(131_072);
  const third = device.createBuffer({ size: 1024, usage });
  third.destroy();
  expect(deviceBytes() - base).toBe(131_072);
  expect(peakDeviceBytes() - base).toBe(132_096);
  first.destroy();
  expect(deviceBytes()).toBe(base);
  device.destroy();
});

it('tells tensor bytes (dims x itemsize) from resident bytes (the buffer behind)', async () => {
  const device = await openDevice();
  const gpuBuffer = device.createBuffer({ size: 131_072, usage: GPUBufferUsage.STORAGE });
  // One cache tensor of the Qwen twin at 129 tokens: 2 KV heads x 129 x 64 x 4 bytes in a bucket of 128 KiB.
  const tensor = { type: 'float32', dims: [1, 2, 129, 64], location: 'gpu-buffer', gpuBuffer, cpuData: null };
  expect(tensorBytes([tensor])).toBe(66_048);
  expect(residentBytes([tensor])).toBe(131_072);
  expect(residentBytes([tensor, tensor]), 'one buffer is there once').toBe(131_072);
  device.destroy();
});

it('does not measure resident bytes of tensors that no GPU buffer holds', () => {
  const tensor = { type: 'float16', dims: [1, 2, 3, 4], location: 'cpu', gpuBuffer: null, cpuData: null };
  expect(tensorBytes([tensor])).toBe(48);
  expect(residentBytes([tensor])).toBeNull();
});

it('counts an empty cache as 0 bytes and refuses an unknown element type by name', () => {
  expect(tensorBytes([])).toBe(0);
  // The first step of a model with no past: a dimension of 0.
  expect(tensorBytes([{ type: 'float32', dims: [1, 3, 0, 64] }])).toBe(0);
  expect(() => tensorBytes([{ type: 'float8', dims: [1] }])).toThrow('float8');
});

it('reads a buffer back and leaves it where it is', async () => {
  const device = await openDevice();
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
  const buffer = device.createBuffer({ size: 8, usage });
  device.queue.writeBuffer(buffer, 0, Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8));
  const before = deviceBytes();
  expect(await readBuffer(device, buffer, 6)).toEqual(Uint8Array.of(1, 2, 3, 4, 5, 6));
  expect(deviceBytes(), 'the staging buffer is gone').toBe(before);
  device.destroy();
});
