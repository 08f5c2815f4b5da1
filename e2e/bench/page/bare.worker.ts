/** What ours is held against: transformers.js' own model, cache and loops, and nothing of ours around them. */
import './forced-build';
import {
  AutoModelForCausalLM,
  DynamicCache,
  env,
  StoppingCriteria,
  Tensor,
  type PreTrainedModel,
} from '@huggingface/transformers';
import asyncifyScriptUrl from 'onnxruntime-web/ort-wasm-simd-threaded.asyncify.mjs?url';
import asyncifyWasmUrl from 'onnxruntime-web/ort-wasm-simd-threaded.asyncify.wasm?url';
import jspiScriptUrl from 'onnxruntime-web/ort-wasm-simd-threaded.jspi.mjs?url';
import jspiWasmUrl from 'onnxruntime-web/ort-wasm-simd-threaded.jspi.wasm?url';
import { answer } from './ask-worker';
import type { BareTask, Loop } from './loops';
import { cutLayers } from '../../../src/model/cut-layers';
import { findModel } from '../../../src/model/catalog';
import { buildModelFiles, type BuildSpec } from '../../../src/model/twin';
import { readTwinId } from '../../../src/model/twin-id';
import { buildHere } from '../../../src/worker/ort-build';
import { seededTokens } from '../../../src/model/weights';
import { BYTE_VOCAB_SIZE } from '../../../src/model/byte-tokenizer';

const ID = 'bench/model';
const WASM_PATHS = {
  asyncify: { mjs: asyncifyScriptUrl, wasm: asyncifyWasmUrl },
  jspi: { mjs: jspiScriptUrl, wasm: jspiWasmUrl },
};
const { wasm } = env.backends.onnx;
if (wasm) wasm.wasmPaths = WASM_PATHS[buildHere()];
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

answer(async (task: BareTask): Promise<Loop> => {
  // Ours loads its model for every run, so this does too.
  const model = await load(task);
  try {
    return await (task.by === 'generate' ? generate(model, task) : forwardLoop(model, task));
  } finally {
    await model.dispose();
  }
});

/** The catalogue's model of that id, or its first layers: `twin:owner/name:layers=4`. @throws Error for an id it has not. */
function specOf(id: string): BuildSpec {
  const whole = findModel(id);
  if (whole !== null) return whole;
  const twin = readTwinId(id);
  const cut = twin === null ? null : findModel(`twin:${twin.base}`);
  if (cut === null || twin?.layers == null) throw new Error(`the catalogue has no ${id}`);
  return { source: 'twin', geometry: cutLayers(cut.geometry, twin.layers), config: null };
}

async function load({ model, device, seed, promptTokens, steps }: BareTask): Promise<PreTrainedModel> {
  const files = buildModelFiles(specOf(model), 'fp32', seed, promptTokens + steps);
  env.customCache = {
    match: (request: string) => {
      const file = files.get(request.slice(request.indexOf(ID) + ID.length + 1));
      return Promise.resolve(file === undefined ? undefined : new Response(file));
    },
    put: () => Promise.resolve(),
  };
  return AutoModelForCausalLM.from_pretrained(ID, { device, dtype: 'fp32' });
}

function promptOf({ seed, promptTokens }: BareTask): number[] {
  return seededTokens(seed, promptTokens, BYTE_VOCAB_SIZE);
}

/** The loop that its documentation shows: forward, greedy token, the cache's own update. */
async function forwardLoop(model: PreTrainedModel, task: BareTask): Promise<Loop> {
  const cache = new DynamicCache();
  const loop: Loop = { tokens: [], tokensAt: [] };
  try {
    let tokens = promptOf(task);
    let past = 0;
    for (let pass = 0; pass <= task.steps; pass++) {
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
      loop.tokens.push(...tokens);
      loop.tokensAt.push(performance.now());
    }
    return loop;
  } finally {
    await cache.dispose();
  }
}

/** `generate()` itself, greedy; what it asks after every token whether to stop takes the times, and never does. */
async function generate(model: PreTrainedModel, task: BareTask): Promise<Loop> {
  const loop: Loop = { tokens: [], tokensAt: [] };
  const prompt = promptOf(task);
  await model.generate({
    inputs: int64(prompt, [1, prompt.length]),
    max_new_tokens: task.steps + 1,
    do_sample: false,
    stopping_criteria: new Clock(loop),
  });
  return loop;
}

class Clock extends StoppingCriteria {
  constructor(private readonly loop: Loop) {
    super();
  }

  override _call(sequences: (number | bigint)[][]): boolean[] {
    this.loop.tokens.push(Number(sequences[0]?.at(-1)));
    this.loop.tokensAt.push(performance.now());
    return sequences.map(() => false);
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
