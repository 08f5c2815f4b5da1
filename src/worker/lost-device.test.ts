/** A device that is destroyed outside of the runtime's own calls, and says so only after the worker has stumbled over it. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watchGpu } from './gpu-watch';
import * as ledger from './ledger';
import { collect, fakeRuntime, pass } from './testing.fixture';

let lose: (info: { reason: string; message: string }) => void;

beforeEach(() => {
  const lost = new Promise((resolve) => (lose = resolve));
  const device = Object.assign(new EventTarget(), {
    lost,
    adapterInfo: {},
    popErrorScope: () => Promise.resolve(null),
  });
  // Hooks go to the prototype, so each test has a class of its own.
  const adapter = class {
    readonly limits = {};
    requestDevice(): Promise<unknown> {
      return Promise.resolve(device);
    }
  };
  vi.stubGlobal('GPUAdapter', adapter);
});

afterEach(() => {
  vi.unstubAllGlobals();
});

it('is told as lost when no buffer can be made for a static cache, and not put down to the allocator mode', async () => {
  const gpu = watchGpu(() => 0);
  await new (GPUAdapter as unknown as new () => GPUAdapter)().requestDevice();
  const { runtime, log } = fakeRuntime();
  const load = async (...options: Parameters<typeof runtime.load>) => ({
    ...(await runtime.load(...options)),
    // As `device.createBuffer` does under webgpu-memory's hook: it throws at once, and the loss comes as an event of its own.
    emptyCache: () => {
      setTimeout(lose, 20, { reason: 'destroyed', message: 'Device was destroyed.' });
      throw new TypeError("Cannot read properties of undefined (reading 'runningTotal')");
    },
  });
  const reports = await collect(
    [pass([8], { device: 'webgpu', policy: 'static', allocator: 'simple' })],
    { ...runtime, load },
    {
      gpu,
      ledger: { ...ledger, deviceBytes: () => 0, peakDeviceBytes: () => 0, resetPeak: () => undefined },
    },
  );
  expect(reports.at(-1)).toMatchObject({
    type: 'pass-failed',
    fault: { code: 'device-lost', params: { detail: 'Device was destroyed.' } },
  });
  expect(log.releases).toBe(0);
});
