/** Keys and values with indexers or convolutions beside them: bytes at 2 bytes an element worked out in the comments. */
import { describe, expect, it } from 'vitest';
import { bytesOf, refusedField, runs, whole, type Case } from './testing.fixture';

/** Fields of aiconfigurator MiniMaxAI--MiniMax-M3. */
const MINIMAX_M3 = {
  model_type: 'minimax_m3',
  hidden_size: 6144,
  head_dim: 128,
  num_attention_heads: 64,
  num_key_value_heads: 4,
  num_hidden_layers: 60,
  sparse_attention_config: { sparse_index_dim: 128, sparse_attention_freq: runs([3, 0], [57, 1]) },
};

/** Class values of transformers 5.18 configuration_zaya.py. */
const ZAYA = {
  model_type: 'zaya',
  hidden_size: 2048,
  head_dim: 128,
  num_attention_heads: 8,
  num_key_value_heads: 2,
  num_hidden_layers: 40,
  cca_time0: 2,
  cca_time1: 2,
};

/** Class values of transformers 5.18 configuration_inkling.py. */
const INKLING = {
  model_type: 'inkling_text',
  hidden_size: 6144,
  head_dim: 128,
  num_attention_heads: 64,
  num_key_value_heads: 8,
  num_hidden_layers: 66,
  swa_num_key_value_heads: 16,
  swa_head_dim: 128,
  sliding_window_size: 512,
  conv_kernel_size: 4,
};

const KNOWN: Case[] = [
  // 60 x 2 x 4 x 128 x 2 + 57 x 128 x 2.
  ['MiniMax-M3', MINIMAX_M3, { first: 137_472 }],
  // 40 x 2 x 2 x 128 x 2; 40 x ((8 + 2) x 128 x 2 + 128) x 2.
  ['Zaya', ZAYA, { first: 40_960, fixed: 215_040 }],
  // 11 x 2 x 8 x 128 x 2, + 55 x 2 x 16 x 128 x 2 in windows; 11 x (2048 + 12,288) x 3 x 2 + 55 x (4096 + 12,288) x 3 x 2.
  [
    'Inkling',
    { model_type: 'inkling_mm_model', text_config: INKLING },
    { first: 495_616, far: 45_056, fixed: 6_352_896 },
  ],
];

describe('families with whole keys and values and something more', () => {
  it.each(KNOWN)('%s', (_name, config, bytes) => {
    expect(bytesOf(config)).toEqual(whole(bytes));
  });

  it.each([
    [
      { ...MINIMAX_M3, sparse_attention_config: { sparse_attention_freq: [1] } },
      'sparse_attention_config.sparse_attention_freq',
    ],
    [{ ...ZAYA, layer_types: runs([40, 'hybrid_sliding']) }, 'sliding_window'],
    [{ ...INKLING, conv_kernel_size: 0 }, 'conv_kernel_size'],
  ])('refuses %j by the field', (config, field) => {
    expect(refusedField(config)).toBe(field);
  });
});
