/** Rules of families: edges of windows, values of classes, shared layers, an encoder’s length, refusals by name. */
import { describe, expect, it } from 'vitest';
import { bytesPerTokenFar, fixedBytes, formulaBytes } from '../bytes';
import { readGeometry } from '../read-config';
import { model, pattern } from './configs.fixture';

describe('the edge of a window (the ideal keeps exactly the window)', () => {
  // Mistral-7B-v0.1: 131,072 bytes a token, window 4,096.
  it.each([
    [4095, 536739840],
    [4096, 536870912],
    [4097, 536870912],
  ])('%i tokens', (tokens, bytes) => {
    const geometry = readGeometry(model('mistral', 32, 32, 8, 4096, { sliding_window: 4096 }));
    expect(formulaBytes(geometry, { batch: 1, tokens, elementBytes: 2 })).toBe(bytes);
  });
});

describe('what the class has', () => {
  it('is taken and said', () => {
    const geometry = readGeometry({
      model_type: 'gemma3',
      text_config: { num_hidden_layers: 34, hidden_size: 2560, sliding_window: 1024 },
    });
    expect(geometry.modelType).toBe('gemma3_text');
    expect(geometry.assumed).toEqual([
      { field: 'head_dim', value: 256, code: 'class-default' },
      { field: 'num_attention_heads', value: 8, code: 'class-default' },
      { field: 'num_key_value_heads', value: 4, code: 'class-default' },
      { field: 'sliding_window_pattern', value: 6, code: 'class-default' },
    ]);
  });

  it('does not stand in for the core of a whole config', () => {
    expect(() => readGeometry({ model_type: 'llama' })).toThrow('config-missing-field');
  });

  it('gives the window of Mistral and Llama 4’s chunk, unless they are null', () => {
    const mistral = model('mistral', 32, 32, 8, 4096);
    expect(bytesPerTokenFar(readGeometry(mistral), 2)).toBe(0);
    expect(bytesPerTokenFar(readGeometry({ ...mistral, sliding_window: null }), 2)).toBe(131072);
    const llama4 = model('llama4_text', 8, 8, 2, 512, { head_dim: 64, no_rope_layers: [] });
    // 2 of 8 layers x 2 x 128 x 2.
    expect(bytesPerTokenFar(readGeometry(llama4), 2)).toBe(1024);
    expect(bytesPerTokenFar(readGeometry({ ...llama4, attention_chunk_size: null }), 2)).toBe(4096);
    expect(bytesPerTokenFar(readGeometry({ ...llama4, no_rope_layers: [1, 0, 1, 0, 1, 0, 1, 0] }), 2)).toBe(
      2048,
    );
  });
});

it('shares with the last layer of the same kind (Gemma 3n)', () => {
  const { caches } = readGeometry(
    model('gemma3n_text', 10, 8, 2, 2048, { num_kv_shared_layers: 5, layer_types: pattern(2, 4) }),
  );
  expect(caches.slice(5).map(({ kind, sharedWith }) => [kind, sharedWith])).toEqual([
    ['shared', 3],
    ['shared', 3],
    ['shared', 3],
    ['shared', 3],
    ['shared', 4],
  ]);
});

it('takes the encoder’s length from whom it concerns', () => {
  const config = { model_type: 'whisper', d_model: 384, decoder_layers: 4, decoder_attention_heads: 6 };
  expect(readGeometry(config).assumed).toEqual([
    { field: 'max_source_positions', value: 1500, code: 'encoder-length' },
  ]);
  // 4 x 2 x 384 x 100 x 2.
  expect(fixedBytes(readGeometry(config, { encoderTokens: 100 }), 2)).toBe(614400);
});

describe('impossible values are refused by name', () => {
  it.each([
    [model('qwen3', 2, 4, 2, 64, { layer_types: ['full_attention', 'holographic'] }), 'layer_types[1]'],
    [model('gemma2', 2, 4, 2, 64, { sliding_window: -1 }), 'sliding_window'],
    [
      model('exaone4', 2, 4, 2, 64, { sliding_window: 8, sliding_window_pattern: 'LXG' }),
      'sliding_window_pattern',
    ],
    [model('deci', 2, 4, 2, 64, { num_key_value_heads_per_layer: [1] }), 'num_key_value_heads_per_layer'],
    [
      model('deci', 2, 4, 2, 64, { num_key_value_heads_per_layer: [1, -1] }),
      'num_key_value_heads_per_layer[1]',
    ],
    [model('gemma3n_text', 4, 4, 2, 64, { num_kv_shared_layers: 4 }), 'num_kv_shared_layers'],
    [model('nemotron-nas', 1, 4, 2, 64, { block_configs: [7] }), 'block_configs[0]'],
    [
      model('nemotron-nas', 1, 4, 2, 64, { block_configs: [{ attention: { n_heads_in_group: 3 } }] }),
      'block_configs[0].attention.n_heads_in_group',
    ],
    [model('ouro', 10_000, 4, 2, 64, { total_ut_steps: 100 }), 'total_ut_steps'],
    [model('mllama_text_model', 4, 4, 2, 64, { cross_attention_layers: [9] }), 'cross_attention_layers'],
    [
      { model_type: 'openelm', num_transformer_layers: 2, model_dim: 64, qkv_multipliers: 'x' },
      'qkv_multipliers',
    ],
    [{ model_type: 'bart', d_model: 1000, decoder_layers: 2, decoder_attention_heads: 16 }, 'd_model'],
    [model('llama4_text', 2, 4, 2, 64, { no_rope_layers: [1] }), 'no_rope_layers'],
  ])('%j', (config, field) => {
    expect(() => readGeometry(config)).toThrow(`config-bad-field: {"field":"${field}"`);
  });

  it('names all that an encoder-decoder lacks', () => {
    expect(() => readGeometry({ model_type: 'bart' })).toThrow(
      'num_decoder_layers”, “decoder_attention_heads”, “d_model',
    );
  });
});
