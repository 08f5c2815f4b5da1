import { describe, expect, it } from 'vitest';
import type { GpuWatch } from './gpu-watch';
import * as ledger from './ledger';
import { runPasses, type Dependencies } from './run-experiment';
import type { KvCache, LoadedModel, Runtime } from './runtime-types';
import type { Environment } from '../protocol/record';
import type { Pass, Report } from '../protocol/messages';

/** A runtime without a GPU: tensors on the CPU with the shapes of `tiny` (4 layers, 2 KV heads, head dim 32). */
function fakeRuntime(
  change: { growBy?: number; failAt?: number; kvHeads?: number; onForward?: () => void } = {},
) {
  const log = { loads: 0, releases: 0, disposals: 0, forwards: [] as number[] };
  const kvHeads = change.kvHeads ?? 2;
  class FakeCache implements KvCache {
    private tokens = 0;
    private held = new Map<string, ledger.LedgerTensor>();
    grow(batch: number, by: number): void {
      this.tokens += by;
      this.held = new Map(
        Array.from({ length: 8 }, (_, i) => [
          `past_key_values.${i >> 1}.${i % 2 ? 'value' : 'key'}`,
          {
            type: 'float32',
            dims: [batch, kvHeads, this.tokens, 32],
            location: 'cpu',
            gpuBuffer: null,
            cpuData: new Float32Array(batch * kvHeads * this.tokens * 32),
          },
        ]),
      );
    }
    tensors() {
      return this.held;
    }
    dispose() {
      log.disposals++;
      this.held = new Map();
      return Promise.resolve();
    }
  }
  const model: LoadedModel = {
    graphCache: Array.from({ length: 8 }, (_, i) => ({
      name: `past_key_values.${i >> 1}.${i % 2 ? 'value' : 'key'}`,
      type: 'float32',
      dims: ['batch_size', kvHeads, 'past_sequence_length', 32],
    })),
    notes: [],
    tokenize: (text) => Promise.resolve([...new TextEncoder().encode(text)]),
    emptyCache: () => new FakeCache(),
    forward(tokens, pastTokens, cache) {
      const length = tokens[0]?.length ?? 0;
      log.forwards.push(length);
      change.onForward?.();
      if (log.forwards.length === change.failAt)
        return Promise.reject(new Error('Buffer used in submit while destroyed'));
      if (!(cache instanceof FakeCache)) throw new Error('a cache of another runtime');
      cache.grow(tokens.length, length + (pastTokens > 0 ? (change.growBy ?? 0) : 0));
      return Promise.resolve(tokens.map(() => Float32Array.of(0, 1, 0.5)));
    },
    release() {
      log.releases++;
      return Promise.resolve();
    },
  };
  const runtime: Runtime = { threads: 1, load: () => (log.loads++, Promise.resolve(model)) };
  return { runtime, log };
}

const HERE: Environment = {
  app: '0',
  commit: 'unknown',
  transformers: '0',
  onnxruntime: '0',
  browser: 'none',
  os: 'none',
  backend: 'wasm',
  adapter: null,
  features: [],
  limits: {},
  adapterLimits: {},
  allocator: 'bucket',
  crossOriginIsolated: false,
  threads: 1,
};

const quietGpu: GpuWatch = {
  adapter: null,
  device: null,
  fault: null,
  notes: ['opened otherwise'],
  liveBytes: () => 4096,
  guard: (work) => work,
  check: () => undefined,
  expectClose: () => undefined,
};

function pass(work: Pass['work'], more: Partial<Pass> = {}): Pass {
  return {
    id: 0,
    model: 'tiny',
    dtype: 'fp32',
    batch: 1,
    policy: 'dynamic',
    device: 'wasm',
    allocator: 'bucket',
    chunk: 100,
    seed: 0,
    repeat: 0,
    work,
    ...more,
  };
}

async function collect(
  passes: Pass[],
  runtime: Runtime,
  more: Partial<Dependencies> = {},
): Promise<Report[]> {
  const reports: Report[] = [];
  const deps = {
    loadRuntime: () => Promise.resolve(runtime),
    environment: () => HERE,
    ledger,
    gpu: quietGpu,
    signal: new AbortController().signal,
    ...more,
  };
  for await (const report of runPasses(passes, deps)) reports.push(report);
  return reports;
}

const cellsOf = (reports: Report[]) =>
  reports.flatMap((report) => (report.type === 'cell' ? [report.cell] : []));

describe('a length pass', () => {
  it('measures at each stop on one way through, in chunks that end at the stops', async () => {
    const { runtime, log } = fakeRuntime();
    const reports = await collect([pass({ kind: 'length', stops: [64, 250] })], runtime);
    // tiny, fp32: 2,048 bytes a token (4 layers x 2 x 2 KV heads x 32 x 4 bytes)
    expect(cellsOf(reports).map(({ tokens, tensorBytes }) => [tokens, tensorBytes])).toEqual([
      [64, 131_072],
      [250, 512_000],
    ]);
    expect(log.forwards.slice(0, 3)).toEqual([64, 100, 86]);
  });

  it('does not measure resident and device bytes on WASM, and never says 0', async () => {
    const { runtime } = fakeRuntime();
    const reports = await collect([pass({ kind: 'length', stops: [64] })], runtime);
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
    const reports = await collect([pass({ kind: 'length', stops: [64, 250] }, { batch: 3 })], runtime);
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
    const reports = await collect([pass({ kind: 'length', stops: [64, 1000] })], runtime, {
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
    const steps = reports.flatMap((report) => (report.type === 'step' ? [report.step] : []));
    expect(steps.map(({ tokens, tensorBytes }) => [tokens, tensorBytes])).toEqual([
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
    const stops = { kind: 'length', stops: [64, 128] } as const;
    const reports = await collect(
      [pass({ ...stops, stops: [...stops.stops] }), pass({ kind: 'length', stops: [64] }, { id: 1 })],
      runtime,
    );
    expect(reports.at(-1)).toMatchObject({ type: 'pass-failed', passId: 0, fault: { code: 'run-failed' } });
    expect(cellsOf(reports)).toHaveLength(1);
    expect(log.loads).toBe(1);
  });

  it('blames the allocator mode when it is not the default', async () => {
    const { runtime } = fakeRuntime({ failAt: 1 });
    const reports = await collect(
      [pass({ kind: 'length', stops: [64] }, { device: 'webgpu', allocator: 'disabled' })],
      runtime,
    );
    expect(reports.at(-1)).toMatchObject({
      fault: { code: 'allocator-failed', params: { mode: 'disabled' } },
    });
  });

  it('says that the runtime could not be loaded', async () => {
    const reports = await collect([pass({ kind: 'length', stops: [64] })], fakeRuntime().runtime, {
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
      const runtime: Runtime = { threads: 1, load: () => Promise.reject(new Error('3436070408')) };
      const reports = await collect([pass({ kind: 'length', stops: [64] }, { device })], runtime);
      expect(reports.at(-1)).toMatchObject({ type: 'pass-failed', fault });
    },
  );

  it('names the model that could not be loaded', async () => {
    const runtime: Runtime = { threads: 1, load: () => Promise.reject(new Error('protobuf parsing failed')) };
    const reports = await collect([pass({ kind: 'length', stops: [64] })], runtime);
    expect(reports.at(-1)).toMatchObject({
      fault: { code: 'model-load-failed', params: { model: 'tiny', detail: 'protobuf parsing failed' } },
    });
  });

  it('fails the graph check when the loaded graph has other KV heads than its config', async () => {
    const { runtime } = fakeRuntime({ kvHeads: 3 });
    const reports = await collect([pass({ kind: 'length', stops: [64] })], runtime);
    const check = reports.find((report) => report.type === 'check' && report.check.name === 'graph-cache');
    expect(check).toMatchObject({ check: { pass: false } });
  });
});
