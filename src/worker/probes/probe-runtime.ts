/** Asks the installed ONNX Runtime what it can do besides the cache policies, by trying it on the backend at hand. */
import type { GpuWatch } from '../gpu-watch';
import type { ModelFiles } from '../../model/twin';
import type { Pass } from '../../protocol/messages';
import type { Probe } from '../../protocol/policies';
import { probeCaptureOnCpu, probeCaptureOnGpu } from './graph-capture';
import { messageOf } from './message';
import { probePagedAttention } from './paged-attention';

/** Never throws: a device that is lost meanwhile is told by the watch, and what was not tried says why. */
export async function probeRuntime(
  { device: backend }: Pick<Pass, 'device'>,
  files: ModelFiles,
  gpu: Pick<GpuWatch, 'device' | 'guard'>,
): Promise<Probe[]> {
  const device = backend === 'webgpu' ? gpu.device : null;
  const float = device?.features.has('shader-f16') === true ? 'fp16' : 'fp32';
  const guarded = (found: Promise<Pick<Probe, 'outcome' | 'detail'>>) =>
    gpu.guard(found).catch((error: unknown) => ({ outcome: 'refused' as const, detail: messageOf(error) }));
  const paged = await guarded(probePagedAttention(backend, float));
  // Last: a session that ignored the option would read a length in the GPU's memory, and end the whole WebAssembly.
  const capture = await guarded(device === null ? probeCaptureOnCpu() : probeCaptureOnGpu(device, files));
  return [
    { name: 'graph-capture', backend, ...capture },
    { name: 'paged-attention', backend, ...paged },
  ];
}
