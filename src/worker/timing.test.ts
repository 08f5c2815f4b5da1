import { afterEach, expect, it, vi } from 'vitest';
import { countPipelines, startTiming } from './timing';

afterEach(() => {
  vi.unstubAllGlobals();
});

it('counts pipelines that are built either way, between two moments, and hands on what the device gives', async () => {
  vi.stubGlobal(
    'GPUDevice',
    class {
      createComputePipeline = undefined;
    },
  );
  const { prototype } = GPUDevice;
  prototype.createComputePipeline = () => 'at once' as unknown as GPUComputePipeline;
  prototype.createComputePipelineAsync = () => Promise.resolve('later' as unknown as GPUComputePipeline);
  const pipelinesBuilt = countPipelines();
  const device = Object.create(prototype) as GPUDevice;
  const descriptor = {} as GPUComputePipelineDescriptor;
  expect(device.createComputePipeline(descriptor)).toBe('at once');

  const timed = startTiming({ pass: { device: 'webgpu' }, pipelinesBuilt });
  expect(timed().compiled).toBe(0);
  device.createComputePipeline(descriptor);
  expect(await device.createComputePipelineAsync(descriptor)).toBe('later');
  expect(timed().compiled).toBe(2);
  expect(pipelinesBuilt()).toBe(3);
});

it('says nothing of pipelines where there is no GPU', () => {
  vi.stubGlobal('GPUDevice', undefined);
  const pipelinesBuilt = countPipelines();
  expect(Object.keys(startTiming({ pass: { device: 'wasm' }, pipelinesBuilt })())).toEqual(['ms']);
});
