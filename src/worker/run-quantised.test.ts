/** Passes of policy quantised: what is refused before anything is loaded, what the probe says, and what logits are compared by. */
import { describe, expect, it } from 'vitest';
import { compareLogits } from './compare-logits';
import { subjectOf } from './subject';
import { collect, fakeRuntime, pass, source } from './testing.fixture';
import type { Runtime } from './runtime-types';

describe('a quantised pass', () => {
  it('of a model from outside is refused: its graph says how long a row is', async () => {
    const { runtime, log } = fakeRuntime();
    const passes = [pass([64], { policy: 'quantised', model: 'owner/name', dtype: 'q4' })];
    const reports = await collect(passes, runtime, { sources: [source()] });
    expect(reports.at(-1)).toMatchObject({ fault: { code: 'quantised-fixed-graph' } });
    expect(log.loads).toEqual([]);
  });

  it('whose option has no effect ends with what came out instead', async () => {
    // The fake graph's rows are 32 float32, 128 bytes; 8 bits take 4 + 32 on WebGPU.
    const { runtime, log } = fakeRuntime();
    const reports = await collect([pass([64], { policy: 'quantised', device: 'webgpu' })], runtime);
    const fault = reports.flatMap((report) => (report.type === 'pass-failed' ? [report.fault] : [])).at(0);
    expect(fault).toMatchObject({ code: 'quantised-not-offered', params: { backend: 'webgpu' } });
    expect(fault?.params['detail']).toContain('rows of 128 bytes; 8 bits take 36');
    expect([log.loads.length, log.releases]).toEqual([1, 1]);
    expect(log.loads[0]).toMatchObject({ cacheBits: '8' });
  });

  it('that ONNX Runtime refuses ends with its message', async () => {
    const load = () => Promise.reject(new Error('quantized KV cache is not supported'));
    const runtime: Runtime = { threads: 1, build: 'jspi', load };
    const reports = await collect([pass([64], { policy: 'quantised' })], runtime);
    expect(reports.at(-1)).toMatchObject({
      fault: { code: 'quantised-not-offered', params: { detail: 'quantized KV cache is not supported' } },
    });
  });
});

describe('what it is built as', () => {
  it('keeps the model’s geometry, and has the bytes of its own', () => {
    const { geometry, kept, cacheType, quantised } = subjectOf(
      pass([64], { policy: 'quantised', bits: '4' }),
      [],
    );
    expect([geometry.headDim, kept.headDim, cacheType]).toEqual([32, 16, 'uint8']);
    // 4 layers x 2 scales of 4 bytes.
    expect(quantised).toEqual({ bits: '4', scaleBytesBeside: 32 });
  });
});

describe('compareLogits', () => {
  it('gives the cosine and the largest difference', () => {
    // (3, 4) and (4, 3): 24 / 25.
    expect(compareLogits(Float32Array.of(3, 4), Float32Array.of(4, 3))).toEqual({
      cosine: 0.96,
      difference: 1,
    });
  });

  it.each([
    ['NaN', [NaN, 1], [1, 1]],
    ['another count', [1], [1, 1]],
    ['zeros', [0, 0], [1, 1]],
  ])('trusts no logits with %s', (_, a, b) => {
    expect(compareLogits(Float32Array.from(a), Float32Array.from(b)).cosine).toBe(-1);
  });
});
