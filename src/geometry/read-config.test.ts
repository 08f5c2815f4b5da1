/** Geometry from config.json: public configs whose bytes are known, and values that must be refused by name. */
import { describe, expect, it } from 'vitest';
import { bytesPerToken } from './bytes';
import { GeometryError } from './geometry-error';
import { readGeometry } from './read-config';

/** Bytes per token at 2 bytes an element; measured by transformers 5.18.0 on torch's meta device unless said otherwise. */
const KNOWN: [string, Record<string, unknown>, number][] = [
  ['gpt2', { model_type: 'gpt2', n_embd: 768, n_head: 12, n_layer: 12, n_positions: 1024 }, 36864],
  // vLLM model_arch_config_convertor.py: one KV head, whatever num_kv_heads says.
  [
    'falcon-7b',
    {
      model_type: 'falcon',
      hidden_size: 4544,
      num_attention_heads: 71,
      num_hidden_layers: 32,
      multi_query: true,
      new_decoder_architecture: false,
      num_kv_heads: 71,
    },
    8192,
  ],
  [
    'falcon-rw-1b',
    {
      model_type: 'falcon',
      hidden_size: 2048,
      num_attention_heads: 32,
      num_hidden_layers: 24,
      multi_query: false,
      new_decoder_architecture: false,
    },
    196608,
  ],
  // bigcode/starcoder: 40 layers x 2 x 1 head x 128 x 2 bytes.
  [
    'starcoder',
    {
      model_type: 'gpt_bigcode',
      n_embd: 6144,
      n_head: 48,
      n_layer: 40,
      n_positions: 8192,
      multi_query: true,
    },
    20480,
  ],
  [
    'starcoder, switch left to its class default',
    { model_type: 'gpt_bigcode', n_embd: 6144, n_head: 48, n_layer: 40 },
    20480,
  ],
  [
    'mpt-7b',
    {
      model_type: 'mpt',
      d_model: 4096,
      n_heads: 32,
      n_layers: 32,
      attn_config: { attn_type: 'multihead_attention' },
    },
    524288,
  ],
  // databricks/dbrx-base: 40 layers x 2 x 8 x 128 x 2 bytes.
  [
    'dbrx',
    { model_type: 'dbrx', d_model: 6144, n_heads: 48, n_layers: 40, attn_config: { kv_n_heads: 8 } },
    163840,
  ],
  // THUDM/chatglm2-6b: 28 layers x 2 x 2 groups x 128 x 2 bytes.
  [
    'chatglm2-6b',
    {
      model_type: 'chatglm',
      hidden_size: 4096,
      num_attention_heads: 32,
      num_layers: 28,
      kv_channels: 128,
      multi_query_attention: true,
      multi_query_group_num: 2,
    },
    28672,
  ],
  ['bloom-560m', { model_type: 'bloom', hidden_size: 1024, n_head: 16, n_layer: 24 }, 98304],
  // Its local layers mask by window but the cache is not trimmed.
  [
    'gpt-neo-125m',
    { model_type: 'gpt_neo', hidden_size: 768, num_heads: 12, num_layers: 12, window_size: 256 },
    36864,
  ],
  ['xglm-564m', { model_type: 'xglm', d_model: 1024, attention_heads: 16, num_layers: 24 }, 98304],
  // transformers.js configs.js, case exaone.
  [
    'exaone-3',
    {
      model_type: 'exaone',
      hidden_size: 2560,
      num_attention_heads: 32,
      num_key_value_heads: 8,
      head_dim: 80,
      num_layers: 30,
    },
    76800,
  ],
  ['opt-13b (vLLM paper: 800 KB)', llama(40, 5120, 40), 819200],
  ['qwen3-0.6b (LMCache#688)', llama(28, 1024, 16, 8, 128), 114688],
  ['qwen3-4b (LMCache#688)', llama(36, 2560, 32, 8, 128), 147456],
  ['mistral-nemo (vllm#6563)', { ...llama(40, 5120, 32, 8, 128), sliding_window: null }, 163840],
  ['head_dim null', { ...llama(32, 4096, 32, 8), head_dim: null }, 131072],
  ['head_dim 0 (vLLM: DeepseekVLV2TextConfig)', { ...llama(32, 4096, 32, 8), head_dim: 0 }, 131072],
  ['llama-2-7b, KV heads null (optimum#1432)', { ...llama(32, 4096, 32), num_key_value_heads: null }, 524288],
  ['llama-2-7b, KV heads missing', llama(32, 4096, 32), 524288],
  ['phi', { ...llama(32, 2560, 32), num_key_value_heads: null }, 327680],
  ['stablelm-2-12b (vllm#3952)', llama(40, 5120, 32, 8), 204800],
  ['smollm2-135m', llama(30, 576, 9, 3), 23040],
  ['llama-3.2-1b', llama(16, 2048, 32, 8, 64), 32768],
  ['llama-3.1-70b (published 42.9 GB at 131,072)', llama(80, 8192, 64, 8), 327680],
  // use_sliding_window false: the window is inert (lorax#532).
  [
    'qwen2.5-7b',
    { ...llama(28, 3584, 28, 4), model_type: 'qwen2', sliding_window: 131072, use_sliding_window: false },
    57344,
  ],
  [
    'qwen2.5-0.5b with a window of 128 switched off',
    { ...llama(24, 896, 14, 2), model_type: 'qwen2', sliding_window: 128, use_sliding_window: false },
    12288,
  ],
  // Qwen2Config: use_sliding_window is false unless given.
  [
    'qwen2 with a window and no switch',
    { ...llama(24, 896, 14, 2), model_type: 'qwen2', sliding_window: 128 },
    12288,
  ],
  [
    'qwen2 whose sliding layers begin after the last',
    {
      ...llama(24, 896, 14, 2),
      model_type: 'qwen2',
      sliding_window: 128,
      use_sliding_window: true,
      max_window_layers: 24,
    },
    12288,
  ],
  // The window is longer than the model's own maximum.
  [
    'phi-3.5-mini',
    {
      ...llama(32, 3072, 32, 32),
      model_type: 'phi3',
      sliding_window: 262144,
      max_position_embeddings: 131072,
    },
    393216,
  ],
  [
    'all layer_types full',
    { ...llama(2, 1024, 16, 8, 128), layer_types: ['full_attention', 'full_attention'], sliding_window: 128 },
    8192,
  ],
  // aiconfigurator, Qwen--Qwen3-VL-4B-Instruct_config.json.
  [
    'qwen3-vl-4b, nested',
    {
      model_type: 'qwen3_vl',
      text_config: llama(36, 2560, 32, 8, 128),
      vision_config: { hidden_size: 1024 },
    },
    147456,
  ],
];

/** A config with the names of Llama. */
function llama(
  layers: number,
  hidden: number,
  heads: number,
  kvHeads?: number,
  headDim?: number,
): Record<string, unknown> {
  return {
    model_type: 'llama',
    num_hidden_layers: layers,
    hidden_size: hidden,
    num_attention_heads: heads,
    ...(kvHeads === undefined ? {} : { num_key_value_heads: kvHeads }),
    ...(headDim === undefined ? {} : { head_dim: headDim }),
  };
}

function refusal(config: unknown): GeometryError {
  try {
    readGeometry(config);
  } catch (error) {
    if (error instanceof GeometryError) return error;
    throw error;
  }
  throw new Error('was not refused');
}

describe('readGeometry', () => {
  it.each(KNOWN)('%s', (_name, config, bytes) => {
    expect(bytesPerToken(readGeometry(config), 2)).toBe(bytes);
  });

  it('says everything about Qwen2.5-0.5B', () => {
    const geometry = readGeometry({
      ...llama(24, 896, 14, 2),
      model_type: 'qwen2',
      max_position_embeddings: 32768,
      sliding_window: 32768,
      use_sliding_window: false,
    });
    expect({ ...geometry, caches: geometry.caches.length }).toEqual({
      modelType: 'qwen2',
      layers: 24,
      attentionHeads: 14,
      kvHeads: 2,
      headDim: 64,
      hiddenSize: 896,
      maxPositions: 32768,
      caches: 24,
      assumed: [],
      dtype: null,
      fields: [
        { name: 'num_hidden_layers', value: 24 },
        { name: 'num_attention_heads', value: 14 },
        { name: 'hidden_size', value: 896 },
        { name: 'num_key_value_heads', value: 2 },
        { name: 'use_sliding_window', value: false },
        { name: 'max_position_embeddings', value: 32768 },
      ],
    });
    expect(geometry.caches[23]).toEqual({
      layer: 23,
      kind: 'full',
      kvHeads: 2,
      keyDim: 64,
      valueDim: 64,
      elementsPerToken: 256,
      capTokens: null,
      fixedElements: 0,
    });
  });

  it('needs no model_type, no maximum position, and no hidden_size where head_dim is given', () => {
    const geometry = readGeometry({ num_hidden_layers: 2, num_attention_heads: 4, head_dim: 8 });
    expect(geometry).toMatchObject({ modelType: 'unknown', maxPositions: null, hiddenSize: 32, kvHeads: 4 });
  });

  it.each([
    [undefined, 'nothing'],
    [null, 'null'],
    [[], 'a list'],
    ['<!DOCTYPE html><html></html>', 'a string'],
    [42, 'a number'],
    [true, 'a boolean'],
  ])('refuses %j, which is no object', (config, found) => {
    expect(refusal(config)).toMatchObject({ code: 'config-not-object', params: { found } });
  });

  it.each([
    [{}, 'num_hidden_layers”, “num_attention_heads”, “hidden_size'],
    [
      { model_type: 'my_new_arch', hidden_dim: 1024, depth: 12 },
      'num_hidden_layers”, “num_attention_heads”, “hidden_size',
    ],
    [{ n_layer: 12, n_embd: 768 }, 'num_attention_heads'],
    [{ num_hidden_layers: null, num_attention_heads: 4, hidden_size: 64 }, 'num_hidden_layers'],
    [{ num_hidden_layers: 4, num_attention_heads: 4, head_dim: 0 }, 'hidden_size'],
    [
      { model_type: 'vlm', text_config: { model_type: 'brand_new', num_hidden_layers: 2, head_dim: 8 } },
      'num_attention_heads',
    ],
  ])('names what %j lacks', (config, field) => {
    expect(refusal(config)).toMatchObject({ code: 'config-missing-field', params: { field } });
  });

  it.each([
    [{ num_hidden_layers: 1e9 }, 'num_hidden_layers', '1000000000'],
    [{ num_hidden_layers: 0 }, 'num_hidden_layers', '0'],
    [{ num_hidden_layers: -1 }, 'num_hidden_layers', '-1'],
    [{ num_hidden_layers: 2.5 }, 'num_hidden_layers', '2.5'],
    [{ num_hidden_layers: NaN }, 'num_hidden_layers', 'NaN'],
    [{ num_hidden_layers: Infinity }, 'num_hidden_layers', 'Infinity'],
    [{ num_hidden_layers: true }, 'num_hidden_layers', 'true'],
    [{ hidden_size: 1e12 }, 'hidden_size', '1000000000000'],
    [{ hidden_size: '4096' }, 'hidden_size', '"4096"'],
    [{ num_attention_heads: 2_000_000 }, 'num_attention_heads', '2000000'],
    [{ num_attention_heads: 0 }, 'num_attention_heads', '0'],
    [{ num_key_value_heads: 0 }, 'num_key_value_heads', '0'],
    [{ num_key_value_heads: -8 }, 'num_key_value_heads', '-8'],
    [{ num_key_value_heads: 3 }, 'num_key_value_heads', '3'],
    [{ num_key_value_heads: 32 }, 'num_key_value_heads', '32'],
    [{ head_dim: -64 }, 'head_dim', '-64'],
    [{ head_dim: '<img src=x>' }, 'head_dim', '"<img src=x>"'],
    [{ hidden_size: 4097 }, 'hidden_size', '4097'],
    [{ max_position_embeddings: 0 }, 'max_position_embeddings', '0'],
    [{ sliding_window: 0 }, 'sliding_window', '0'],
    [{ multi_query: 'yes' }, 'multi_query', '"yes"'],
    [{ model_type: 7 }, 'model_type', '7'],
    [{ text_config: 'llama' }, 'text_config', '"llama"'],
    [{ layer_types: ['full_attention'] }, 'layer_types', 'a list of 1'],
    [{ layer_types: 'full_attention' }, 'layer_types', '"full_attention"'],
  ])('refuses %j by name', (patch, field, value) => {
    const error = refusal({ ...llama(32, 4096, 16, 8), ...patch });
    expect(error).toMatchObject({ code: 'config-bad-field', params: { field, value } });
  });

  it('names both fields when heads do not divide the width', () => {
    const error = refusal({ n_layer: 2, n_embd: 100, n_head: 12 });
    expect(error.params).toEqual({
      field: 'n_embd',
      value: '100',
      expected: 'a multiple of n_head (12) where head_dim is not given',
    });
  });

  it('repeats no more than a short piece of a foreign value', () => {
    const { params } = refusal({ ...llama(2, 64, 4), head_dim: 'x'.repeat(5000) });
    expect(params['value']).toHaveLength(61);
  });
});

describe('names of KV heads', () => {
  it('reads Step3’s attention groups as KV heads', () => {
    const step3 = {
      model_type: 'step3_text',
      hidden_size: 7168,
      num_hidden_layers: 61,
      num_attention_heads: 64,
      num_attention_groups: 1,
      head_dim: 256,
    };
    expect(readGeometry(step3).kvHeads).toBe(1);
  });
});
