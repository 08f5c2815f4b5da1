import { afterEach, describe, expect, it, vi } from 'vitest';
import { ADAPTER_TIMEOUT_MS, probeGpu, type ProbeScope } from './environment';

function scope(gpu: unknown, rest: Partial<ProbeScope> = {}): ProbeScope {
  return {
    isSecureContext: true,
    crossOriginIsolated: true,
    navigator: { gpu, hardwareConcurrency: 8 },
    ...rest,
  };
}

function gpuWith(adapter: unknown): unknown {
  return { requestAdapter: () => Promise.resolve(adapter) };
}

afterEach(() => {
  vi.useRealTimers();
});

describe('probeGpu', () => {
  it('reports an adapter with its features and the limits behind prototype getters', async () => {
    class Limits {
      get maxBufferSize(): number {
        return 1073741824;
      }
    }
    const probe = await probeGpu(
      scope(
        gpuWith({
          info: { vendor: 'nvidia', architecture: 'hopper', device: '', description: 'H200' },
          features: new Set(['timestamp-query', 'shader-f16']),
          limits: new Limits(),
        }),
      ),
    );
    expect(probe).toEqual({
      status: 'ready',
      fault: null,
      adapter: { vendor: 'nvidia', architecture: 'hopper', device: '', description: 'H200', fallback: false },
      features: ['shader-f16', 'timestamp-query'],
      limits: { maxBufferSize: 1073741824 },
      crossOriginIsolated: true,
      threads: 8,
    });
  });

  it('A2: an insecure page hears about HTTPS, though navigator.gpu is missing too', async () => {
    const probe = await probeGpu(scope(undefined, { isSecureContext: false }));
    expect(probe.fault?.code).toBe('webgpu-insecure');
  });

  it('a browser without navigator.gpu has no WebGPU', async () => {
    expect((await probeGpu(scope(undefined))).fault?.code).toBe('webgpu-missing');
  });

  it.each([
    ['resolves null', () => Promise.resolve(null)],
    ['rejects', () => Promise.reject(new Error('driver'))],
    [
      'throws',
      () => {
        throw new TypeError('webgpuInit is not a function');
      },
    ],
  ])('A1: requestAdapter that %s is no adapter', async (_how, requestAdapter) => {
    const probe = await probeGpu(scope({ requestAdapter }));
    expect(probe.status).toBe('ready');
    expect(probe.fault?.code).toBe('webgpu-no-adapter');
    expect(probe.adapter).toBeNull();
  });

  it('a requestAdapter that never answers is no adapter after the timeout', async () => {
    vi.useFakeTimers();
    const pending = probeGpu(scope({ requestAdapter: () => new Promise(() => undefined) }));
    await vi.advanceTimersByTimeAsync(ADAPTER_TIMEOUT_MS);
    expect((await pending).fault?.code).toBe('webgpu-no-adapter');
  });

  it('A12: an adapter without info, features and limits is still an adapter', async () => {
    const probe = await probeGpu(scope(gpuWith({ info: undefined })));
    expect(probe.fault).toBeNull();
    expect(probe.features).toEqual([]);
    expect(probe.limits).toEqual({});
    expect(probe.adapter).toEqual({
      vendor: '',
      architecture: '',
      device: '',
      description: '',
      fallback: false,
    });
  });

  it.each([
    ['its info flag', { info: { isFallbackAdapter: true } }],
    ['its old flag', { isFallbackAdapter: true }],
    ['its architecture', { info: { vendor: 'google', architecture: 'swiftshader' } }],
    ['its description', { info: { description: 'llvmpipe (LLVM 15.0.6, 256 bits)' } }],
    ['its device name', { info: { device: 'Microsoft Basic Render Driver' } }],
  ])('A4: a software adapter is known by %s', async (_sign, adapter) => {
    expect((await probeGpu(scope(gpuWith(adapter)))).adapter?.fallback).toBe(true);
  });

  it('counts one thread where the page is not isolated', async () => {
    const probe = await probeGpu(scope(gpuWith({}), { crossOriginIsolated: false }));
    expect(probe.threads).toBe(1);
    expect(probe.crossOriginIsolated).toBe(false);
  });
});
