/**
 * Watches the GPU devices that are opened in this worker, whoever opens them: ONNX Runtime makes its own device, so
 * `requestDevice` itself is hooked. Tells of lost devices, of errors that nobody caught, and of refused limits.
 */
import type { Fault } from '../protocol/faults';
import { LabError } from '../protocol/faults';

export interface GpuWatch {
  /** The device opened last and its adapter; null before ONNX Runtime opened one. */
  readonly adapter: GPUAdapter | null;
  readonly device: GPUDevice | null;
  /** What went wrong on the GPU so far; null when nothing did. */
  readonly fault: Fault | null;
  /** Settles with `work`, or rejects with a LabError as soon as the GPU fails. */
  guard<T>(work: Promise<T>): Promise<T>;
  /** Throws the fault, if there is one. */
  check(): void;
}

/**
 * Installs the hooks; call once, before anything opens a device.
 * @param liveBytes Tells how many bytes the device holds, for the out-of-memory sentence.
 */
export function watchGpu(liveBytes: () => number): GpuWatch {
  const state: { adapter: GPUAdapter | null; device: GPUDevice | null; fault: Fault | null } = {
    adapter: null,
    device: null,
    fault: null,
  };
  let alarm: (error: LabError) => void;
  const failed = new Promise<never>((_, reject) => (alarm = reject));
  failed.catch(() => undefined); // Only `guard` listens; without it a failure is no unhandled rejection.

  const raise = (fault: Fault): void => {
    state.fault ??= fault;
    alarm(new LabError(fault.code, fault.params, fault.detail));
  };
  const onError = (error: GPUError | { message: string; constructor: { name: string } }): void => {
    const outOfMemory = error.constructor.name === 'GPUOutOfMemoryError';
    raise({
      code: outOfMemory ? 'out-of-memory' : 'gpu-error',
      params: { bytes: liveBytes(), detail: firstLine(error.message) },
      detail: error.message,
    });
  };

  if (typeof GPUAdapter !== 'undefined') {
    // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its adapter below
    const request = GPUAdapter.prototype.requestDevice;
    GPUAdapter.prototype.requestDevice = async function (descriptor) {
      refuseImpossibleLimits(this, descriptor);
      let adapter: GPUAdapter = this;
      let device = await openDevice(request, adapter, descriptor);
      if (device === null) {
        // A used-up adapter hands out devices that are lost already: one new adapter, then give up.
        const fresh = await navigator.gpu.requestAdapter();
        device = fresh && (await openDevice(request, fresh, descriptor));
        if (fresh === null || device === null) {
          const fault: Fault = { code: 'webgpu-device-refused', params: { detail: 'it was lost at once, twice' } };
          raise(fault);
          throw new LabError(fault.code, fault.params);
        }
        adapter = fresh;
      }
      state.adapter = adapter;
      state.device = device;
      device.addEventListener('uncapturederror', (event) => {
        event.preventDefault(); // It is reported by us; the console needs no second copy.
        onError(event.error);
      });
      void device.lost.then(({ reason, message }) => {
        // "destroyed" is ONNX Runtime closing its device after the last session; no fault.
        if (reason !== 'destroyed' || state.device === device) {
          if (reason === 'destroyed') state.device = null;
          else raise({ code: 'device-lost', params: { detail: message || reason }, detail: message });
        }
      });
      watchErrorScopes(device, onError);
      return device;
    };
  }

  return {
    get adapter() {
      return state.adapter;
    },
    get device() {
      return state.device;
    },
    get fault() {
      return state.fault;
    },
    guard: (work) => Promise.race([work, failed]),
    check() {
      if (state.fault) throw new LabError(state.fault.code, state.fault.params, state.fault.detail);
    },
  };
}

/** Opens a device; null when it is lost already. @throws LabError `webgpu-device-refused`. */
async function openDevice(
  request: GPUAdapter['requestDevice'],
  adapter: GPUAdapter,
  descriptor: GPUDeviceDescriptor | undefined,
): Promise<GPUDevice | null> {
  let device: GPUDevice;
  try {
    device = await request.call(adapter, descriptor);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    throw new LabError('webgpu-device-refused', { detail: firstLine(detail) }, detail);
  }
  const lost = await Promise.race([device.lost.then(() => true), Promise.resolve(false)]);
  return lost ? null : device;
}

/** Names the limit that cannot be met, which the browser's own rejection often does not. */
function refuseImpossibleLimits(adapter: GPUAdapter, descriptor: GPUDeviceDescriptor | undefined): void {
  for (const [limit, asked] of Object.entries(descriptor?.requiredLimits ?? {})) {
    const offered = adapter.limits[limit as keyof GPUSupportedLimits];
    const lowerIsStronger = limit.startsWith('min');
    if (typeof asked !== 'number' || typeof offered !== 'number') continue;
    if (lowerIsStronger ? asked < offered : asked > offered) {
      throw new LabError('webgpu-limit', { limit, asked, offered });
    }
  }
}

/** ONNX Runtime may pop an out-of-memory error and go on with an invalid buffer; the numbers would be worthless. */
function watchErrorScopes(device: GPUDevice, onError: (error: GPUError) => void): void {
  const pop = device.popErrorScope.bind(device);
  device.popErrorScope = async () => {
    const error = await pop();
    if (error !== null) onError(error);
    return error;
  };
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] ?? '';
}
