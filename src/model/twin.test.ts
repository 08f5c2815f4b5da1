import { onnx } from 'onnx-proto';
import { describe, expect, it } from 'vitest';
import { byteTokenizerFiles } from './byte-tokenizer';
import type { LayerCache } from '../geometry/geometry';
import { findModel } from './catalog';
import { attention, family, state } from './families.fixture';
import { isWeightDtype, WEIGHT_DTYPES, type WeightDtype } from './weight-dtypes';
import { buildModelFiles, decoderShape } from './twin';
import { seededTokens } from './weights';

/** transformers.js' file of each variant (src/utils/dtypes.js, DEFAULT_DTYPE_SUFFIX_MAPPING). */
const FILES: Record<WeightDtype, string> = {
  fp32: 'onnx/model.onnx',
  fp16: 'onnx/model_fp16.onnx',
  q4: 'onnx/model_q4.onnx',
  q4f16: 'onnx/model_q4f16.onnx',
  q8: 'onnx/model_quantized.onnx',
};

function layersOf(count: number, make: (layer: number) => LayerCache): LayerCache[] {
  return Array.from({ length: count }, (_, layer) => make(layer));
}

function build(id: string, dtype: WeightDtype = 'fp32', seed = 0, tokens = 64) {
  const spec = findModel(id);
  if (!spec) throw new Error(`no model ${id}`);
  const files = buildModelFiles(spec, dtype, seed, tokens);
  const bytes = files.get(FILES[dtype]);
  if (!(bytes instanceof Uint8Array)) throw new Error('no graph');
  return { spec, files, bytes, graph: onnx.ModelProto.decode(bytes).graph };
}

/** [name, element type, dims] of the cache inputs; ONNX element types: 1 float, 10 float16. */
function cacheInputs({ graph }: ReturnType<typeof build>) {
  return (graph?.input ?? [])
    .filter(({ name }) => name?.startsWith('past_key_values.'))
    .map(({ name, type }) => [
      name,
      type?.tensorType?.elemType,
      type?.tensorType?.shape?.dim?.map((dim) => dim.dimParam || Number(dim.dimValue)),
    ]);
}

describe('the graph of a twin', () => {
  // Layers, KV heads and head dim: golden paper-tables.json, 000_lengthSweep_fp32_batch1.
  it.each([
    ['twin:Qwen/Qwen2.5-0.5B-Instruct', 24, 2, 64],
    ['twin:HuggingFaceTB/SmolLM2-135M-Instruct', 30, 3, 64],
    ['twin:openai-community/gpt2', 12, 12, 64],
    ['tiny', 4, 2, 32],
  ])('%s has the cache inputs and outputs of the real model', (id, layers, kvHeads, headDim) => {
    const built = build(id);
    const inputs = cacheInputs(built);
    expect(inputs).toHaveLength(2 * layers);
    expect(inputs[0]).toEqual([
      'past_key_values.0.key',
      1,
      ['batch_size', kvHeads, 'past_sequence_length', headDim],
    ]);
    expect(inputs.at(-1)?.[0]).toBe(`past_key_values.${layers - 1}.value`);
    const outputs = built.graph?.output?.map(({ name }) => name);
    expect(outputs).toContain('logits');
    expect(outputs?.filter((name) => name?.startsWith('present.'))).toHaveLength(2 * layers);
  });

  it('has as many query heads as KV heads, and tiny its own eight', () => {
    const heads = (id: string): unknown => {
      const attention = build(id).graph?.node?.find(({ opType }) => opType === 'GroupQueryAttention');
      return Number(attention?.attribute?.find(({ name }) => name === 'num_heads')?.i);
    };
    expect(heads('twin:Qwen/Qwen2.5-0.5B-Instruct')).toBe(2);
    expect(heads('tiny')).toBe(8);
  });

  it('has the KV heads of the counterfactual', () => {
    expect(cacheInputs(build('mha:Qwen/Qwen2.5-0.5B-Instruct'))[0]).toEqual([
      'past_key_values.0.key',
      1,
      ['batch_size', 14, 'past_sequence_length', 64],
    ]);
  });

  it('stores fp16 as fp16, weights and cache', () => {
    const built = build('tiny', 'fp16');
    expect(cacheInputs(built)[0]?.[1]).toBe(10);
    expect(build('tiny').bytes.length / built.bytes.length).toBeGreaterThan(1.9);
  });

  // Element types: 1 float, 10 float16, 2 uint8. q of layer 0 has K = 64, N = 128: 2 blocks of 32 a column.
  it.each([
    ['q4', 1, 4, 16],
    ['q4f16', 10, 4, 16],
    ['q8', 1, 8, 32],
  ] as const)('%s: quantised projections around a cache of element type %i', (dtype, type, bits, bytes) => {
    const built = build('twin:Qwen/Qwen2.5-0.5B-Instruct', dtype);
    expect(new Set(cacheInputs(built).map(([, found]) => found))).toEqual(new Set([type]));
    const projections = built.graph?.node?.filter(({ opType }) => opType === 'MatMulNBits') ?? [];
    // 24 layers x q, k, v, o, and the head.
    expect(projections).toHaveLength(97);
    expect(built.graph?.node?.some(({ opType }) => opType === 'MatMul')).toBe(false);
    const [first] = projections;
    expect(Object.fromEntries(first?.attribute?.map(({ name, i }) => [name, Number(i)]) ?? [])).toEqual({
      K: 64,
      N: 128,
      bits,
      block_size: 32,
    });
    const weight = (name: string | undefined) => {
      const tensor = built.graph?.initializer?.find((candidate) => candidate.name === name);
      return [tensor?.dataType, tensor?.dims?.map(Number), tensor?.rawData?.length];
    };
    expect(weight(first?.input?.[1])).toEqual([2, [128, 2, bytes], 128 * 2 * bytes]);
    expect(weight(first?.input?.[2])).toEqual([type, [256], 256 * (type === 1 ? 4 : 2)]);
  });

  it('knows which variants it builds', () => {
    expect(WEIGHT_DTYPES).toEqual(['fp32', 'fp16', 'q4', 'q4f16', 'q8']);
    expect(['q8', 'bf16', 'int8'].map(isWeightDtype)).toEqual([true, false, false]);
  });

  // 61 layers of 128 heads, and 40 of 40: each would be hundreds of MB with weights of every head.
  it.each([
    [
      'DeepSeek-V3',
      family(
        'deepseek_v3',
        layersOf(61, (layer) => attention(layer, 128, 192, 128)),
      ),
    ],
    [
      'OPT-13B',
      family(
        'opt',
        layersOf(40, (layer) => attention(layer, 40, 128)),
      ),
    ],
    [
      'a Mamba with 256 heads',
      family(
        'nemotron_h',
        layersOf(54, (layer) => state(layer, [256, 64, 256])),
      ),
    ],
  ])('stays small for %s', (_, geometry) => {
    const files = buildModelFiles({ source: 'twin', geometry, config: null }, 'fp32', 0, 64);
    const graph = files.get('onnx/model.onnx');
    expect(graph instanceof Uint8Array ? graph.length : Infinity).toBeLessThan(50e6);
  });

  it('is the same file for the same seed and another for another', () => {
    const first = build('tiny', 'fp32', 7).bytes;
    expect(Buffer.compare(build('tiny', 'fp32', 7).bytes, first)).toBe(0);
    expect(Buffer.compare(build('tiny', 'fp32', 8).bytes, first)).not.toBe(0);
  });

  it('has a rotary table long enough for the tokens asked for, in steps of 1,024', () => {
    const spec = findModel('twin:Qwen/Qwen2.5-0.5B-Instruct');
    if (!spec) throw new Error('no Qwen twin');
    expect(decoderShape(spec, 64).positions).toBe(1024);
    expect(decoderShape(spec, 4097).positions).toBe(5120);
  });
});

describe('the byte-level tokenizer', () => {
  const { model } = JSON.parse(byteTokenizerFiles()['tokenizer.json'] ?? '') as {
    model: { vocab: Record<string, number>; merges: string[] };
  };

  it('has one token for each of the 256 bytes, by GPT-2’s byte characters', () => {
    expect(new Set(Object.values(model.vocab)).size).toBe(256);
    expect(model.merges).toEqual([]);
    // openai/gpt-2 encoder.py: "A" is itself; a space (0x20) is U+0120; a newline (0x0A) is U+010A; 0xFF is U+00FF.
    expect([model.vocab.A, model.vocab['\u0120'], model.vocab['\u010A'], model.vocab['\u00FF']]).toEqual([
      0x41, 0x20, 0x0a, 0xff,
    ]);
  });
});

describe('seeded tokens', () => {
  it('are the same for a seed and inside the vocabulary', () => {
    const tokens = seededTokens(1, 1000, 256);
    expect(seededTokens(1, 1000, 256)).toEqual(tokens);
    expect(seededTokens(2, 1000, 256)).not.toEqual(tokens);
    expect(tokens.every((token) => Number.isInteger(token) && token >= 0 && token < 256)).toBe(true);
    expect(new Set(tokens).size).toBeGreaterThan(200);
  });
});
