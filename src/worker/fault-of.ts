/** Turns whatever a pass threw into a fault with one clear sentence. */
import type { GpuWatch } from './gpu-watch';
import { LabError, type Fault } from '../protocol/faults';
import type { Pass } from '../protocol/messages';

type Stage = 'runtime-load-failed' | 'model-load-failed' | 'run-failed';

/** What was thrown, with the stage that it was thrown in. */
class StageError extends Error {
  constructor(
    readonly stage: Stage,
    override readonly cause: unknown,
  ) {
    super(stage);
  }
}

/** Settles with `work`; what it rejects with is remembered as having come from this stage. */
export async function during<T>(stage: Stage, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw new StageError(stage, error);
  });
}

/**
 * A fault that the GPU itself reported comes first: what the runtime throws then is only its echo.
 * A failure under an allocator mode that is not ONNX Runtime's default is put down to the mode (`disabled` frees buffers in use),
 * unless it is a slip of JavaScript.
 */
export function faultOf(thrown: unknown, pass: Pass, gpu: GpuWatch): Fault {
  const { stage, cause }: { stage: Stage; cause: unknown } =
    thrown instanceof StageError ? thrown : { stage: 'run-failed', cause: thrown };
  const onGpu = pass.device === 'webgpu';
  const blameMode = (detail: string, raw: string | undefined): Fault => ({
    code: 'allocator-failed',
    params: { mode: pass.allocator, detail },
    detail: raw,
  });
  const otherMode = onGpu && pass.allocator !== 'bucket';

  if (gpu.fault) {
    const { code, params, detail } = gpu.fault;
    return otherMode && code === 'gpu-error' ? blameMode(String(params.detail), detail) : gpu.fault;
  }
  if (cause instanceof LabError) return cause.fault;

  const detail = cause instanceof Error ? cause.message : String(cause);
  const sentence = readable(detail);
  // A WASM exception that nobody decoded arrives as a bare number, a pointer.
  if (/out of memory|bad_alloc|allocation failed/i.test(detail) || /^\d+$/.test(detail.trim())) {
    return onGpu
      ? { code: 'out-of-memory', params: { bytes: gpu.liveBytes(), detail: sentence }, detail }
      : { code: 'wasm-out-of-memory', params: { detail: sentence }, detail };
  }
  if (onGpu && /adapter/i.test(detail)) return { code: 'webgpu-no-adapter', params: {}, detail };
  // ONNX Runtime fetches its WASM with the first model; its failure is not the model's.
  if (/no available backend|fetching of the wasm|WebAssembly/i.test(detail)) {
    return { code: 'runtime-load-failed', params: { detail: sentence }, detail };
  }
  if (otherMode && stage === 'run-failed' && !isSlip(cause)) return blameMode(sentence, detail);
  return { code: stage, params: { model: pass.model, detail: sentence }, detail };
}

/**
 * An error of the program around the GPU: ours, the runtime's, or a hook's. No mode makes one; webgpu-memory throws a TypeError when
 * a buffer is made on a device that was destroyed, which it has forgotten.
 */
function isSlip(error: unknown): boolean {
  return error instanceof TypeError || error instanceof ReferenceError;
}

/** The first line of a message, in words where it is only a number, and not endless. */
function readable(message: string): string {
  // The sentence that it goes into has a full stop of its own.
  const line = (message.trim().split('\n', 1)[0] ?? '').replace(/\.+$/, '');
  if (/^\d+$/.test(line)) return `ONNX Runtime stopped with the bare code ${line}`;
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}
