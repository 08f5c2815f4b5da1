import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchGpu } from './gpu-watch';

/** As much of a device as the watch looks at. */
class FakeDevice extends EventTarget {
  lose: (info: { reason: string; message: string }) => void = () => undefined;
  readonly lost = new Promise((resolve) => (this.lose = resolve));
  readonly adapterInfo = {};
  popErrorScope = () => Promise.resolve(null);
}

let device: FakeDevice;

beforeEach(() => {
  vi.useFakeTimers();
  device = new FakeDevice();
  // Hooks go to the prototype, so each test has a class of its own.
  const adapter = class {
    readonly limits = {};
    requestDevice(): Promise<FakeDevice> {
      return Promise.resolve(device);
    }
  };
  vi.stubGlobal('GPUAdapter', adapter);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A watch whose device is open. */
async function opened() {
  const gpu = watchGpu(() => 0);
  const adapter = new (GPUAdapter as unknown as new () => GPUAdapter)();
  const request = adapter.requestDevice();
  await vi.advanceTimersByTimeAsync(1);
  await request;
  return gpu;
}

describe('guard', () => {
  it('blames the device that is lost, though the work on it failed before the loss was told', async () => {
    const gpu = await opened();
    const guarded = gpu.guard(Promise.reject(new Error('Buffer is destroyed')));
    const told = expect(guarded).rejects.toMatchObject({ fault: { code: 'device-lost' } });
    await vi.advanceTimersByTimeAsync(50);
    device.lose({ reason: 'destroyed', message: 'Device was destroyed.' });
    await vi.advanceTimersByTimeAsync(1);
    await told;
    expect(gpu.fault).toMatchObject({ code: 'device-lost', params: { detail: 'Device was destroyed.' } });
  });

  it('gives the error of the work itself when the GPU has nothing to tell', async () => {
    const gpu = await opened();
    const guarded = gpu.guard(Promise.reject(new Error('no such operator')));
    const told = expect(guarded).rejects.toThrow('no such operator');
    await vi.advanceTimersByTimeAsync(1000);
    await told;
    expect(gpu.fault).toBeNull();
  });

  it('does not wait without a device', async () => {
    const gpu = watchGpu(() => 0);
    await expect(gpu.guard(Promise.reject(new Error('wasm')))).rejects.toThrow('wasm');
  });
});

describe('awaitReason', () => {
  it('ends with the loss that it waits for', async () => {
    const gpu = await opened();
    let ended = false;
    void gpu.awaitReason(new TypeError('no such device')).then(() => (ended = true));
    await vi.advanceTimersByTimeAsync(50);
    expect(ended).toBe(false);
    device.lose({ reason: 'destroyed', message: 'Device was destroyed.' });
    await vi.advanceTimersByTimeAsync(1);
    expect(ended).toBe(true);
    expect(gpu.fault).toMatchObject({ code: 'device-lost' });
  });

  it('does not wait a second time for an error that `guard` has waited for', async () => {
    const gpu = await opened();
    const error = new Error('no such operator');
    const guarded = expect(gpu.guard(Promise.reject(error))).rejects.toThrow('no such operator');
    await vi.advanceTimersByTimeAsync(1000);
    await guarded;
    await expect(gpu.awaitReason(error)).resolves.toBeUndefined();
  });
});
