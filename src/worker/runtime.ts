/** The only file that imports transformers.js: loads a model from files and runs forward passes. */
import {
  AutoModelForCausalLM,
  AutoTokenizer,
  DynamicCache,
  env,
  LogLevel,
  Tensor,
} from '@huggingface/transformers';
import { InferenceSession, Tensor as OrtTensor } from 'onnxruntime-web/webgpu';
import { dimsRefusal, type BoundCache } from './bound-cache';
import { arrayMemory, gpuMemory, type CacheMemory } from './cache-memory';
import { DynamicKvCache } from './dynamic-cache';
import { LogitsReader } from './logits';
import { buildHere, wasmPathsOf, withProviderOptions } from './ort-build';
import { PagedKvCache } from './paged-cache';
import { PassInputs } from './pass-inputs';
import { StaticKvCache } from './static-cache';
import type { CacheKind, KvCache, LoadedModel, LoadOptions, Runtime } from './runtime-types';
import type { ModelFiles } from '../model/twin';
import { LabError } from '../protocol/faults';
import type { GraphCacheEntry } from '../protocol/record';

/** The one model that is being loaded; every file request of transformers.js is answered from it. */
let servedFiles: ModelFiles = new Map();
const SERVED_ID = 'kv-cache-lab/model';
/** Escape sequences with which ONNX Runtime colours its log. */
const ANSI_COLOUR = new RegExp(String.raw`\u001b?\[[\d;]*m`, 'g');
/** Cache inputs by family: plain, Mamba, LFM2, Qwen3.5, DeepSeek V4 (transformers.js, src/configs.js `getCacheNames`). */
const CACHE_INPUT = /^past_(key_values|ssm|conv|recurrent|compressor|indexer)\./;

// Errors are thrown to us as well; the console needs no second copy with all inputs.
env.logLevel = LogLevel.NONE;
env.allowLocalModels = true;
env.allowRemoteModels = false;
env.localModelPath = '/models/';
env.useBrowserCache = false;
env.useWasmCache = false;
env.useCustomCache = true;
env.customCache = {
  match: (request: string) => Promise.resolve(serve(request)),
  put: () => Promise.resolve(),
};
// Optional files that the model does not have end here, not at a server.
env.fetch = () => Promise.resolve(new Response(null, { status: 404, statusText: 'not part of this model' }));

const build = buildHere();
const wasm = env.backends.onnx.wasm;
if (wasm) wasm.wasmPaths = wasmPathsOf(build);

function serve(request: string): Response | undefined {
  const marker = `/${SERVED_ID}/`;
  const at = request.indexOf(marker);
  const file = at < 0 ? undefined : servedFiles.get(request.slice(at + marker.length));
  return file === undefined ? undefined : new Response(file);
}

export const runtime: Runtime = {
  get threads() {
    return wasm?.numThreads ?? 1;
  },
  build,
  load,
};

async function load({ files, device, dtype, allocator, cacheBits }: LoadOptions): Promise<LoadedModel> {
  servedFiles = files;
  const open = () =>
    AutoModelForCausalLM.from_pretrained(SERVED_ID, {
      device,
      dtype,
      use_external_data_format: externalDataOf(files),
      session_options: {
        logSeverityLevel: 2,
        ...(device === 'webgpu'
          ? { executionProviders: [{ name: 'webgpu', storageBufferCacheMode: allocator }] }
          : {}),
      },
    });
  const openOnGpu = () => withLogitsOnGpu(open);
  const { result: model, warnings } = await listen(() => {
    if (device === 'wasm') return open();
    return cacheBits === undefined
      ? openOnGpu()
      : withProviderOptions({ kvCacheQuantizationBits: cacheBits }, openOnGpu);
  });
  const tokenizer = files.has('tokenizer.json') ? await AutoTokenizer.from_pretrained(SERVED_ID) : null;
  servedFiles = new Map(); // The session has its own copy.

  const sessions = model.sessions as Record<string, Session>;
  // Multimodal exports keep the text decoder apart from its embeddings.
  const session = sessions['decoder_model_merged'] ?? sessions['model'];
  if (!session) throw new Error('the model has no decoder session');
  const graphCache = session.inputMetadata
    .filter(({ name }) => CACHE_INPUT.test(name))
    .map(({ name, type, shape }): GraphCacheEntry => ({
      name,
      type: type ?? '',
      dims: [...(shape ?? [])],
    }));
  const memory = await cacheMemory(device);
  const reader = new LogitsReader(device === 'wasm' ? null : await gpuDevice());
  const inputs = new PassInputs((values, dims) => new Tensor('int64', values, dims));
  const branches = session.inputMetadata.some(({ name }) => name === 'use_cache_branch');

  return {
    graphCache,
    notes: warnings,
    tokenize(text) {
      if (tokenizer === null) return Promise.reject(new LabError('no-tokenizer'));
      const { input_ids: ids } = tokenizer(text, { add_special_tokens: false }) as { input_ids: Tensor };
      return Promise.resolve(Array.from(ids.data as BigInt64Array, Number));
    },
    emptyCache(kind: CacheKind = { policy: 'dynamic' }) {
      if (kind.policy === 'static') return new StaticKvCache(memory, graphCache, kind);
      if (kind.policy === 'paged') return new PagedKvCache(memory, graphCache, kind);
      return new DynamicKvCache(new DynamicCache());
    },
    async forward(tokens, pastTokens, cache, { mask, greedy } = {}) {
      const batch = tokens.length;
      const length = tokens[0]?.length ?? 0;
      const appended = boundCache(cache);
      appended?.open(pastTokens, length);
      const entries =
        appended === null ? dynamic(cache).entries : new DynamicCache(Object.fromEntries(appended.inputs()));
      // A graph that branches on whether there is a cache gets none at first, so that transformers.js says "no".
      if (appended === null && cache.tensors().size === 0 && !branches)
        entries.update(emptyTensors(graphCache, batch));
      const feeds = {
        input_ids: inputs.tokens(tokens),
        attention_mask: mask === undefined ? inputs.allReal(batch, pastTokens + length) : inputs.mask(mask),
        // Where rows end at different places, the last position of each is picked from all logits.
        num_logits_to_keep: inputs.scalar(mask === undefined ? 1 : 0),
        past_key_values: entries,
      };
      const run = (): Promise<Record<string, Tensor>> => model.forward(feeds);
      const outputs = appended === null ? await run() : await runInto(session, appended, run);
      if (appended === null) dynamic(cache).append(outputs);
      else appended.take(outputs, pastTokens + length);
      const lengths = mask?.map((row) => row.slice(pastTokens).lastIndexOf(1) + 1);
      return reader.take(outputs['logits'], { lengths, greedy });
    },
    async release() {
      reader.destroy();
      await model.dispose();
    },
  };
}

/**
 * How many external data files each graph has: `model.onnx_data`, `model.onnx_data_1`, … Exports do not always announce
 * them in their config.json (transformers.js, src/utils/model-loader.js).
 */
function externalDataOf(files: ModelFiles): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const path of files.keys()) {
    const graph = /([^/]+\.onnx)_data(_\d+)?$/.exec(path)?.[1];
    if (graph !== undefined) counts[graph] = (counts[graph] ?? 0) + 1;
  }
  return counts;
}

type Feeds = Record<string, unknown>;

interface Session {
  inputMetadata: { name: string; type?: string; shape?: (number | string)[] }[];
  outputNames: readonly string[];
  run(feeds: Feeds, fetches?: Feeds): Promise<Feeds>;
}

/**
 * Runs a forward pass of transformers.js whose session writes the cache into the tensors that it was given. transformers.js has
 * no way to say so, hence the session's `run` is replaced for as long as the pass takes; passes never run side by side.
 * @throws LabError static-dims when the graph's outputs do not fit.
 */
async function runInto<T>(session: Session, cache: BoundCache<Tensor>, work: () => Promise<T>): Promise<T> {
  const outputs = cache.outputs();
  if (outputs.size === 0) return work();
  const fetches = Object.fromEntries(
    session.outputNames.map((name) => [name, outputs.get(name)?.ort_tensor ?? null]),
  );
  const run = session.run.bind(session);
  session.run = (feeds) => run(feeds, fetches);
  try {
    return await work();
  } catch (error) {
    throw dimsRefusal(String(error), outputs) ?? error;
  } finally {
    // The class's own again.
    Reflect.deleteProperty(session, 'run');
  }
}

/**
 * Creates sessions that leave their logits on the GPU, where they are read only if they are wanted. transformers.js leaves only
 * the cache there and takes no wish, hence ONNX Runtime's `create` is replaced for as long as it loads a model.
 */
async function withLogitsOnGpu<T>(work: () => Promise<T>): Promise<T> {
  const own = InferenceSession as { create: (...args: unknown[]) => Promise<InferenceSession> };
  const { create } = own;
  own.create = (model, options) => {
    const { preferredOutputLocation, ...others } = options as InferenceSession.SessionOptions;
    const preferred = typeof preferredOutputLocation === 'object' ? preferredOutputLocation : {};
    const locations = { ...preferred, logits: 'gpu-buffer' };
    return create.call(InferenceSession, model, { ...others, preferredOutputLocation: locations });
  };
  try {
    return await work();
  } finally {
    own.create = create;
  }
}

/** ONNX Runtime's own device. */
async function gpuDevice(): Promise<GPUDevice> {
  return (await env.backends.onnx.webgpu?.device) as GPUDevice;
}

/** Buffers on ONNX Runtime's own device, or arrays in memory. */
async function cacheMemory(device: LoadOptions['device']): Promise<CacheMemory<Tensor>> {
  if (device === 'wasm') return arrayMemory(zeroTensor);
  return gpuMemory(await gpuDevice(), (gpuBuffer, type, dims) => {
    const tensor = OrtTensor.fromGpuBuffer(gpuBuffer, { dataType: type as 'float32', dims });
    return new Tensor(tensor);
  });
}

function dynamic(cache: KvCache): DynamicKvCache {
  if (!(cache instanceof DynamicKvCache)) throw new Error('a cache of another runtime');
  return cache;
}

/** The cache as one whose memory is bound to the pass; null for one that grows. */
function boundCache(cache: KvCache): BoundCache<Tensor> | null {
  const bound = cache instanceof StaticKvCache || cache instanceof PagedKvCache;
  return bound ? (cache as BoundCache<Tensor>) : null;
}

/**
 * The tensors of an empty cache, by the graph's own shapes: no tokens, and states full of zeros. transformers.js would make
 * them too, but with a batch of 0 where a graph does not call that dimension `batch_size`.
 */
function emptyTensors(graphCache: readonly GraphCacheEntry[], batch: number): Record<string, Tensor> {
  return Object.fromEntries(
    graphCache.map(({ name, type, dims }) => {
      const shape = dims.map((dim, axis) => (typeof dim === 'number' ? dim : axis === 0 ? batch : 0));
      return [name, zeroTensor(type, shape)];
    }),
  );
}

function zeroTensor(type: string, dims: readonly number[]): Tensor {
  const size = dims.reduce((product, dim) => product * dim, 1);
  return new Tensor(type as 'float32', zeros(type, size), [...dims]);
}

/** Newer browsers have it, and ONNX Runtime wants it there. */
const float16Array = (globalThis as { Float16Array?: new (length: number) => ArrayBufferView }).Float16Array;

function zeros(type: string, size: number): ArrayBufferView {
  if (type === 'float32') return new Float32Array(size);
  if (type === 'float16') return new (float16Array ?? Uint16Array)(size);
  if (type === 'int64') return new BigInt64Array(size);
  if (type === 'int8') return new Int8Array(size);
  if (type === 'uint8') return new Uint8Array(size);
  throw new LabError('cache-type-unknown', { type });
}

/** Collects what ONNX Runtime writes to the console while `work` runs; it writes its warnings as errors, in colour. */
async function listen<T>(work: () => Promise<T>): Promise<{ result: T; warnings: string[] }> {
  const warnings: string[] = [];
  const { warn, error } = console;
  console.warn = console.error = (...parts: unknown[]) => {
    // "[0;93m2026-11-30 07:57:47.683804 [W:onnxruntime:, session_state.cc:1397 Function] Text.[m"
    const text = parts.map(String).join(' ').replace(ANSI_COLOUR, '');
    warnings.push(text.replace(/^.*\[W:onnxruntime:[^\]]*\]\s*/, 'ONNX Runtime: '));
  };
  try {
    return { result: await work(), warnings };
  } finally {
    Object.assign(console, { warn, error });
  }
}
