/** Hybrids of linear attention or convolutions: published configs, their bytes at 2 bytes an element worked out in the comments. */
import { describe, expect, it } from 'vitest';
import { readGeometry } from '../read-config';
import { bytesOf, refusedField, repeated, runs, whole, type Case } from './testing.fixture';

const QWEN_TYPES = ['linear_attention', 'linear_attention', 'linear_attention', 'full_attention'];

const QWEN35_27B = {
  model_type: 'qwen3_5_text',
  hidden_size: 5120,
  num_attention_heads: 24,
  num_key_value_heads: 4,
  num_hidden_layers: 64,
  head_dim: 256,
  full_attention_interval: 4,
  layer_types: repeated(QWEN_TYPES, 64),
  linear_num_value_heads: 48,
  linear_num_key_heads: 16,
  linear_key_head_dim: 128,
  linear_value_head_dim: 128,
  linear_conv_kernel_dim: 4,
  mamba_ssm_dtype: 'float32',
};

const QWEN3_NEXT = {
  model_type: 'qwen3_next',
  hidden_size: 2048,
  num_attention_heads: 16,
  num_key_value_heads: 2,
  head_dim: 256,
  num_hidden_layers: 48,
  full_attention_interval: 4,
  linear_num_value_heads: 32,
  linear_num_key_heads: 16,
  linear_key_head_dim: 128,
  linear_value_head_dim: 128,
  linear_conv_kernel_dim: 4,
};

const KIMI_FULL = [4, 8, 12, 16, 20, 24, 27];

const KIMI_LINEAR = {
  model_type: 'kimi_linear',
  hidden_size: 2304,
  num_hidden_layers: 27,
  num_attention_heads: 32,
  num_key_value_heads: 32,
  kv_lora_rank: 512,
  qk_nope_head_dim: 128,
  qk_rope_head_dim: 64,
  v_head_dim: 128,
  linear_attn_config: {
    full_attn_layers: KIMI_FULL,
    kda_layers: [1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 14, 15, 17, 18, 19, 21, 22, 23, 25, 26],
    head_dim: 128,
    num_heads: 32,
    short_conv_kernel_size: 4,
  },
};

const MINIMAX_01 = {
  model_type: 'minimax_text_01',
  hidden_size: 6144,
  num_attention_heads: 64,
  num_key_value_heads: 8,
  head_dim: 128,
  num_hidden_layers: 80,
  attn_type_list: repeated([0, 0, 0, 0, 0, 0, 0, 1], 80),
};

const LFM2 = {
  model_type: 'lfm2',
  hidden_size: 2048,
  num_hidden_layers: 16,
  num_attention_heads: 32,
  num_key_value_heads: 8,
  conv_L_cache: 3,
  full_attn_idxs: [2, 5, 8, 10, 12, 14],
};

const KNOWN: Case[] = [
  // 16 x 2 x 4 x 256 x 2; 48 x ((2 x 2048 + 6144) x 3 x 2 + 48 x 128 x 128 x 4). llama.cpp: 16,384 MiB for 262,144 cells.
  ['Qwen3.5-27B', { model_type: 'qwen3_5', text_config: QWEN35_27B }, { first: 65_536, fixed: 153_944_064 }],
  // 10 x 2 x 2 x 256 x 2; 30 x ((4096 + 4096) x 3 x 2 + 32 x 128 x 128 x 4).
  [
    'Qwen3.5-35B-A3B',
    {
      model_type: 'qwen3_5_moe',
      text_config: {
        ...QWEN35_27B,
        model_type: 'qwen3_5_moe_text',
        hidden_size: 2048,
        num_attention_heads: 16,
        num_key_value_heads: 2,
        num_hidden_layers: 40,
        layer_types: repeated(QWEN_TYPES, 40),
        linear_num_value_heads: 32,
      },
    },
    { first: 20_480, fixed: 64_389_120 },
  ],
  // 12 x 2 x 2 x 256 x 2 (vLLM base_model_arch_groundtruth.json); 36 x (8192 x 3 + 32 x 128 x 128) x 2.
  ['Qwen3-Next-80B-A3B', QWEN3_NEXT, { first: 24_576, fixed: 39_518_208 }],
  // transformers 5.18 configuration_olmo_hybrid.py: 8 x 2 x 30 x 128 x 2; 24 x (11,520 x 3 + 30 x 192 x 96) x 2.
  [
    'OLMo hybrid 7B, widths by its class',
    {
      model_type: 'olmo_hybrid',
      hidden_size: 3840,
      num_hidden_layers: 32,
      num_attention_heads: 30,
      layer_types: repeated(QWEN_TYPES, 32),
    },
    { first: 122_880, fixed: 28_200_960 },
  ],
  // 7 x 576 x 2; 20 x (3 x 4096 x 3 x 2 + 32 x 128 x 128 x 4).
  ['Kimi-Linear-48B-A3B', KIMI_LINEAR, { first: 8064, fixed: 43_417_600 }],
  // aiconfigurator moonshotai--Kimi-K3: 24 x 576 x 2; 69 x (3 x 12,288 x 3 x 2 + 96 x 128 x 128 x 4).
  [
    'Kimi-K3',
    {
      model_type: 'kimi_k3',
      text_config: {
        ...KIMI_LINEAR,
        hidden_size: 7168,
        num_hidden_layers: 93,
        num_attention_heads: 96,
        num_key_value_heads: 96,
        linear_attn_config: {
          full_attn_layers: [...Array.from({ length: 23 }, (_, index) => 4 * index + 4), 93],
          kda_layers: Array.from({ length: 93 }, (_, index) => index + 1).filter(
            (n) => n % 4 !== 0 && n < 93,
          ),
          head_dim: 128,
          num_heads: 96,
          short_conv_kernel_size: 4,
        },
      },
    },
    { first: 27_648, fixed: 449_372_160 },
  ],
  // 10 x 2 x 8 x 128 x 2; 70 x 64 x 128 x 128 x 2.
  ['MiniMax-Text-01', MINIMAX_01, { first: 40_960, fixed: 146_800_640 }],
  [
    'MiniMax-Text-01-hf',
    {
      ...MINIMAX_01,
      model_type: 'minimax',
      attn_type_list: undefined,
      layer_types: repeated([...runs([7, 'linear_attention']), 'full_attention'], 80),
    },
    { first: 40_960, fixed: 146_800_640 },
  ],
  // inclusionAI/Ring-mini-linear-2.0: 4 x 2 x 4 x 128 x 2; 16 x 16 x 128 x 128 x 2.
  [
    'Ring-mini-linear-2.0',
    {
      model_type: 'bailing_moe_linear',
      hidden_size: 2048,
      head_dim: 128,
      num_attention_heads: 16,
      num_key_value_heads: 4,
      num_hidden_layers: 20,
      layer_group_size: 5,
    },
    { first: 8192, fixed: 8_388_608 },
  ],
  // inclusionAI Ling-3.0-tiny: 6 x 576 x 2; 18 x (3 x 2048 x 3 x 2 + 16 x 128 x 128 x 4).
  [
    'Ling-3.0-tiny',
    {
      model_type: 'bailing_hybrid',
      hidden_size: 1536,
      num_hidden_layers: 24,
      num_attention_heads: 16,
      num_key_value_heads: 16,
      head_dim: 128,
      layer_group_size: 4,
      short_conv_kernel_size: 4,
      kv_lora_rank: 512,
      qk_nope_head_dim: 128,
      qk_rope_head_dim: 64,
      v_head_dim: 128,
    },
    { first: 6912, fixed: 19_537_920 },
  ],
  // 7 layers in groups of 3: 2 and 5 have attention, and 6, after the last whole group: 3 x 2 x 1 x 8 x 2; 4 x 2 x 8 x 8 x 2.
  [
    'a group that is not whole',
    {
      model_type: 'bailing_moe_linear',
      head_dim: 8,
      num_attention_heads: 2,
      num_key_value_heads: 1,
      num_hidden_layers: 7,
      layer_group_size: 3,
    },
    { first: 96, fixed: 1024 },
  ],
  // 6 x 2 x 8 x 64 x 2 (gguf-parser-go#31: 384 MiB at 32,768); 10 x 2048 x 2 x 2.
  ['LFM2-1.2B', LFM2, { first: 12_288, fixed: 81_920 }],
  [
    'LFM2-1.2B by layer_types, nested',
    {
      model_type: 'lfm2_vl',
      text_config: {
        ...LFM2,
        full_attn_idxs: undefined,
        layer_types: Array.from({ length: 16 }, (_, layer) =>
          LFM2.full_attn_idxs.includes(layer) ? 'full_attention' : 'conv',
        ),
      },
    },
    { first: 12_288, fixed: 81_920 },
  ],
];

describe('hybrids of linear attention or convolutions', () => {
  it.each(KNOWN)('%s', (_name, config, bytes) => {
    expect(bytesOf(config)).toEqual(whole(bytes));
  });

  it.each([
    ['Qwen3-Next-80B-A3B', QWEN3_NEXT, 1_179_648, 18_874_368],
    ['Qwen3.5-27B', QWEN35_27B, 1_966_080, 37_748_736],
    ['MiniMax-Text-01', MINIMAX_01, 0, 73_400_320],
  ])('%s: elements with the whole kernel, as Hugging Face keeps them', (_name, config, conv, recurrent) => {
    const { caches } = readGeometry(config);
    const kernels = caches.map(({ conv: shape }) => (shape ? shape.channels * shape.kernel : 0));
    const states = caches.map(({ kind, fixedElements }) => (kind === 'recurrent' ? fixedElements : 0));
    expect(kernels.reduce((a, b) => a + b)).toBe(conv);
    expect(states.reduce((a, b) => a + b)).toBe(recurrent);
  });

  it('takes the class’s widths for a Qwen3.5 that gives none, and says so', () => {
    const config = {
      model_type: 'qwen3_5',
      text_config: {
        model_type: 'qwen3_5_text',
        num_hidden_layers: 24,
        num_key_value_heads: 2,
        head_dim: 256,
        layer_types: repeated(QWEN_TYPES, 24),
      },
    };
    expect(bytesOf(config)).toMatchObject({ first: 12_288, far: 12_288 });
    expect(readGeometry(config).assumed).toEqual([
      { field: 'num_attention_heads', value: 16, code: 'class-default' },
      { field: 'linear_num_key_heads', value: 16, code: 'class-default' },
      { field: 'linear_num_value_heads', value: 32, code: 'class-default' },
      { field: 'linear_key_head_dim', value: 128, code: 'class-default' },
      { field: 'linear_value_head_dim', value: 128, code: 'class-default' },
      { field: 'linear_conv_kernel_dim', value: 4, code: 'class-default' },
    ]);
  });

  it('says that an interval of 4 was assumed', () => {
    const { assumed } = readGeometry({ ...QWEN3_NEXT, full_attention_interval: undefined });
    expect(assumed).toEqual([{ field: 'full_attention_interval', value: 4, code: 'class-default' }]);
  });

  it.each([
    [{ ...QWEN35_27B, layer_types: repeated(QWEN_TYPES, 63) }, 'layer_types'],
    [{ ...QWEN35_27B, layer_types: runs([64, 'magic']) }, 'layer_types[0]'],
    [{ ...QWEN35_27B, linear_num_value_heads: 0 }, 'linear_num_value_heads'],
    [{ ...QWEN35_27B, mamba_ssm_dtype: 32 }, 'mamba_ssm_dtype'],
    [{ ...MINIMAX_01, attn_type_list: runs([80, 2]) }, 'attn_type_list[0]'],
    [{ ...MINIMAX_01, attn_type_list: undefined }, 'attn_type_list'],
    [
      { ...KIMI_LINEAR, linear_attn_config: { ...KIMI_LINEAR.linear_attn_config, kda_layers: [1] } },
      'linear_attn_config.kda_layers',
    ],
    [
      { ...KIMI_LINEAR, linear_attn_config: { ...KIMI_LINEAR.linear_attn_config, head_dim: -1 } },
      'linear_attn_config.head_dim',
    ],
    [
      { model_type: 'bailing_moe_linear', head_dim: 8, num_attention_heads: 2, num_hidden_layers: 4 },
      'layer_group_size',
    ],
    [{ ...LFM2, full_attn_idxs: 'all' }, 'full_attn_idxs'],
    [{ ...LFM2, conv_L_cache: 0 }, 'conv_L_cache'],
  ])('refuses %j by the field', (config, field) => {
    expect(refusedField(config)).toBe(field);
  });
});
