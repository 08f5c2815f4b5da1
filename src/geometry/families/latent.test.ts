/** Latents, indexers and compressed entries: published configs, their bytes at 2 bytes an element worked out in the comments. */
import { describe, expect, it } from 'vitest';
import { formulaBytes } from '../bytes';
import { underGraphRule } from '../engines/graph';
import { readGeometry } from '../read-config';
import { bytesOf, refusedField, repeated, runs, whole, type Case } from './testing.fixture';

/** Widths of DeepSeek V2, V3, Kimi K2. */
const DEEPSEEK = {
  kv_lora_rank: 512,
  qk_rope_head_dim: 64,
  qk_nope_head_dim: 128,
  v_head_dim: 128,
};

const V3 = {
  ...DEEPSEEK,
  model_type: 'deepseek_v3',
  hidden_size: 7168,
  num_attention_heads: 128,
  num_key_value_heads: 128,
  num_hidden_layers: 61,
  num_nextn_predict_layers: 1,
};

const GLM5 = {
  model_type: 'glm_moe_dsa',
  hidden_size: 6144,
  head_dim: 64,
  num_hidden_layers: 78,
  num_attention_heads: 64,
  num_key_value_heads: 64,
  num_nextn_predict_layers: 1,
  kv_lora_rank: 512,
  qk_nope_head_dim: 192,
  qk_rope_head_dim: 64,
  v_head_dim: 256,
  index_head_dim: 128,
  index_n_heads: 32,
  index_topk: 2048,
};

/** Of DeepSeek-V4-Pro and V4-Flash: one entry more than layers, for multi-token prediction. */
const V4_PRO_RATIOS = [128, 128, ...repeated([4, 128], 59), 0];
const V4_FLASH_RATIOS = [0, 0, ...repeated([4, 128], 41), 0];

const V4 = {
  model_type: 'deepseek_v4',
  head_dim: 512,
  num_key_value_heads: 1,
  num_nextn_predict_layers: 1,
  qk_rope_head_dim: 64,
  sliding_window: 128,
  index_head_dim: 128,
};

const V4_PRO = {
  ...V4,
  hidden_size: 7168,
  num_attention_heads: 128,
  num_hidden_layers: 61,
  compress_ratios: V4_PRO_RATIOS,
};

const V4_FLASH = {
  ...V4,
  hidden_size: 4096,
  num_attention_heads: 64,
  num_hidden_layers: 43,
  compress_ratios: V4_FLASH_RATIOS,
};

const KNOWN: Case[] = [
  // 61 x (512 + 64) x 2; gguf-parser-go#8; another tool's 10.72 GiB at 163,840 tokens.
  ['DeepSeek-V3', V3, { first: 70_272 }],
  // 60 x (512 + 64) x 2 (the second article).
  ['DeepSeek-V2', { ...V3, model_type: 'deepseek_v2', num_hidden_layers: 60 }, { first: 69_120 }],
  // 27 x 576 x 2, measured in transformers 5.18.
  [
    'DeepSeek-V2-Lite',
    {
      ...DEEPSEEK,
      model_type: 'deepseek_v2',
      hidden_size: 2048,
      num_attention_heads: 16,
      num_key_value_heads: 16,
      num_hidden_layers: 27,
      q_lora_rank: null,
    },
    { first: 31_104 },
  ],
  // 61 x (576 + 128) x 2; published: 83.9 GiB at 1,048,576 tokens.
  ['DeepSeek-V3.2', { ...V3, model_type: 'deepseek_v32', index_head_dim: 128 }, { first: 85_888 }],
  // The same by its index_topk under V3's model_type.
  ['V3.2 as V3', { ...V3, index_topk: 2048, index_head_dim: 128 }, { first: 85_888 }],
  // aiconfigurator moonshotai--Kimi-K2.5: nested, 61 x 576 x 2; 17.16 GiB at 262,144 tokens (unsloth#4757).
  [
    'Kimi-K2.5',
    {
      model_type: 'kimi_k25',
      text_config: { ...V3, model_type: 'kimi_k2', num_attention_heads: 64, num_key_value_heads: 64 },
    },
    { first: 70_272 },
  ],
  // aiconfigurator zai-org--GLM-5: 78 x (576 + 128) x 2.
  ['GLM-5', GLM5, { first: 109_824 }],
  // aiconfigurator zai-org--GLM-5.2: an indexer in layers 0, 1, 2, 6, 10, …, 74 only: 78 x 576 x 2 + 21 x 128 x 2.
  [
    'GLM-5.2',
    {
      ...GLM5,
      indexer_types: ['full', 'full', ...repeated(['full', 'shared', 'shared', 'shared'], 76)],
    },
    { first: 95_232 },
  ],
  // The same without the list: every 4th after an offset of 3.
  ['GLM-5.2 by frequency', { ...GLM5, index_topk_freq: 4, index_skip_topk_offset: 3 }, { first: 95_232 }],
  [
    'GLM-5.2 by pattern',
    { ...GLM5, index_topk_pattern: `FF${repeated(['F', 'S', 'S', 'S'], 76).join('')}` },
    { first: 95_232 },
  ],
  // transformers 5.18 configuration_glm4_moe_lite.py: 47 x 576 x 2.
  [
    'GLM-4.7-Flash',
    {
      model_type: 'glm4_moe_lite',
      hidden_size: 2048,
      num_hidden_layers: 47,
      num_attention_heads: 20,
      num_key_value_heads: 20,
      kv_lora_rank: 512,
      qk_rope_head_dim: 64,
      qk_nope_head_dim: 192,
      v_head_dim: 256,
    },
    { first: 54_144 },
  ],
  // transformers 5.18 configuration_minicpm3.py: 62 x (256 + 32) x 2.
  [
    'MiniCPM3-4B',
    {
      model_type: 'minicpm3',
      hidden_size: 2560,
      num_hidden_layers: 62,
      num_attention_heads: 40,
      num_key_value_heads: 40,
      kv_lora_rank: 256,
      qk_rope_head_dim: 32,
      qk_nope_head_dim: 64,
    },
    { first: 35_712 },
  ],
  // transformers 5.18 configuration_longcat_flash.py: 28 layers of two attentions: 2 x 28 x 576 x 2.
  [
    'LongCat-Flash',
    { ...DEEPSEEK, model_type: 'longcat_flash', hidden_size: 6144, num_layers: 28, num_attention_heads: 64 },
    { first: 64_512 },
  ],
  // transformers 5.18 configuration_mistral4.py: 36 x (256 + 64) x 2.
  [
    'Mistral 4, nested, by class defaults',
    {
      model_type: 'mistral3',
      text_config: { model_type: 'mistral4', num_hidden_layers: 36, hidden_size: 4096 },
    },
    { first: 23_040 },
  ],
  // vLLM openpangu.py's names: 61 x 576 x 2.
  [
    'openPangu-Ultra-MoE',
    {
      model_type: 'pangu_ultra_moe',
      hidden_size: 7680,
      num_hidden_layers: 61,
      num_attention_heads: 128,
      attention_kv_lora_dim: 512,
      attention_qk_rope_dim: 64,
      attention_qk_dim: 128,
      attention_v_dim: 128,
    },
    { first: 70_272 },
  ],
  // DeepSeek-OCR: plain attention, 12 x 2 x 10 heads x 128 x 2.
  [
    'DeepSeek-OCR',
    {
      model_type: 'deepseek_vl_v2',
      language_config: {
        model_type: 'deepseek_v2',
        use_mla: false,
        kv_lora_rank: null,
        qk_rope_head_dim: 0,
        qk_nope_head_dim: 0,
        v_head_dim: 0,
        hidden_size: 1280,
        num_hidden_layers: 12,
        num_attention_heads: 10,
        num_key_value_heads: 10,
      },
    },
    { first: 61_440 },
  ],
  // First 61 x 512 x 2; far 30 x (512 + 128) / 4 x 2 + 31 x 512 / 128 x 2 (published: 9.62 GiB at 1,048,576 tokens).
  ['DeepSeek-V4-Pro', V4_PRO, { first: 62_464, far: 9848 }],
  // First 43 x 512 x 2; far 21 x (512 + 128) / 4 x 2 + 20 x 512 / 128 x 2.
  ['DeepSeek-V4-Flash', V4_FLASH, { first: 44_032, far: 6880 }],
  [
    'V4-Flash by layer_types',
    {
      ...V4_FLASH,
      compress_ratios: null,
      layer_types: [
        ...runs([2, 'sliding_attention']),
        ...repeated(['compressed_sparse_attention', 'heavily_compressed_attention'], 41),
      ],
    },
    { first: 44_032, far: 6880 },
  ],
];

describe('families with latents', () => {
  it.each(KNOWN)('%s', (_name, config, bytes) => {
    expect(bytesOf(config)).toEqual(whole(bytes));
  });

  it.each([
    // 128 heads x (192 + 128) x 61 x 2 (huggingface/optimum#2344).
    ['DeepSeek-V3', V3, 4_997_120],
    // 16 heads x (192 + 128) x 27 x 2.
    ['DeepSeek-V2-Lite', KNOWN[2]?.[1] ?? {}, 276_480],
    // 40 heads x (96 + 2560 / 40) x 62 x 2.
    ['MiniCPM3-4B', KNOWN.find(([name]) => name === 'MiniCPM3-4B')?.[1] ?? {}, 793_600],
  ])('%s decompressed', (_name, config, bytes) => {
    const graph = underGraphRule(readGeometry(config));
    expect(formulaBytes(graph, { batch: 1, tokens: 1, elementBytes: 2 })).toBe(bytes);
  });

  it('counts whole compressed entries only', () => {
    const pro = readGeometry(V4_PRO);
    expect(formulaBytes(pro, { batch: 1, tokens: 32_768, elementBytes: 2 })).toBe(330_694_656);
    // 128 tokens in 61 windows, 31 entries of 4 and their keys, no entry of 128 yet: 61 x 127 x 1024 + 30 x 31 x 1280.
    expect(formulaBytes(pro, { batch: 1, tokens: 127, elementBytes: 2 })).toBe(9_123_328);
  });

  it('says what it assumed of DeepSeek V4 without ratios or layer types', () => {
    const { assumed, caches } = readGeometry({ ...V4_FLASH, compress_ratios: undefined });
    expect(assumed?.map(({ field }) => field)).toEqual(['layer_types']);
    expect(caches.slice(0, 5).map(({ kind, tokensPerEntry }) => [kind, tokensPerEntry])).toEqual([
      ['sliding', undefined],
      ['compressed', 128],
      ['sliding', undefined],
      ['compressed', 128],
      ['sliding', undefined],
    ]);
  });

  it.each([
    [{ ...V3, kv_lora_rank: -1 }, 'kv_lora_rank'],
    [{ ...V3, num_hidden_layers: null }, 'num_hidden_layers'],
    [{ ...V3, use_mla: 'no' }, 'use_mla'],
    [{ model_type: 'pangu_ultra_moe', num_hidden_layers: 2, num_attention_heads: 2 }, 'kv_lora_rank'],
    [{ ...GLM5, indexer_types: ['full'] }, 'indexer_types'],
    [{ ...GLM5, indexer_types: runs([77, 'full'], [1, 'half']) }, 'indexer_types[77]'],
    [{ ...GLM5, index_topk_pattern: 'FS' }, 'index_topk_pattern'],
    [{ ...V4_PRO, compress_ratios: [4, 128] }, 'compress_ratios'],
    [{ ...V4_PRO, compress_ratios: runs([61, -4]) }, 'compress_ratios[0]'],
    [{ ...V4_PRO, compress_ratios: null, layer_types: runs([61, 'full_attention']) }, 'layer_types[0]'],
    [{ model_type: 'longcat_flash', hidden_size: 64, num_attention_heads: 2 }, 'num_layers'],
    [{ model_type: 'longcat_flash', num_layers: 2 ** 24 }, 'num_layers'],
    [
      { model_type: 'longcat_flash', hidden_size: 64, num_attention_heads: 2, num_hidden_layers: 3 },
      'num_hidden_layers',
    ],
  ])('refuses %j by the field', (config, field) => {
    expect(refusedField(config)).toBe(field);
  });
});
