/**
 * Broken GPUs, as functions for {@link Mocks}: each is sent to the page or the worker as text, so it uses nothing from
 * outside itself. Letters and numbers are those of the project's field reports.
 */

/** When a mock acts: after the worker has posted so many reports of a type. */
export interface Moment {
  report: 'model' | 'cell' | 'step' | 'prompt' | 'serving';
  count: number;
}

/** A1: the browser has WebGPU but no adapter. For the page. */
export function noAdapter(): void {
  Object.defineProperty(navigator, 'gpu', { value: { requestAdapter: () => Promise.resolve(null) } });
}

/** A4: a software adapter that does not say so by its flag. For page and worker. */
export function withoutFallbackFlag(): void {
  Object.defineProperty(GPUAdapterInfo.prototype, 'isFallbackAdapter', {
    get: () => false,
    configurable: true,
  });
  Object.defineProperty(GPUAdapter.prototype, 'isFallbackAdapter', { get: () => false, configurable: true });
}

/** A7: an adapter that offers much, and a device that gets the default limits all the same. For the worker. */
export function defaultLimits(): void {
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its adapter below
  const request = GPUAdapter.prototype.requestDevice;
  GPUAdapter.prototype.requestDevice = function (descriptor) {
    return request.call(this, { ...descriptor, requiredLimits: {} });
  };
}

/** A8: the device is refused. For the worker. */
export function refuseDevice(message: string): void {
  GPUAdapter.prototype.requestDevice = () => Promise.reject(new DOMException(message, 'OperationError'));
}

/** A9: the device is lost at a moment. For the worker. */
export function loseDevice(arg: Moment & { reason: string; message: string }): void {
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its adapter below
  const request = GPUAdapter.prototype.requestDevice;
  let lose: (info: unknown) => void = () => undefined;
  GPUAdapter.prototype.requestDevice = async function (descriptor) {
    const device = await request.call(this, descriptor);
    Object.defineProperty(device, 'lost', { value: new Promise((resolve) => (lose = resolve)) });
    return device;
  };
  const scope = globalThis as unknown as { postMessage: (message: { type: string }) => void };
  const post = scope.postMessage.bind(globalThis);
  let left = arg.count;
  scope.postMessage = (message) => {
    post(message);
    if (message.type === arg.report) left -= 1;
    if (left === 0) lose({ reason: arg.reason, message: arg.message });
  };
}

/** A10: so many devices are lost already when they are handed out. For the worker. */
export function lostFromTheStart(devices: number): void {
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its adapter below
  const request = GPUAdapter.prototype.requestDevice;
  let left = devices;
  GPUAdapter.prototype.requestDevice = async function (descriptor) {
    const device = await request.call(this, descriptor);
    if (left > 0) {
      left -= 1;
      Object.defineProperty(device, 'lost', {
        value: Promise.resolve({ reason: 'unknown', message: 'the adapter was used up' }),
      });
    }
    return device;
  };
}

/** A11, A15: the device reports an error that nobody caught, at a moment. For the worker. */
export function raiseGpuError(arg: Moment & { kind: 'out-of-memory' | 'validation'; message: string }): void {
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its adapter below
  const request = GPUAdapter.prototype.requestDevice;
  let device: GPUDevice | null = null;
  GPUAdapter.prototype.requestDevice = async function (descriptor) {
    device = await request.call(this, descriptor);
    return device;
  };
  const scope = globalThis as unknown as { postMessage: (message: { type: string }) => void };
  const post = scope.postMessage.bind(globalThis);
  let left = arg.count;
  scope.postMessage = (message) => {
    post(message);
    if (message.type === arg.report) left -= 1;
    if (left !== 0) return;
    left = -1;
    const error =
      arg.kind === 'validation' ? new GPUValidationError(arg.message) : new GPUOutOfMemoryError(arg.message);
    device?.dispatchEvent(new GPUUncapturedErrorEvent('uncapturederror', { error, cancelable: true }));
  };
}

/** A12: an adapter that does not tell what it is (Safari before 26.2). For the page. */
export function withoutAdapterInfo(): void {
  Object.defineProperty(GPUAdapter.prototype, 'info', { get: () => undefined, configurable: true });
}

/** A12: devices without `adapterInfo` (Safari 26). For the worker. */
export function withoutDeviceInfo(): void {
  Reflect.deleteProperty(GPUDevice.prototype, 'adapterInfo');
}

/** A13: a tab that `window.setHidden()` sends to the background and back. For the page. */
export function hiddenTab(): void {
  let hidden = false;
  Object.defineProperty(document, 'visibilityState', { get: () => (hidden ? 'hidden' : 'visible') });
  Object.defineProperty(document, 'hidden', { get: () => hidden });
  Object.assign(window, {
    setHidden: (value: boolean) => {
      hidden = value;
      document.dispatchEvent(new Event('visibilitychange'));
    },
  });
}
