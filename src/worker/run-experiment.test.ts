/** Passes as reports: stops on one way through, growths, faults. On a runtime without a GPU. */
import { describe, expect, it } from 'vitest';
import { cellsOf, checkOf, collect, fakeRuntime, pass, stepsOf } from './testing.fixture';
import type { Runtime } from './runtime-types';

describe('a length pass', () => {
  it('measures at each stop on one way through, in chunks that end at the stops', async () => {
    const { runtime, log } = fakeRuntime();
    const reports = await collect([pass([64, 250])], runtime);
    // tiny, fp32: 2,048 bytes a token (4 layers x 2 x 2 KV heads x 32 x 4 bytes)
    expect(cellsOf(reports).map(({ tokens, tensorBytes }) => [tokens, tensorBytes])).toEqual([
      [64, 131_072],
      [250, 512_000],
    ]);
    expect(log.forwards.slice(0, 3)).toEqual([64, 100, 86]);
  });

  it('does not measure resident and device bytes on WASM, and never says 0', async () => {
    const { runtime } = fakeRuntime();
    const reports = await collect([pass([64])], runtime);
    expect(cellsOf(reports)[0]).toMatchObject({
      residentBytes: null,
      deviceBytes: { before: null, after: null, peak: null },
    });
    expect(reports.find(({ type }) => type === 'environment')).toMatchObject({
      notMeasured: { resident: expect.stringContaining('WASM') as string },
    });
  });

  it('feeds every sequence of a batch in one piece, anew at each stop, as the attention takes no chunks then', async () => {
    const { runtime, log } = fakeRuntime();
    const reports = await collect([pass([64, 250], { batch: 3 })], runtime);
    // 3 x 64 and 3 x 250 tokens of 2,048 bytes.
    expect(cellsOf(reports).map(({ tensorBytes }) => tensorBytes)).toEqual([393_216, 1_536_000]);
    expect(log.forwards.slice(0, 2)).toEqual([64, 250]);
  });

  it('stops within one chunk when cancelled, keeps the cells so far and releases the model', async () => {
    const controller = new AbortController();
    const { runtime, log } = fakeRuntime({
      onForward: () => {
        if (log.forwards.length === 2) controller.abort();
      },
    });
    const reports = await collect([pass([64, 1000])], runtime, {
      signal: controller.signal,
    });
    expect(cellsOf(reports)).toHaveLength(1);
    expect(log.forwards).toEqual([64, 100]);
    expect(log.releases).toBe(1);
    expect(reports.at(-1)).toEqual({ type: 'done', cancelled: true });
  });
});

describe('a growth pass', () => {
  it('reports the prompt and then each step', async () => {
    const { runtime } = fakeRuntime();
    const work = { kind: 'growth', prompt: 'KV 캐시는', promptTokens: 12, steps: 3 } as const;
    const reports = await collect([pass(work)], runtime);
    expect(reports.find(({ type }) => type === 'prompt')).toMatchObject({ tokens: 12, tensorBytes: 24_576 });
    expect(stepsOf(reports).map(({ tokens, tensorBytes }) => [tokens, tensorBytes])).toEqual([
      [13, 26_624],
      [14, 28_672],
      [15, 30_720],
    ]);
  });

  it('stops with the tensor named when the cache does not grow by the tokens that were fed', async () => {
    const { runtime } = fakeRuntime({ growBy: 1 });
    const work = { kind: 'growth', prompt: 'ab', promptTokens: 2, steps: 3 } as const;
    const reports = await collect([pass(work)], runtime);
    expect(reports.at(-1)).toMatchObject({
      type: 'pass-failed',
      fault: { code: 'cache-mismatch', params: { tensor: 'past_key_values.0.key' } },
    });
    expect(reports.some(({ type }) => type === 'step')).toBe(false);
  });
});

describe('faults', () => {
  it('ends with pass-failed and runs nothing more in this worker', async () => {
    const { runtime, log } = fakeRuntime({ failAt: 2 });
    const reports = await collect([pass([64, 128]), pass([64], { id: 1 })], runtime);
    expect(reports.at(-1)).toMatchObject({ type: 'pass-failed', passId: 0, fault: { code: 'run-failed' } });
    expect(cellsOf(reports)).toHaveLength(1);
    expect(log.loads).toHaveLength(1);
  });

  it('blames the allocator mode when it is not the default', async () => {
    const { runtime } = fakeRuntime({ failAt: 1 });
    const reports = await collect([pass([64], { device: 'webgpu', allocator: 'disabled' })], runtime);
    expect(reports.at(-1)).toMatchObject({
      fault: { code: 'allocator-failed', params: { mode: 'disabled' } },
    });
  });

  it('says that the runtime could not be loaded', async () => {
    const reports = await collect([pass([64])], fakeRuntime().runtime, {
      loadRuntime: () => Promise.reject(new Error('LinkError: import mismatch')),
    });
    expect(reports.at(-1)).toMatchObject({ fault: { code: 'runtime-load-failed' } });
  });

  it.each([
    ['webgpu', { code: 'out-of-memory', params: { bytes: 4096 } }],
    ['wasm', { code: 'wasm-out-of-memory' }],
  ] as const)(
    'translates a bare number, ONNX Runtime’s undecoded exception, on %s',
    async (device, fault) => {
      // transformers.js issue 1469: "Error: 3436070408"
      const runtime: Runtime = {
        threads: 1,
        build: 'asyncify',
        load: () => Promise.reject(new Error('3436070408')),
      };
      const reports = await collect([pass([64], { device })], runtime);
      expect(reports.at(-1)).toMatchObject({ type: 'pass-failed', fault });
    },
  );

  it('names the model that could not be loaded', async () => {
    const runtime: Runtime = {
      threads: 1,
      build: 'asyncify',
      load: () => Promise.reject(new Error('protobuf parsing failed')),
    };
    const reports = await collect([pass([64])], runtime);
    expect(reports.at(-1)).toMatchObject({
      fault: { code: 'model-load-failed', params: { model: 'tiny', detail: 'protobuf parsing failed' } },
    });
  });

  it('fails the graph check when the loaded graph has other KV heads than its config', async () => {
    const { runtime } = fakeRuntime({ kvHeads: 3 });
    const reports = await collect([pass([64])], runtime);
    expect(checkOf(reports, 'graph-cache')).toMatchObject({ pass: false });
  });
});
