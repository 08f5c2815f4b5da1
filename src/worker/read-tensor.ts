/** Reads a live cache tensor without moving it: it stays where it is, and the next step can use it. */
import type { LedgerTensor } from './ledger';
import { tensorBytes } from './ledger';
import { readBuffer } from './read-buffer';
import type { PassContext } from './run-experiment';

/**
 * A copy of a tensor's bytes.
 * @throws Error naming the tensor when neither the GPU nor the memory has it; LabError when the GPU fails.
 */
export async function readTensor(
  { gpu }: Pick<PassContext, 'gpu'>,
  name: string,
  { type, dims, cpuData, gpuBuffer }: LedgerTensor,
): Promise<Uint8Array> {
  if (cpuData !== null) return new Uint8Array(cpuData.buffer, cpuData.byteOffset, cpuData.byteLength).slice();
  if (gpu.device === null || gpuBuffer === null)
    throw new Error(`the data of cache tensor ${name} cannot be read`);
  return gpu.guard(readBuffer(gpu.device, gpuBuffer as GPUBuffer, tensorBytes([{ type, dims }])));
}
