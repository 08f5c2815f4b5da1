/** Geometry from cache inputs, by family (names: transformers.js, src/configs.js `getCacheNames`). */
import { describe, expect, it } from 'vitest';
import { bytesPerToken, formulaBytes } from '../geometry/bytes';
import { LabError } from '../protocol/faults';
import type { GraphCacheEntry } from '../protocol/record';
import { findModel } from './catalog';
import { cacheTypeOf, elementBytesOf, graphGeometry } from './graph-geometry';
import { readOnnxHeader } from './onnx-header';
import { buildModelFiles } from './twin';

type Dims = GraphCacheEntry['dims'];

function input(name: string, dims: Dims, type = 'float32'): GraphCacheEntry {
  return { name, type, dims };
}

/** Keys and values of the given layers. */
function keysAndValues(layers: number[], kvHeads: number, headDim: number, type = 'float32') {
  return layers.flatMap((n) =>
    ['key', 'value'].map((part) =>
      input(`past_key_values.${n}.${part}`, ['batch_size', kvHeads, 'past_sequence_length', headDim], type),
    ),
  );
}

const faultOf = (inputs: GraphCacheEntry[], config: unknown = {}): unknown => {
  try {
    graphGeometry(inputs, config);
  } catch (error) {
    return error instanceof LabError ? error.fault : error;
  }
  return null;
};

describe('graphGeometry', () => {
  // Field report C1 (transformers.js 1195): SmolLM2-135M, 32 tokens; 46,080 bytes a token in float32 (golden paper-tables).
  it.each([
    ['fp32', 'float32', 1_474_560],
    ['q4', 'float32', 1_474_560],
    ['q8', 'float32', 1_474_560],
    ['q4f16', 'float16', 737_280],
  ] as const)('%s weights: the cache is %s by the graph, %i bytes', async (dtype, type, bytes) => {
    const spec = findModel('twin:HuggingFaceTB/SmolLM2-135M-Instruct');
    if (!spec) throw new Error('no SmolLM2 twin');
    const files = buildModelFiles(spec, dtype, 0, 64);
    const [file] = [...files].find(([path]) => path.endsWith('.onnx'))?.slice(1) ?? [];
    if (!(file instanceof Uint8Array)) throw new Error('no graph');
    const { inputs } = await readOnnxHeader(new Blob([file]));
    expect(cacheTypeOf(inputs)).toBe(type);
    const geometry = graphGeometry(inputs, spec.config);
    expect(geometry).toEqual(spec.geometry);
    const elementBytes = elementBytesOf(type);
    expect(formulaBytes(geometry, { batch: 1, tokens: 32, elementBytes })).toBe(bytes);
  });

  it('LFM2-1.2B: full layers keep their numbers, conv layers keep a state', () => {
    // config.json: 16 layers, full_attn_idxs 2 5 8 10 12 14, 8 KV heads x 64, hidden_size 2048, conv_L_cache 3.
    const full = [2, 5, 8, 10, 12, 14];
    const conv = [0, 1, 3, 4, 6, 7, 9, 11, 13, 15];
    const inputs = [
      input('input_ids', ['batch_size', 'sequence_length'], 'int64'),
      ...conv.map((n) => input(`past_conv.${n}`, ['batch_size', 2048, 3])),
      ...keysAndValues(full, 8, 64),
    ];
    const geometry = graphGeometry(inputs, {
      model_type: 'lfm2',
      hidden_size: 2048,
      num_hidden_layers: 16,
      num_attention_heads: 32,
      max_position_embeddings: 128_000,
    });
    expect(geometry).toMatchObject({
      modelType: 'lfm2',
      layers: 16,
      attentionHeads: 32,
      kvHeads: 8,
      headDim: 64,
      hiddenSize: 2048,
      maxPositions: 128_000,
    });
    expect(geometry.caches.map(({ kind }) => kind).join(' ')).toBe(
      'conv conv full conv conv full conv conv full conv full conv full conv full conv',
    );
    expect(geometry.caches[0]).toMatchObject({ layer: 0, fixedElements: 6144, elementsPerToken: 0 });
    expect(geometry.caches[2]).toMatchObject({ layer: 2, fixedElements: 0, elementsPerToken: 1024 });
    // 6 layers x 1,024 x 4 bytes; 10 states x 6,144 x 4 bytes.
    expect(bytesPerToken(geometry, 4)).toBe(24_576);
    expect(formulaBytes(geometry, { batch: 2, tokens: 100, elementBytes: 4 })).toBe(
      2 * (24_576 * 100 + 245_760),
    );
  });

  it('Qwen3.5-2B: a float32 state in a float16 graph counts in float16 elements', () => {
    // Golden 004_setup: 24 layers, full 3 7 … 23, 2 KV heads x 256; 12,288 bytes a token in float16 (004_savings).
    const layers = Array.from({ length: 24 }, (_, n) => n);
    const linear = layers.filter((n) => n % 4 !== 3);
    const inputs = [
      ...linear.flatMap((n) => [
        input(`past_conv.${n}`, ['batch_size', 6144, 4], 'float16'),
        input(`past_recurrent.${n}`, ['batch_size', 16, 128, 128], 'float32'),
      ]),
      ...keysAndValues([3, 7, 11, 15, 19, 23], 2, 256, 'float16'),
    ];
    expect(cacheTypeOf(inputs)).toBe('float16');
    const geometry = graphGeometry(inputs, {
      model_type: 'qwen3_5',
      text_config: { model_type: 'qwen3_5_text', num_hidden_layers: 24, hidden_size: 2048 },
    });
    expect(geometry).toMatchObject({ modelType: 'qwen3_5_text', layers: 24, hiddenSize: 2048, kvHeads: 2 });
    expect(geometry.caches.slice(0, 2)).toMatchObject([
      { layer: 0, kind: 'conv', fixedElements: 24_576 },
      { layer: 0, kind: 'recurrent', fixedElements: 524_288 },
    ]);
    expect(bytesPerToken(geometry, 2)).toBe(12_288);
    // 18 x (24,576 x 2 + 262,144 x 4) bytes of state.
    expect(formulaBytes(geometry, { batch: 1, tokens: 1, elementBytes: 2 })).toBe(12_288 + 19_759_104);
  });

  it('several parts of a state are one entry (OLMo hybrid), and Zaya’s states stand beside keys and values', () => {
    const parts = ['key', 'value', 'query'].map((part) => input(`past_conv.1.${part}`, ['b', 64, 4]));
    const zaya = ['conv_state', 'shift_state'].map((part) => input(`past_key_values.0.${part}`, ['b', 32]));
    const { caches } = graphGeometry([...parts, ...zaya, ...keysAndValues([0], 2, 16)], {});
    expect(caches.map(({ layer, kind, fixedElements }) => [layer, kind, fixedElements])).toEqual([
      [0, 'conv', 32],
      [0, 'recurrent', 32],
      [0, 'full', 0],
      [1, 'conv', 768],
    ]);
  });

  it('Gemma 3n: fewer cached layers than layers; without a config the graph says all it can', () => {
    // Field report C8: 30 layers of which 20 keep a cache.
    const inputs = keysAndValues(
      Array.from({ length: 20 }, (_, n) => n),
      2,
      256,
    );
    expect(graphGeometry(inputs, { text_config: { num_hidden_layers: 30 } }).layers).toBe(30);
    expect(graphGeometry(inputs, null)).toMatchObject({
      modelType: 'unknown',
      layers: 20,
      attentionHeads: 2,
      hiddenSize: 512,
      maxPositions: null,
    });
  });

  it('passes over fields that are no plain numbers (OpenELM lists its heads by layer)', () => {
    const config = { num_query_heads: [12, 16], num_attention_heads: [12, 16], num_hidden_layers: '2' };
    expect(graphGeometry(keysAndValues([0, 1], 3, 64), config)).toMatchObject({
      attentionHeads: 3,
      layers: 2,
    });
  });

  it('keys and values of different widths, and only states', () => {
    const wide = [
      input('past_key_values.0.key', ['b', 4, 'past', 192]),
      input('past_key_values.0.value', ['b', 4, 'past', 128]),
    ];
    expect(graphGeometry(wide, {}).caches[0]).toMatchObject({
      keyDim: 192,
      valueDim: 128,
      elementsPerToken: 1280,
    });
    const mamba = [input('past_conv.0', ['b', 8, 4]), input('past_ssm.0', ['b', 8, 16])];
    const geometry = graphGeometry(mamba, {});
    expect(geometry).toMatchObject({ kvHeads: 0, headDim: 0 });
    expect(formulaBytes(geometry, { batch: 1, tokens: 9, elementBytes: 4 })).toBe((8 * 4 + 8 * 16) * 4);
  });

  it('refuses a graph without cache', () => {
    expect(faultOf([input('input_ids', ['b', 's'], 'int64')])).toEqual({
      code: 'model-no-cache',
      params: {},
    });
    expect(faultOf([])).toEqual({ code: 'model-no-cache', params: {} });
  });

  it.each<[string, GraphCacheEntry[], string, string]>([
    [
      'symbolic KV heads',
      [input('past_key_values.0.key', ['b', 'heads', 'past', 64])],
      'past_key_values.0.key',
      'b, heads, past, 64',
    ],
    [
      'a head dim that ONNX Runtime does not know',
      [input('past_key_values.0.key', ['b', 2, 'past', -1])],
      'past_key_values.0.key',
      'b, 2, past, -1',
    ],
    [
      'a fixed number of tokens',
      [input('past_key_values.0.key', [1, 2, 512, 64])],
      'past_key_values.0.key',
      '1, 2, 512, 64',
    ],
    [
      'BLOOM’s fused heads',
      [input('past_key_values.0.key', ['bh', 64, ''])],
      'past_key_values.0.key',
      'bh, 64, ?',
    ],
    [
      'a state that grows',
      [input('past_compressor.0.kv', ['b', 'length', 512])],
      'past_compressor.0.kv',
      'b, length, 512',
    ],
    [
      'an encoder’s keys',
      [input('past_key_values.0.encoder.key', ['b', 8, 'length', 64])],
      'past_key_values.0.encoder.key',
      'b, 8, length, 64',
    ],
    ['a state without dims', [input('past_conv.0', [])], 'past_conv.0', ''],
  ])('refuses %s by name', (_, inputs, tensor, dims) => {
    const [first] = inputs;
    const value = first?.name.endsWith('0.key') ? [{ ...first, name: 'past_key_values.0.value' }] : [];
    expect(faultOf([...inputs, ...value])).toEqual({ code: 'model-cache-shape', params: { tensor, dims } });
  });

  it('refuses keys without values', () => {
    const [key] = keysAndValues([4], 2, 64);
    expect(key && faultOf([key])).toMatchObject({
      code: 'model-cache-shape',
      params: { tensor: 'past_key_values.4.key' },
    });
  });

  it('refuses an element type without a size', () => {
    expect(faultOf(keysAndValues([0], 2, 64, 'int4'))).toEqual({
      code: 'model-cache-type',
      params: { type: 'int4' },
    });
    expect(['float32', 'float16', 'bfloat16', 'int8', 'float64'].map(elementBytesOf)).toEqual([
      4, 2, 2, 1, 8,
    ]);
    expect(() => elementBytesOf('toString')).toThrow(LabError);
  });
});
