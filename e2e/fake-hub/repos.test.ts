import { onnx } from 'onnx-proto';
import * as ort from 'onnxruntime-web';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildRepos } from './build-repos';
import { REPO_IDS, REPO_SHAS, type RepoName } from './repo-ids';
import { startFakeHub } from './server';
import type { FakeHub } from './types';

const ITEM_SIZE: Record<string, number> = { float32: 4, float16: 2 };
const TOKENS = [75, 86, 32, 99, 97];

let hub: FakeHub;
beforeAll(async () => {
  ort.env.wasm.numThreads = 1;
  hub = await startFakeHub({ repos: buildRepos() });
}, 60_000);
afterAll(() => hub.close());

async function download(name: RepoName, path: string): Promise<Uint8Array> {
  const response = await fetch(`${hub.url}/${REPO_IDS[name]}/resolve/${REPO_SHAS[name]}/${path}`);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

const config = async (name: RepoName): Promise<Record<string, unknown>> =>
  JSON.parse(new TextDecoder().decode(await download(name, 'config.json'))) as Record<string, unknown>;

async function load(
  name: RepoName,
  path = 'onnx/model.onnx',
  options: ort.InferenceSession.SessionOptions = {},
): Promise<ort.InferenceSession> {
  return ort.InferenceSession.create(await download(name, path), {
    executionProviders: ['wasm'],
    ...options,
  });
}

type Cache = Record<string, ort.Tensor>;

const isCacheInput = (name: string): boolean => name.startsWith('past_');

/** As transformers.js starts: batch 1, every other symbolic dimension 0. */
function emptyCache(session: ort.InferenceSession): Cache {
  const inputs = session.inputMetadata.filter((input) => isCacheInput(input.name));
  return Object.fromEntries(
    inputs.map((input) => {
      if (!input.isTensor) throw new Error(`${input.name} is no tensor`);
      const dims = input.shape.map((dim) => (typeof dim === 'number' ? dim : dim === 'batch_size' ? 1 : 0));
      const size = dims.reduce((a, b) => a * b, 1);
      const tensor =
        input.type === 'float16'
          ? new ort.Tensor('float16', new Uint16Array(size), dims)
          : new ort.Tensor('float32', new Float32Array(size), dims);
      return [input.name, tensor];
    }),
  );
}

/** Feeds tokens on top of a cache. */
async function forward(
  session: ort.InferenceSession,
  tokens: number[],
  past: Cache = emptyCache(session),
  seen = 0,
): Promise<{ logits: ort.Tensor; cache: Cache }> {
  const int64 = (values: number[], dims: number[]): ort.Tensor =>
    new ort.Tensor('int64', BigInt64Array.from(values, BigInt), dims);
  const total = seen + tokens.length;
  const outputs = await session.run({
    input_ids: int64(tokens, [1, tokens.length]),
    attention_mask: int64(new Array<number>(total).fill(1), [1, total]),
    ...(session.inputNames.includes('num_logits_to_keep') ? { num_logits_to_keep: int64([0], []) } : {}),
    ...past,
  });
  const cache = Object.fromEntries(
    Object.entries(outputs)
      .filter(([name]) => name.startsWith('present'))
      .map(([name, tensor]) => [
        name.replace(/^present\./, 'past_key_values.').replace(/^present_/, 'past_'),
        tensor,
      ]),
  );
  if (!outputs['logits']) throw new Error('no logits');
  return { logits: outputs['logits'], cache };
}

const cacheBytes = (cache: Cache): number =>
  Object.values(cache).reduce((sum, { size, type }) => sum + size * (ITEM_SIZE[type] ?? NaN), 0);

const floats = (tensor: ort.Tensor): number[] => Array.from(tensor.data as Float32Array);

it('every repository is listed under its commit', async () => {
  expect(Object.keys(REPO_IDS)).toHaveLength(12);
  for (const name of Object.keys(REPO_IDS) as RepoName[]) {
    const response = await fetch(`${hub.url}/api/models/${REPO_IDS[name]}/revision/main`);
    expect(await response.json()).toMatchObject({ id: REPO_IDS[name], sha: REPO_SHAS[name] });
    expect(REPO_SHAS[name]).toMatch(/^[0-9a-f]{40}$/);
  }
});

describe('the twins', () => {
  // 32 tokens. SmolLM2-135M: field report C1. Qwen2.5-0.5B: golden dtype table, 12,582,912 at 512 tokens in float32, / 16.
  it.each([
    ['smollmTwin', 'model_q4', 1_474_560],
    ['smollmTwin', 'model_quantized', 1_474_560],
    ['smollmTwin', 'model_q4f16', 737_280],
    ['qwenTwin', 'model', 786_432],
    ['qwenTwin', 'model_fp16', 393_216],
    ['qwenTwin', 'model_q4f16', 393_216],
  ] as const)(
    '%s %s holds %i bytes of cache at 32 tokens',
    async (name, file, bytes) => {
      const session = await load(name, `onnx/${file}.onnx`);
      const tokens = Array.from({ length: 32 }, (_, index) => index);
      const { cache } = await forward(session, tokens);
      expect(cacheBytes(cache)).toBe(bytes);
      await session.release();
    },
    60_000,
  );

  it('have all five variants, the quantised ones quantised', async () => {
    const response = await fetch(`${hub.url}/api/models/${REPO_IDS.qwenTwin}/revision/main?blobs=true`);
    const { siblings } = (await response.json()) as { siblings: { rfilename: string }[] };
    expect(siblings.map(({ rfilename }) => rfilename).filter((name) => name.startsWith('onnx/'))).toEqual([
      'onnx/model.onnx',
      'onnx/model_fp16.onnx',
      'onnx/model_q4.onnx',
      'onnx/model_q4f16.onnx',
      'onnx/model_quantized.onnx',
    ]);
    const operators = async (path: string): Promise<unknown[]> =>
      (onnx.ModelProto.decode(await download('qwenTwin', path)).graph?.node ?? []).map(
        ({ opType }) => opType,
      );
    expect(await operators('onnx/model_q4f16.onnx')).toContain('MatMulNBits');
    expect(await operators('onnx/model_fp16.onnx')).not.toContain('MatMulNBits');
  });

  it('tell the parameters of the real models', async () => {
    const total = async (id: string): Promise<unknown> =>
      ((await (await fetch(`${hub.url}/api/models/${id}`)).json()) as { safetensors: unknown }).safetensors;
    // Parameter counts: golden paper-tables.json.
    expect(await total(REPO_IDS.qwenTwin)).toMatchObject({ total: 494_032_768 });
    expect(await total(REPO_IDS.smollmTwin)).toMatchObject({ total: 134_515_008 });
  });
});

describe('the small graphs', () => {
  let reference: number[];
  beforeAll(async () => {
    const session = await load('tiny');
    const { logits, cache } = await forward(session, TOKENS);
    expect(logits.dims).toEqual([1, 5, 256]);
    expect(cacheBytes(cache)).toBe(5 * 1 * 512); // 2 layers x (keys, values) x 2 KV heads x 16 x 4 bytes = 512 a token
    reference = floats(logits);
    await session.release();
  });

  it('external: the model is small, the data file has the weights, the logits are the same', async () => {
    expect((await config('external'))['transformers.js_config']).toEqual({ use_external_data_format: 1 });
    const data = await download('external', 'onnx/model.onnx_data');
    expect((await download('external', 'onnx/model.onnx')).length).toBeLessThan(20_000);
    const session = await load('external', 'onnx/model.onnx', {
      externalData: [{ path: 'model.onnx_data', data }],
    });
    expect(floats((await forward(session, TOKENS)).logits)).toEqual(reference);
    await session.release();
    await expect(load('external')).rejects.toThrow();
  });

  it('noKeep: no num_logits_to_keep, and logits of 152,064 tokens at every position', async () => {
    const session = await load('noKeep');
    expect(session.inputNames).not.toContain('num_logits_to_keep');
    expect((await config('noKeep'))['vocab_size']).toBe(152_064);
    const { logits } = await forward(session, [75 + 256 * 593, ...TOKENS.slice(1)]);
    expect(logits.dims).toEqual([1, 5, 152_064]);
    const all = logits.data as Float32Array;
    expect(Array.from(all.subarray(0, 256))).toEqual(reference.slice(0, 256));
    expect(Array.from(all.subarray(5 * 152_064 - 256))).toEqual(reference.slice(4 * 256));
    await session.release();
  });

  it('lyingConfig: the config says 4 KV heads, the graph 2', async () => {
    expect((await config('lyingConfig'))['num_key_value_heads']).toBe(4);
    const session = await load('lyingConfig');
    const { cache } = await forward(session, TOKENS);
    expect(cache['past_key_values.0.key']?.dims).toEqual([1, 2, 5, 16]);
    await session.release();
  });

  it('hybrid: two layers grow, two keep a state of [1, 64, 3]; pieces give what the whole gives', async () => {
    expect((await config('hybrid'))['layer_types']).toEqual([
      'conv',
      'full_attention',
      'conv',
      'full_attention',
    ]);
    const session = await load('hybrid');
    const whole = await forward(session, TOKENS);
    expect(Object.fromEntries(Object.entries(whole.cache).map(([name, { dims }]) => [name, dims]))).toEqual({
      'past_key_values.1.key': [1, 2, 5, 16],
      'past_key_values.1.value': [1, 2, 5, 16],
      'past_key_values.3.key': [1, 2, 5, 16],
      'past_key_values.3.value': [1, 2, 5, 16],
      'past_conv.0': [1, 64, 3],
      'past_conv.2': [1, 64, 3],
    });
    const first = await forward(session, TOKENS.slice(0, 4));
    const second = await forward(session, TOKENS.slice(4), first.cache, 4);
    const last = floats(whole.logits).slice(-256);
    floats(second.logits).forEach((value, index) => {
      expect(value).toBeCloseTo(last[index] ?? NaN, 4);
    });
    // Without its state the last step would say something else.
    const forgetful = {
      ...first.cache,
      'past_conv.0': new ort.Tensor('float32', new Float32Array(192), [1, 64, 3]),
    };
    const without = floats((await forward(session, TOKENS.slice(4), forgetful, 4)).logits);
    expect(
      Math.max(...without.map((value, index) => Math.abs(value - (last[index] ?? NaN)))),
    ).toBeGreaterThan(0.01);
    await session.release();
  });
});

describe('what must be refused', () => {
  const names = async (name: RepoName): Promise<string[]> => {
    const response = await fetch(`${hub.url}/api/models/${REPO_IDS[name]}/revision/main?blobs=true`);
    const body = (await response.json()) as { siblings: { rfilename: string; size: number }[] };
    return body.siblings.map(({ rfilename, size }) => (size > 1e9 ? `${rfilename} ${size}` : rfilename));
  };

  it('noOnnx has weights and no graph', async () => {
    expect(await names('noOnnx')).toEqual(['README.md', 'config.json', 'model.safetensors']);
  });

  it('huge lists 6 GB', async () => {
    expect(await names('huge')).toContain('onnx/model.onnx 6000000000');
  });

  it('encoderDecoder is a T5 in two graphs', async () => {
    expect((await config('encoderDecoder'))['model_type']).toBe('t5');
    const files = (await names('encoderDecoder')).filter((name) => name.endsWith('.onnx'));
    expect(files).toEqual(['onnx/decoder_model_merged.onnx', 'onnx/encoder_model.onnx']);
    const bytes = await download('encoderDecoder', 'onnx/encoder_model.onnx');
    expect(onnx.ModelProto.decode(bytes).graph?.node?.length).toBeGreaterThan(0);
  });

  it('gated answers 401, gatedForbidden 403', async () => {
    await expect(download('gated', 'config.json')).rejects.toThrow('401');
    await expect(download('gatedForbidden', 'onnx/model.onnx')).rejects.toThrow('403');
  });
});
