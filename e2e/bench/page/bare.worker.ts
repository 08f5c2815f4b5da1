/** The bare decode loop that ours is held against: transformers.js' own model and cache, and nothing of ours around them. */
import { AutoModelForCausalLM, DynamicCache, env, Tensor } from '@huggingface/transformers';
import ortScriptUrl from 'onnxruntime-web/ort-wasm-simd-threaded.asyncify.mjs?url';
import ortWasmUrl from 'onnxruntime-web/ort-wasm-simd-threaded.asyncify.wasm?url';
import { findModel } from '../../../src/model/catalog';
import { buildModelFiles } from '../../../src/model/twin';
import { seededTokens } from '../../../src/model/weights';
import type { Device } from '../../../src/protocol/recipe';

export interface DecodeTask {
  /** Of the catalogue. */
  model: string;
  device: Device;
  promptTokens: number;
  steps: number;
  seed: number;
}

/** Milliseconds a step, of all steps but the first, or what went wrong. */
export type FromBare = { msPerStep: number } | { error: string };

const ID = 'bench/model';
const WASM = env.backends.onnx.wasm;
if (WASM) WASM.wasmPaths = { mjs: ortScriptUrl, wasm: ortWasmUrl };
env.allowLocalModels = true;
env.allowRemoteModels = false;
env.useBrowserCache = false;
env.useWasmCache = false;
env.useCustomCache = true;
env.fetch = () => Promise.resolve(new Response(null, { status: 404 }));

/** Lanes of a subgroup below which ours opens the device without them; the same here, so that both run the same shaders. */
const SMALLEST_SUBGROUP = 8;
if (typeof GPUAdapter !== 'undefined') {
  const { prototype } = GPUAdapter;
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its adapter
  const request = prototype.requestDevice;
  prototype.requestDevice = function (this: GPUAdapter, asked) {
    const small = (this.info.subgroupMinSize || SMALLEST_SUBGROUP) < SMALLEST_SUBGROUP;
    const features = [...(asked?.requiredFeatures ?? [])].filter((name) => !name.startsWith('subgroup'));
    return request.call(this, small ? { ...asked, requiredFeatures: features } : asked);
  };
}

let loaded: ReturnType<typeof load> | null = null;

addEventListener('message', ({ data }: MessageEvent<DecodeTask>) => {
  void decode(data)
    .then(
      (msPerStep): FromBare => ({ msPerStep }),
      (error: unknown): FromBare => ({ error: error instanceof Error ? error.message : String(error) }),
    )
    .then((answer) => {
      postMessage(answer);
    });
});

async function load({ model, device, seed, promptTokens, steps }: DecodeTask) {
  const spec = findModel(model);
  if (spec === null) throw new Error(`the catalogue has no ${model}`);
  const files = buildModelFiles(spec, 'fp32', seed, promptTokens + steps);
  env.customCache = {
    match: (request: string) => {
      const file = files.get(request.slice(request.indexOf(ID) + ID.length + 1));
      return Promise.resolve(file === undefined ? undefined : new Response(file));
    },
    put: () => Promise.resolve(),
  };
  return AutoModelForCausalLM.from_pretrained(ID, { device, dtype: 'fp32' });
}

async function decode(task: DecodeTask): Promise<number> {
  const model = await (loaded ??= load(task));
  const cache = new DynamicCache();
  try {
    let tokens = seededTokens(task.seed, task.promptTokens, 256);
    let past = 0;
    let startedAt = 0;
    // The prompt, the step that is not counted, and those that are.
    for (let pass = 0; pass < task.steps + 1; pass++) {
      if (pass === 2) startedAt = performance.now();
      const length = past + tokens.length;
      const outputs = (await model.forward({
        input_ids: int64(tokens, [1, tokens.length]),
        attention_mask: int64(new Array<number>(length).fill(1), [1, length]),
        num_logits_to_keep: int64([1], []),
        past_key_values: cache,
      })) as Record<string, Tensor>;
      cache.update(pastOf(outputs));
      past = length;
      tokens = [argmax(outputs['logits']?.data as Float32Array)];
    }
    return (performance.now() - startedAt) / (task.steps - 1);
  } finally {
    await cache.dispose();
  }
}

function pastOf(outputs: Record<string, Tensor>): Record<string, Tensor> {
  return Object.fromEntries(
    Object.entries(outputs)
      .filter(([name]) => name.startsWith('present.'))
      .map(([name, tensor]) => [name.replace('present.', 'past_key_values.'), tensor]),
  );
}

function int64(values: number[], dims: number[]): Tensor {
  return new Tensor('int64', BigInt64Array.from(values, BigInt), dims);
}

function argmax(values: Float32Array): number {
  let best = 0;
  for (let i = 1; i < values.length; i++) if ((values[i] ?? NaN) > (values[best] ?? NaN)) best = i;
  return best;
}
