import { describe, expect, it } from 'vitest';
import { during, faultOf } from './fault-of';
import { pass, quietGpu } from './testing.fixture';

const OTHER_MODE = pass([8], { device: 'webgpu', allocator: 'simple' });
const DEFAULT_MODE = pass([8], { device: 'webgpu' });

/** What webgpu-memory 1.5.3 throws when a buffer is made on a device that was destroyed (seen in a soak, run 87 of seed 1). */
const FORGOTTEN = new TypeError("Cannot read properties of undefined (reading 'runningTotal')");

describe('a failure under another allocator mode than the default', () => {
  it.each([
    ['ONNX Runtime refuses', new Error('failed to call OrtRun(). ERROR_CODE: 1, Buffer used in submit')],
    ['a buffer in use was freed', new DOMException('Buffer is destroyed', 'OperationError')],
  ])('is put down to the mode when %s', (_what, error) => {
    expect(faultOf(error, OTHER_MODE, quietGpu)).toMatchObject({
      code: 'allocator-failed',
      params: { mode: 'simple' },
    });
    expect(faultOf(error, DEFAULT_MODE, quietGpu).code).toBe('run-failed');
  });

  it.each([
    ['a hook does not know the device', FORGOTTEN],
    ['a name is not defined', new ReferenceError('x is not defined')],
  ])('is not the mode’s when %s', (_what, error) => {
    expect(faultOf(error, OTHER_MODE, quietGpu)).toMatchObject({
      code: 'run-failed',
      params: { detail: error.message },
    });
  });

  it('is the mode’s when the GPU reports an error, and not when it is lost or out of memory', () => {
    const gpu = (code: 'gpu-error' | 'device-lost' | 'out-of-memory') => ({
      ...quietGpu,
      fault: { code, params: { detail: 'why' } },
    });
    expect(faultOf(FORGOTTEN, OTHER_MODE, gpu('gpu-error')).code).toBe('allocator-failed');
    expect(faultOf(FORGOTTEN, OTHER_MODE, gpu('device-lost')).code).toBe('device-lost');
    expect(faultOf(FORGOTTEN, OTHER_MODE, gpu('out-of-memory')).code).toBe('out-of-memory');
  });

  it('is the model’s while the model is loaded', async () => {
    const error: unknown = await during(
      'model-load-failed',
      Promise.reject(new Error('no such operator')),
    ).catch((thrown: unknown) => thrown);
    expect(faultOf(error, OTHER_MODE, quietGpu)).toMatchObject({ code: 'model-load-failed' });
  });
});
