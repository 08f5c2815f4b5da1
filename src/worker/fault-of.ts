/** Turns whatever a pass threw into a fault with one clear sentence. */
import type { GpuWatch } from './gpu-watch';
import { LabError, type Fault } from '../protocol/faults';
import type { Pass } from '../protocol/messages';

/** A fault that the GPU itself reported comes first: what the runtime throws then is only its echo. */
export function faultOf(error: unknown, pass: Pass, gpu: GpuWatch): Fault {
  if (gpu.fault)
    return pass.allocator !== 'bucket' && gpu.fault.code === 'gpu-error'
      ? allocatorFault(gpu.fault, pass)
      : gpu.fault;
  if (error instanceof LabError) return error.fault;
  const raw = error instanceof Error ? error.message : String(error);
  const detail = readable(raw);
  const common = { detail: raw };
  if (/out of memory|bad_alloc|allocation failed/i.test(raw)) {
    return { code: 'out-of-memory', params: { bytes: 'all the', detail }, ...common };
  }
  if (/no available adapters|failed to get gpu adapter|requestAdapter/i.test(raw)) {
    return { code: 'webgpu-no-adapter', params: {}, ...common };
  }
  if (pass.device === 'webgpu' && pass.allocator !== 'bucket') {
    return allocatorFault({ code: 'run-failed', params: { detail }, ...common }, pass);
  }
  return { code: 'run-failed', params: { detail }, ...common };
}

/** An error under a mode that is not ONNX Runtime's default is put down to the mode (`disabled` frees buffers in use). */
function allocatorFault({ params, detail }: Fault, pass: Pass): Fault {
  return { code: 'allocator-failed', params: { mode: pass.allocator, detail: params.detail ?? '' }, detail };
}

/**
 * The part of an ONNX Runtime message that a person can use. WASM exceptions arrive as a bare number (a pointer),
 * which means that the C++ side ran out of memory or aborted.
 */
function readable(message: string): string {
  if (/^\d+$/.test(message.trim())) {
    return `ONNX Runtime stopped with the bare code ${message.trim()}, which it does when its WASM memory is exhausted`;
  }
  const line = message.trim().split('\n', 1)[0] ?? '';
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}
