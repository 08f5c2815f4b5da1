/** What the tests of this folder share: a runtime without a GPU, passes, and all reports of a run. */
import { setFloat16 } from '@petamoriken/float16';
import type { GpuWatch } from './gpu-watch';
import * as ledger from './ledger';
import { runPasses, type Dependencies } from './run-experiment';
import { PagedKvCache } from './paged-cache';
import { StaticKvCache } from './static-cache';
import { appendRows, fakeMemory, isFakeBound } from './bound-testing.fixture';
import type { KvCache, LoadedModel, LoadOptions, Runtime } from './runtime-types';
import { solveHere } from './solver-pool';
import { readGeometry } from '../geometry/read-config';
import type { Environment } from '../protocol/record';
import type { Pass, Report } from '../protocol/messages';
import type { ModelSource } from '../protocol/source';

export interface FakeOptions {
  /** Tokens too many by which the cache grows on top of a past. */
  growBy?: number;
  /** The forward pass that fails, counted from 1. */
  failAt?: number;
  kvHeads?: number;
  /** Element type of the cache inputs and tensors. */
  type?: 'float32' | 'float16';
  /** The layers have a convolution state too, as LFM2's: fixed, whatever the tokens. */
  convStates?: boolean;
  /** The element of a tensor at a token (counted from 0; `id` is what was fed there) and a channel (head x 32 + d); 0 where it is left out. */
  fill?: (name: string, token: number, id: number, channel: number) => number;
  onForward?: () => void;
  /** Of a preallocated cache: what is written to new rows (1 when left out), and what is added to the logits of passes over it. */
  written?: number;
  staticLogit?: number;
}

/** Tensors on the CPU with the shapes of `tiny` (4 layers, 2 KV heads, head dim 32); three tokens in the vocabulary. */
export function fakeRuntime(change: FakeOptions = {}) {
  const log = {
    loads: [] as LoadOptions[],
    releases: 0,
    disposals: 0,
    /** New tokens of each forward pass, and tokens that were there before. */
    forwards: [] as number[],
    pasts: [] as number[],
    /** The first row of each. */
    rows: [] as number[][],
  };
  const { kvHeads = 2, type = 'float32', convStates = false } = change;
  const ArrayType = type === 'float32' ? Float32Array : Uint16Array;
  const names = Array.from({ length: 8 }, (_, i) => `past_key_values.${i >> 1}.${i % 2 ? 'value' : 'key'}`);

  /** One sequence: [1, heads, tokens, 32]. */
  const fillTensor = (name: string, data: ArrayBufferView | null, ids: readonly number[]): void => {
    const { fill } = change;
    if (fill === undefined || data === null) return;
    const view = new DataView(data.buffer);
    const size = type === 'float32' ? 4 : 2;
    for (let at = 0; at * size < view.byteLength; at++) {
      const [head, token, d] = [
        Math.floor(at / (ids.length * 32)),
        Math.floor(at / 32) % ids.length,
        at % 32,
      ];
      const value = fill(name, token, ids[token] ?? 0, head * 32 + d);
      if (size === 4) view.setFloat32(at * 4, value, true);
      else setFloat16(view, at * 2, value, true);
    }
  };

  class FakeCache implements KvCache {
    readonly preallocated = null;
    private ids: number[] = [];
    private tokens = 0;
    private held = new Map<string, ledger.LedgerTensor>();
    grow(batch: number, by: number, fed: readonly number[]): void {
      this.tokens += by;
      this.ids.push(...fed);
      const tensor = (dims: number[]): ledger.LedgerTensor => ({
        type,
        dims,
        location: 'cpu',
        gpuBuffer: null,
        cpuData: new ArrayType(dims.reduce((product, dim) => product * dim, 1)),
      });
      this.held = new Map(names.map((name) => [name, tensor([batch, kvHeads, this.tokens, 32])]));
      for (const [name, { cpuData }] of this.held) fillTensor(name, cpuData, this.ids);
      if (convStates) this.held.set('past_conv.0', tensor([batch, 64, 3]));
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
    graphCache: [
      ...names.map((name) => ({ name, type, dims: ['batch_size', kvHeads, 'past_sequence_length', 32] })),
      ...(convStates ? [{ name: 'past_conv.0', type, dims: ['batch_size', 64, 3] }] : []),
    ],
    notes: [],
    tokenize: (text) => Promise.resolve([...new TextEncoder().encode(text)]),
    emptyCache: (kind = { policy: 'dynamic' }) =>
      kind.policy === 'static'
        ? new StaticKvCache(fakeMemory, model.graphCache, kind)
        : kind.policy === 'paged'
          ? new PagedKvCache(fakeMemory, model.graphCache, kind)
          : new FakeCache(),
    forward(tokens, pastTokens, cache) {
      const length = tokens[0]?.length ?? 0;
      log.forwards.push(length);
      log.pasts.push(pastTokens);
      log.rows.push(tokens[0] ?? []);
      change.onForward?.();
      if (log.forwards.length === change.failAt)
        return Promise.reject(new Error('Buffer used in submit while destroyed'));
      const grow = pastTokens > 0 ? (change.growBy ?? 0) : 0;
      let added = 0;
      if (isFakeBound(cache)) {
        appendRows(cache, pastTokens, length, { grow, value: change.written ?? 1 });
        added = change.staticLogit ?? 0;
      } else {
        if (!(cache instanceof FakeCache)) throw new Error('a cache of another runtime');
        cache.grow(tokens.length, length + grow, tokens[0] ?? []);
      }
      // As a graph that gives the logits of all its positions: 3 float32 each.
      const logits = tokens.map(() => Float32Array.of(added, 1 + added, 0.5 + added));
      return Promise.resolve({ logits, logitsBytes: tokens.length * length * 12 });
    },
    release() {
      log.releases++;
      return Promise.resolve();
    },
  };
  const runtime: Runtime = {
    threads: 1,
    build: 'asyncify',
    load: (options) => {
      log.loads.push(options);
      return Promise.resolve(model);
    },
  };
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

/** A GPU without anything to tell. */
export const quietGpu: GpuWatch = {
  adapter: null,
  device: null,
  fault: null,
  notes: ['opened otherwise'],
  liveBytes: () => 4096,
  guard: (work) => work,
  awaitReason: () => Promise.resolve(),
  check: () => undefined,
  expectClose: () => undefined,
};

/** A pass over `tiny`; lengths without steps may be given as their stops alone. */
export function pass(work: Pass['work'] | number[], more: Partial<Pass> = {}): Pass {
  return {
    id: 0,
    model: 'tiny',
    dtype: 'fp32',
    batch: 1,
    policy: 'dynamic',
    room: 0,
    overflow: 'refuse',
    bits: '8',
    block: 16,
    device: 'wasm',
    allocator: 'bucket',
    chunk: 100,
    seed: 0,
    repeat: 0,
    processBytes: false,
    work: Array.isArray(work) ? { kind: 'length', stops: work, steps: 0 } : work,
    ...more,
  };
}

/** A model from outside, by its config the same as `tiny`; three tokens in its vocabulary, as the fake runtime has. */
export function source(patch: Partial<ModelSource> = {}): ModelSource {
  return {
    id: 'owner/name',
    name: 'name',
    kind: 'hub',
    revision: '0123abc',
    dtype: 'q4',
    files: new Map([['config.json', new Blob(['{}'])]]),
    weightBytes: 1234,
    parameters: 5678,
    geometry: readGeometry({
      model_type: 'llama',
      hidden_size: 128,
      num_hidden_layers: 4,
      num_attention_heads: 8,
      num_key_value_heads: 2,
      head_dim: 32,
      max_position_embeddings: 4096,
    }),
    geometryFrom: 'config',
    cacheType: 'float32',
    vocabSize: 3,
    keepsLogits: true,
    chunksBatches: true,
    notes: ['a note of its own'],
    ...patch,
  };
}

/** Runs the passes and gives every report. */
export async function collect(
  passes: Pass[],
  runtime: Runtime,
  more: Partial<Dependencies> = {},
): Promise<Report[]> {
  const reports: Report[] = [];
  const deps: Dependencies = {
    loadRuntime: () => Promise.resolve(runtime),
    environment: () => HERE,
    ledger,
    gpu: quietGpu,
    pipelinesBuilt: () => 0,
    sources: [],
    documents: [],
    solve: (jobs, { signal }) => solveHere(jobs, signal),
    probe: () => Promise.resolve([]),
    processBytes: () => Promise.resolve(null),
    signal: new AbortController().signal,
    ...more,
  };
  for await (const report of runPasses(passes, deps)) reports.push(report);
  return reports;
}

export const cellsOf = (reports: Report[]) =>
  reports.flatMap((report) => (report.type === 'cell' ? [report.cell] : []));
export const stepsOf = (reports: Report[]) =>
  reports.flatMap((report) => (report.type === 'step' ? [report.step] : []));
/** The model as it was reported last. */
export const modelOf = (reports: Report[]) =>
  reports.flatMap((report) => (report.type === 'model' ? [report.model] : [])).at(-1);
export const checkOf = (reports: Report[], name: string) =>
  reports
    .flatMap((report) => (report.type === 'check' && report.check.name === name ? [report.check] : []))
    .at(0);
