/** State-space models and their hybrids: published configs, bytes at 2 bytes an element in the comments. */
import { describe, expect, it } from 'vitest';
import { readGeometry } from '../read-config';
import { bytesOf, refusedField, repeated, runs, whole, type Case } from './testing.fixture';

const MAMBA_130M = {
  model_type: 'mamba',
  hidden_size: 768,
  num_hidden_layers: 24,
  state_size: 16,
  conv_kernel: 4,
  expand: 2,
  intermediate_size: 1536,
};

const CODESTRAL = {
  model_type: 'mamba2',
  hidden_size: 4096,
  num_hidden_layers: 64,
  num_heads: 128,
  head_dim: 64,
  state_size: 128,
  n_groups: 8,
  conv_kernel: 4,
  expand: 2,
};

const FALCON_H1 = {
  model_type: 'falcon_h1',
  hidden_size: 1024,
  num_attention_heads: 8,
  num_key_value_heads: 2,
  head_dim: 64,
  num_hidden_layers: 36,
  mamba_d_ssm: 1536,
  mamba_n_heads: 24,
  mamba_d_head: 64,
  mamba_n_groups: 1,
  mamba_d_state: 128,
  mamba_d_conv: 4,
};

const GRANITE_TINY = {
  model_type: 'granitemoehybrid',
  hidden_size: 1536,
  num_attention_heads: 12,
  num_key_value_heads: 4,
  num_hidden_layers: 40,
  layer_types: repeated([...runs([5, 'mamba']), 'attention', ...runs([4, 'mamba'])], 40),
  mamba_n_heads: 48,
  mamba_d_head: 64,
  mamba_d_state: 128,
  mamba_n_groups: 1,
  mamba_d_conv: 4,
  mamba_expand: 2,
};

const NEMOTRON_NANO = {
  model_type: 'nemotron_h',
  hidden_size: 2688,
  num_attention_heads: 32,
  num_key_value_heads: 2,
  num_hidden_layers: 52,
  head_dim: 128,
  hybrid_override_pattern: 'MEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEMEM*EMEMEMEME',
  mamba_num_heads: 64,
  mamba_head_dim: 64,
  n_groups: 8,
  ssm_state_size: 128,
  conv_kernel: 4,
  mamba_ssm_cache_dtype: 'float32',
};

const BAMBA = {
  model_type: 'bamba',
  hidden_size: 4096,
  num_attention_heads: 32,
  num_key_value_heads: 8,
  num_hidden_layers: 32,
  attn_layer_indices: [9, 18, 27],
  mamba_n_heads: 128,
  mamba_d_head: 'auto',
  mamba_d_state: 128,
  mamba_n_groups: 1,
  mamba_d_conv: 4,
  mamba_expand: 2,
};

const ZAMBA2 = {
  model_type: 'zamba2',
  hidden_size: 2048,
  num_hidden_layers: 38,
  num_attention_heads: 32,
  num_key_value_heads: 32,
  hybrid_layer_ids: [5, 11, 17, 23, 29, 35],
  n_mamba_heads: 64,
  mamba_ngroups: 1,
  mamba_d_state: 128,
  mamba_d_conv: 4,
  mamba_expand: 2,
};

const KNOWN: Case[] = [
  // 24 x 1536 x (3 + 16) x 2.
  ['mamba-130m', MAMBA_130M, { first: 0, fixed: 1_400_832 }],
  // 64 x 8192 x (3 + 16) x 2.
  [
    'falcon-mamba-7b',
    {
      ...MAMBA_130M,
      model_type: 'falcon_mamba',
      hidden_size: 4096,
      num_hidden_layers: 64,
      intermediate_size: 8192,
    },
    { first: 0, fixed: 19_922_944 },
  ],
  // 64 x ((8192 + 2 x 8 x 128) x 3 + 128 x 64 x 128) x 2.
  ['Mamba-Codestral-7B', CODESTRAL, { first: 0, fixed: 138_149_888 }],
  // transformers 5.18 configuration_jamba.py: 4 x 2 x 8 x 128 x 2; 28 x 8192 x (3 + 16) x 2.
  [
    'Jamba-v0.1',
    {
      model_type: 'jamba',
      hidden_size: 4096,
      num_hidden_layers: 32,
      num_attention_heads: 32,
      num_key_value_heads: 8,
      attn_layer_period: 8,
      attn_layer_offset: 4,
      mamba_d_state: 16,
      mamba_d_conv: 4,
      mamba_expand: 2,
    },
    { first: 16_384, fixed: 8_716_288 },
  ],
  // 36 x 2 x 2 x 64 x 2; 36 x ((1536 + 256) x 3 + 24 x 64 x 128) x 2 (measured in transformers 5.18).
  ['Falcon-H1-0.5B', FALCON_H1, { first: 18_432, fixed: 14_542_848 }],
  // 4 x 2 x 4 x 128 x 2; 36 x ((3072 + 256) x 3 + 48 x 64 x 128) x 2.
  ['Granite-4.0-H-Tiny', GRANITE_TINY, { first: 8192, fixed: 29_030_400 }],
  // A dense Granite 4 has attention alone: 40 x 2 x 4 x 128 x 2.
  [
    'Granite 4 without state-space layers',
    { ...GRANITE_TINY, layer_types: runs([40, 'attention']) },
    { first: 81_920 },
  ],
  // 6 x 2 x 2 x 128 x 2; 23 x ((4096 + 2048) x 3 x 2 + 64 x 64 x 128 x 4).
  ['Nemotron-3-Nano-30B-A3B', NEMOTRON_NANO, { first: 6144, fixed: 49_082_368 }],
  // aiconfigurator nvidia--Nemotron-H-56B-Base-8K: 10 x 2 x 8 x 128 x 2; 54 x ((16,384 + 4096) x 3 x 2 + 256 x 64 x 256 x 4).
  [
    'Nemotron-H-56B',
    {
      ...NEMOTRON_NANO,
      hidden_size: 8192,
      head_dim: undefined,
      attention_head_dim: 128,
      num_attention_heads: 64,
      num_key_value_heads: 8,
      num_hidden_layers: 118,
      hybrid_override_pattern: `M-M-M-M*-${'M-M-M-M-M*-'.repeat(9)}M-M-M-M-M-`,
      mamba_num_heads: 256,
      ssm_state_size: 256,
      mamba_ssm_cache_dtype: undefined,
    },
    { first: 40_960, fixed: 912_605_184 },
  ],
  // 3 x 2 x 8 x 128 x 2; 29 x ((8192 + 256) x 3 + 128 x 64 x 128) x 2.
  ['Bamba-9B', BAMBA, { first: 12_288, fixed: 62_287_360 }],
  // 6 x 2 x 32 x (2 x 2048 / 32) x 2; 38 x ((4096 + 256) x 3 + 64 x 64 x 128) x 2.
  ['Zamba2-1.2B', ZAMBA2, { first: 98_304, fixed: 40_838_144 }],
  // Zyphra/Zamba2-7B's first config, layers 6, 11, 17, …, 77: 13 x 2 x 32 x 224 x 2; 81 x ((7168 + 2 x 2 x 64) x 3 + 112 x 64 x 64) x 2.
  [
    'Zamba2-7B',
    {
      model_type: 'zamba2',
      hidden_size: 3584,
      num_hidden_layers: 81,
      num_attention_heads: 32,
      num_key_value_heads: 32,
      layers_block_type: Array.from({ length: 81 }, (_, layer) =>
        layer === 6 || (layer > 6 && layer % 6 === 5) ? 'hybrid' : 'mamba',
      ),
      mamba_headdim: 64,
      mamba_ngroups: 2,
      state_size: 64,
    },
    { first: 372_736, fixed: 77_925_888 },
  ],
  // transformers 5.18 configuration_zamba.py: layers 2, 7, 13, …, 73: 13 x 2 x 16 x 464 x 2; 76 x 7424 x (3 + 16) x 2.
  [
    'Zamba-7B-v1',
    {
      model_type: 'zamba',
      hidden_size: 3712,
      num_hidden_layers: 76,
      num_attention_heads: 16,
      num_key_value_heads: 16,
    },
    { first: 386_048, fixed: 21_440_512 },
  ],
  // vLLM plamo2.py: layers 1, 3 of 4 have attention: 2 x 2 x 1 x 16 x 2; 2 x (64 x 3 + 4 x 16 x 8) x 2.
  [
    'a small PLaMo 2',
    {
      model_type: 'plamo2',
      hidden_size: 32,
      num_hidden_layers: 4,
      num_attention_heads: 2,
      num_key_value_heads: 1,
      hidden_size_per_head: 16,
      mamba_step: 2,
      mamba_num_heads: 4,
      mamba_d_state: 8,
      mamba_d_conv: 4,
    },
    { first: 128, fixed: 2816 },
  ],
];

describe('state-space models and their hybrids', () => {
  it.each(KNOWN)('%s', (_name, config, bytes) => {
    expect(bytesOf(config)).toEqual(whole(bytes));
  });

  it.each([
    ['mamba-130m', MAMBA_130M, 147_456, 589_824],
    ['Falcon-H1-0.5B', FALCON_H1, 258_048, 7_077_888],
    ['Nemotron-3-Nano', NEMOTRON_NANO, 565_248, 12_058_624],
  ])('%s: elements with the whole kernel, as Hugging Face keeps them', (_name, config, conv, state) => {
    const { caches } = readGeometry(config);
    const kernels = caches.map(({ conv: shape }) => (shape ? shape.channels * shape.kernel : 0));
    const states = caches.map(({ kind, fixedElements }) => (kind === 'recurrent' ? fixedElements : 0));
    expect(kernels.reduce((a, b) => a + b)).toBe(conv);
    expect(states.reduce((a, b) => a + b)).toBe(state);
  });

  it('keeps no heads in a model without attention', () => {
    expect(readGeometry(MAMBA_130M)).toMatchObject({
      attentionHeads: 0,
      kvHeads: 0,
      headDim: 0,
      assumed: [],
    });
  });

  it('reads a Nemotron by its list of blocks, without a number of layers', () => {
    const names: Record<string, string> = { M: 'mamba', E: 'moe', '*': 'attention' };
    const config = {
      ...NEMOTRON_NANO,
      num_hidden_layers: undefined,
      hybrid_override_pattern: undefined,
      layers_block_type: Array.from(NEMOTRON_NANO.hybrid_override_pattern, (letter) => names[letter]),
    };
    expect(bytesOf(config)).toEqual({ first: 6144, far: 6144, fixed: 49_082_368 });
    expect(readGeometry(config).layers).toBe(52);
  });

  it('says that a Nemotron’s states are in float32 by its class', () => {
    const { assumed } = readGeometry({ ...NEMOTRON_NANO, mamba_ssm_cache_dtype: null });
    expect(assumed).toEqual([{ field: 'mamba_ssm_cache_dtype', value: 'float32', code: 'class-default' }]);
  });

  it.each([
    [{ ...MAMBA_130M, state_size: 'big' }, 'state_size'],
    [{ ...MAMBA_130M, hidden_size: null }, 'hidden_size'],
    [{ ...CODESTRAL, num_heads: 100 }, 'num_heads'],
    [{ ...FALCON_H1, mamba_n_heads: 25 }, 'mamba_n_heads'],
    [{ ...GRANITE_TINY, layer_types: runs([39, 'mamba']) }, 'layer_types'],
    [{ ...GRANITE_TINY, layer_types: runs([40, 'toString']) }, 'layer_types[0]'],
    [{ ...NEMOTRON_NANO, hybrid_override_pattern: 'MX' }, 'hybrid_override_pattern[1]'],
    [{ ...NEMOTRON_NANO, hybrid_override_pattern: 'MM' }, 'hybrid_override_pattern'],
    [{ ...NEMOTRON_NANO, hybrid_override_pattern: null }, 'hybrid_override_pattern'],
    [{ ...BAMBA, attn_layer_indices: [-1] }, 'attn_layer_indices[0]'],
    [{ ...ZAMBA2, hybrid_layer_ids: null }, 'hybrid_layer_ids'],
  ])('refuses %j by the field', (config, field) => {
    expect(refusedField(config)).toBe(field);
  });
});
