/** Recurrent models: published configs, their bytes at 2 bytes an element worked out in the comments. */
import { describe, expect, it } from 'vitest';
import { readGeometry } from '../read-config';
import { bytesOf, refusedField, whole, type Case } from './testing.fixture';

const KNOWN: Case[] = [
  // transformers 5.18 configuration_recurrent_gemma.py: 8 x 2 x 256 x 2 in a window of 2048; 18 x 2560 x (3 x 2 + 4).
  [
    'recurrentgemma-2b',
    {
      model_type: 'recurrent_gemma',
      hidden_size: 2560,
      lru_width: 2560,
      num_hidden_layers: 26,
      num_attention_heads: 10,
      num_key_value_heads: 1,
      attention_window_size: 2048,
      conv1d_width: 4,
      block_types: ['recurrent', 'recurrent', 'attention'],
    },
    { first: 8192, far: 0, fixed: 460_800 },
  ],
  // transformers 5.18 modeling_rwkv.py: 12 x 768 x (2 x 2 + 3 x 4).
  [
    'rwkv-4-169m',
    { model_type: 'rwkv', hidden_size: 768, num_hidden_layers: 12 },
    { first: 0, fixed: 147_456 },
  ],
  // 12 x (2 x 768 x 2 + 12 x 64 x 64 x 4).
  [
    'RWKV7-Goose-Pile-168M',
    { model_type: 'rwkv7', hidden_size: 768, num_hidden_layers: 12, head_dim: 64 },
    { first: 0, fixed: 2_396_160 },
  ],
  // transformers 5.18 modeling_xlstm.py: 32 x 8 x (256 x 512 + 256 + 1) x 2.
  [
    'xLSTM-7b',
    {
      model_type: 'xlstm',
      embedding_dim: 4096,
      num_blocks: 32,
      num_heads: 8,
      qk_dim_factor: 0.5,
      v_dim_factor: 1,
    },
    { first: 0, fixed: 67_240_448 },
  ],
];

describe('recurrent models', () => {
  it.each(KNOWN)('%s', (_name, config, bytes) => {
    expect(bytesOf(config)).toEqual(whole(bytes));
  });

  it('caps the attention of RecurrentGemma at its window, 2048 unless given, and says so', () => {
    const { caches, assumed } = readGeometry({
      model_type: 'recurrent_gemma',
      hidden_size: 20,
      num_hidden_layers: 3,
      num_attention_heads: 2,
      num_key_value_heads: 1,
      conv1d_width: 4,
    });
    expect(caches.map(({ layer, kind, capTokens }) => [layer, kind, capTokens])).toEqual([
      [0, 'conv', null],
      [0, 'recurrent', null],
      [1, 'conv', null],
      [1, 'recurrent', null],
      [2, 'sliding', 2048],
    ]);
    expect(assumed?.map(({ field, value }) => [field, value])).toEqual([
      ['block_types', 'recurrent, recurrent, attention'],
      ['lru_width', 20],
      ['attention_window_size', 2048],
    ]);
  });

  it.each([
    [{ model_type: 'recurrent_gemma', num_hidden_layers: 2, block_types: [] }, 'block_types'],
    [{ model_type: 'rwkv6', num_hidden_layers: 2, hidden_size: 100 }, 'head_size'],
    [{ model_type: 'xlstm', num_blocks: 2, embedding_dim: 64, qk_dim_factor: '1' }, 'qk_dim_factor'],
  ])('refuses %j by the field', (config, field) => {
    expect(refusedField(config)).toBe(field);
  });
});
