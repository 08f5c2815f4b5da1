/** The only file that imports transformers.js or onnxruntime: loads a model from files and runs forward passes. */
import {
  AutoModelForCausalLM,
  AutoTokenizer,
  DynamicCache,
  env,
  LogLevel,
  Tensor,
} from '@huggingface/transformers';
import ortScriptUrl from 'onnxruntime-web/ort-wasm-simd-threaded.asyncify.mjs?url';
import ortWasmUrl from 'onnxruntime-web/ort-wasm-simd-threaded.asyncify.wasm?url';
import { DynamicKvCache } from './dynamic-cache';
import type { KvCache, LoadedModel, LoadOptions, Runtime } from './runtime-types';
import type { ModelFiles } from '../model/twin';
import type { GraphCacheEntry } from '../protocol/record';

/** The one model that is being loaded; every file request of transformers.js is answered from it. */
let servedFiles: ModelFiles = new Map();
const SERVED_ID = 'kv-cache-lab/model';
/** Cache inputs by family: plain, Mamba, LFM2, Qwen3.5, DeepSeek V4 (transformers.js, src/configs.js `getCacheNames`). */
/** Escape sequences with which ONNX Runtime colours its log. */
const ANSI_COLOUR = new RegExp(String.raw`\u001b?\[[\d;]*m`, 'g');
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

const wasm = env.backends.onnx.wasm;
if (wasm) wasm.wasmPaths = { mjs: ortScriptUrl, wasm: ortWasmUrl };

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
  load,
};

async function load({ files, device, dtype, allocator }: LoadOptions): Promise<LoadedModel> {
  servedFiles = files;
  const { result: model, warnings } = await listen(() =>
    AutoModelForCausalLM.from_pretrained(SERVED_ID, {
      device,
      dtype,
      session_options: {
        logSeverityLevel: 2,
        ...(device === 'webgpu'
          ? { executionProviders: [{ name: 'webgpu', storageBufferCacheMode: allocator }] }
          : {}),
      },
    }),
  );
  const tokenizer = await AutoTokenizer.from_pretrained(SERVED_ID);
  servedFiles = new Map(); // The session has its own copy.

  const session = (model.sessions as Record<string, Session>).model;
  if (!session) throw new Error('the model has no decoder session');

  return {
    graphCache: session.inputMetadata
      .filter(({ name }) => CACHE_INPUT.test(name))
      .map(({ name, type, shape }): GraphCacheEntry => ({
        name,
        type: type ?? '',
        dims: [...(shape ?? [])],
      })),
    notes: warnings,
    tokenize(text) {
      const { input_ids: ids } = tokenizer(text, { add_special_tokens: false }) as { input_ids: Tensor };
      return Promise.resolve(Array.from(ids.data as BigInt64Array, Number));
    },
    emptyCache: () => new DynamicKvCache(new DynamicCache()),
    async forward(tokens, pastTokens, cache) {
      const batch = tokens.length;
      const length = tokens[0]?.length ?? 0;
      const outputs = (await model.forward({
        input_ids: int64(tokens.flat(), [batch, length]),
        attention_mask: int64(new Array<number>(batch * (pastTokens + length)).fill(1), [
          batch,
          pastTokens + length,
        ]),
        num_logits_to_keep: int64([1], []),
        past_key_values: dynamic(cache).entries,
      })) as Record<string, Tensor>;
      dynamic(cache).append(outputs);
      return lastLogits(outputs.logits);
    },
    async release() {
      await model.dispose();
    },
  };
}

interface Session {
  inputMetadata: { name: string; type?: string; shape?: (number | string)[] }[];
}

function dynamic(cache: KvCache): DynamicKvCache {
  if (!(cache instanceof DynamicKvCache)) throw new Error('this runtime runs the dynamic cache policy only');
  return cache;
}

function int64(values: number[], dims: number[]): Tensor {
  return new Tensor('int64', BigInt64Array.from(values, BigInt), dims);
}

/** Rows of [batch, 1, vocabulary] logits, as float32. */
function lastLogits(logits: Tensor | undefined): Float32Array[] {
  if (!logits) throw new Error('the graph has no output named logits');
  const [batch = 0, kept = 0, vocabulary = 0] = logits.dims;
  const values = Float32Array.from(logits.to('float32').data as Float32Array);
  return Array.from({ length: batch }, (_, row) => {
    const end = (row + 1) * kept * vocabulary;
    return values.subarray(end - vocabulary, end);
  });
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
