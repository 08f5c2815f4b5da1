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
  /** What was changed in the runtime's request for the device, and why; English. */
  readonly notes: readonly string[];
  /** Bytes that the device holds now. */
  liveBytes(): number;
  /**
   * Settles with `work`, or rejects with a LabError as soon as the GPU fails. Work that fails first is given the time in which
   * its GPU tells why.
   */
  guard<T>(work: Promise<T>): Promise<T>;
  /**
   * Waits until the GPU could have told why work on it failed; no longer than it takes, and once for each error. For what
   * failed outside of {@link guard}: a buffer cannot be made on a device whose loss was not told yet.
   */
  awaitReason(error: unknown): Promise<void>;
  /** Throws the fault, if there is one. */
  check(): void;
  /** Tells that the runtime may from now on close the device that it has; the next one must stay open again. */
  expectClose(): void;
}

/**
 * ms in which a device that was lost says so after what ran on it has failed: the work fails at its first call, the loss comes
 * as an event behind all others.
 */
const TELL_MS = 1000;

type RequestDevice = GPUAdapter['requestDevice'];

/**
 * Installs the hooks; call once, before anything opens a device.
 * @param liveBytes Tells how many bytes the device holds, for the out-of-memory sentence.
 */
export function watchGpu(liveBytes: () => number): GpuWatch {
  const state: {
    adapter: GPUAdapter | null;
    device: GPUDevice | null;
    fault: Fault | null;
    notes: string[];
  } = { adapter: null, device: null, fault: null, notes: [] };
  // By device, not by time: a closed device may say so only while the next model is being loaded.
  const mayClose = new WeakSet<GPUDevice>();
  let alarm: (error: LabError) => void;
  const failed = new Promise<never>((_, reject) => (alarm = reject));
  failed.catch(() => undefined); // Only `guard` listens; without it a failure is no unhandled rejection.

  const raise = (fault: Fault): void => {
    state.fault ??= fault;
    alarm(new LabError(fault.code, fault.params, fault.detail));
  };
  const onError = (error: GPUError): void => {
    const outOfMemory = error.constructor.name === 'GPUOutOfMemoryError';
    raise({
      code: outOfMemory ? 'out-of-memory' : 'gpu-error',
      params: { bytes: liveBytes(), detail: firstLine(error.message) },
      detail: error.message,
    });
  };

  /** Errors whose GPU has had its time. */
  const waitedFor = new WeakSet();
  const awaitReason = async (error: unknown): Promise<void> => {
    // Without a device there is nothing that could be lost; an error of ours has its reason already.
    if (state.device === null || state.fault !== null || error instanceof LabError) return;
    if (typeof error === 'object' && error !== null) {
      if (waitedFor.has(error)) return;
      waitedFor.add(error);
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    const time = new Promise((resolve) => (timer = setTimeout(resolve, TELL_MS)));
    await Promise.race([time, failed.catch(() => undefined)]);
    clearTimeout(timer);
  };

  const open = async (
    request: RequestDevice,
    first: GPUAdapter,
    asked: GPUDeviceDescriptor | undefined,
  ): Promise<GPUDevice> => {
    const { descriptor, note } = withoutSmallSubgroups(first, asked);
    state.notes = note === null ? [] : [note];
    let adapter: GPUAdapter | null = first;
    let device = await openDevice(request, adapter, descriptor);
    if (device === null) {
      // A used-up adapter hands out devices that are lost already: one new adapter, then give up.
      adapter = await navigator.gpu.requestAdapter();
      device = adapter && (await openDevice(request, adapter, descriptor));
    }
    if (device === null)
      throw new LabError('webgpu-device-refused', { detail: 'it was lost at once, twice' });
    // Safari has had devices without it, and ONNX Runtime reads it.
    if ((device as { adapterInfo?: unknown }).adapterInfo === undefined) {
      Object.defineProperty(device, 'adapterInfo', {
        value: (adapter as { info?: unknown } | null)?.info ?? {},
      });
    }
    state.adapter = adapter;
    state.device = device;
    watchDevice(device);
    return device;
  };

  const watchDevice = (device: GPUDevice): void => {
    device.addEventListener('uncapturederror', (event) => {
      event.preventDefault(); // It is reported by us; the console needs no second copy.
      onError(event.error);
    });
    void device.lost.then(({ reason, message }) => {
      if (state.device === device) state.device = null;
      // ONNX Runtime destroys its device with its last session; at any other time "destroyed" is a loss too.
      if (reason === 'destroyed' && mayClose.has(device)) return;
      raise({ code: 'device-lost', params: { detail: message || reason }, detail: message });
    });
    watchErrorScopes(device, onError);
  };

  if (typeof GPUAdapter !== 'undefined') {
    const { prototype } = GPUAdapter;
    // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its adapter
    const request = prototype.requestDevice;
    prototype.requestDevice = function (this: GPUAdapter, descriptor) {
      return open(request, this, descriptor).catch((error: unknown) => {
        // ONNX Runtime wraps what it is thrown here; the fault is kept whole.
        if (error instanceof LabError) raise(error.fault);
        throw error;
      });
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
    get notes() {
      return state.notes;
    },
    liveBytes,
    guard: (work) =>
      Promise.race([
        work.catch(async (error: unknown) => {
          await awaitReason(error);
          throw error;
        }),
        failed,
      ]),
    awaitReason,
    expectClose() {
      if (state.device) mayClose.add(state.device);
    },
    check() {
      if (state.fault) throw new LabError(state.fault.code, state.fault.params, state.fault.detail);
    },
  };
}

/** Lanes below which ONNX Runtime's attention is wrong; its shader tells apart subgroups of 8, 16 and 32 only. */
const SMALLEST_SUBGROUP = 8;

/**
 * ONNX Runtime's prefill attention (32 tokens and more) uses subgroups where the device has them, and computes wrong
 * logits where they have 4 lanes, as SwiftShader's do: seen here against the WASM backend (onnxruntime-web 1.31.0-dev).
 * On such an adapter the device is opened without them; ONNX Runtime then takes its other path, which is right.
 */
function withoutSmallSubgroups(
  adapter: GPUAdapter,
  descriptor: GPUDeviceDescriptor | undefined,
): { descriptor: GPUDeviceDescriptor | undefined; note: string | null } {
  const { info } = adapter as { info?: GPUAdapterInfo }; // Safari has had adapters without it.
  const lanes = info?.subgroupMinSize;
  const features = [...(descriptor?.requiredFeatures ?? [])];
  const kept = features.filter((feature) => !feature.startsWith('subgroup'));
  if (lanes === undefined || lanes === 0 || lanes >= SMALLEST_SUBGROUP || kept.length === features.length) {
    return { descriptor, note: null };
  }
  return {
    descriptor: { ...descriptor, requiredFeatures: kept },
    note: `The GPU’s subgroups have ${lanes} lanes, with which ONNX Runtime’s attention computes wrong logits; the device was opened without subgroups.`,
  };
}

/** Opens a device; null when it is lost already. @throws LabError `webgpu-device-refused`. */
async function openDevice(
  request: RequestDevice,
  adapter: GPUAdapter,
  descriptor: GPUDeviceDescriptor | undefined,
): Promise<GPUDevice | null> {
  refuseImpossibleLimits(adapter, descriptor);
  let device: GPUDevice;
  try {
    device = await request.call(adapter, descriptor);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    throw new LabError('webgpu-device-refused', { detail: firstLine(detail) }, detail);
  }
  // A device that is lost already says so at once, but some promise ticks later than a settled promise would.
  const alive = new Promise<boolean>((resolve) => setTimeout(resolve, 0, false));
  const lost = await Promise.race([device.lost.then(() => true), alive]);
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
  // Its sentence has a full stop of its own.
  return (text.trim().split('\n', 1)[0] ?? '').replace(/\.+$/, '');
}
