/** Twins of any config.json. Bytes by hand. */
import { describe, expect, it } from 'vitest';
import { formulaBytes } from '../geometry/bytes';
import { GeometryError } from '../geometry/geometry-error';
import { readGeometry } from '../geometry/read-config';
import { LabError } from '../protocol/faults';
import { graphNotes, latentGeometry, specOfConfig } from './config-twin';

/** DeepSeek-V3's fields that decide its cache, of 2 layers. */
const DEEPSEEK = {
  model_type: 'deepseek_v3',
  num_hidden_layers: 2,
  num_attention_heads: 128,
  num_key_value_heads: 128,
  hidden_size: 7168,
  kv_lora_rank: 512,
  qk_nope_head_dim: 128,
  qk_rope_head_dim: 64,
  v_head_dim: 128,
};
const GEMMA = {
  model_type: 'gemma3_text',
  num_hidden_layers: 6,
  num_attention_heads: 4,
  num_key_value_heads: 1,
  head_dim: 256,
  hidden_size: 1152,
  sliding_window: 512,
  sliding_window_pattern: 6,
};
const size = { batch: 1, tokens: 1000, elementBytes: 4 };

describe('specOfConfig', () => {
  it('has the geometry that an export would keep', () => {
    const spec = specOfConfig(DEEPSEEK, 'mine');
    expect(spec).toMatchObject({ name: 'mine', source: 'twin', revision: 'pasted', parameters: null });
    expect(spec.id).toMatch(/^config:deepseek_v3-[0-9a-f]{8}$/);
    // 2 layers x 128 heads x (192 + 128) x 1,000 x 4.
    expect(formulaBytes(spec.geometry, size)).toBe(327_680_000);
    // 6 layers x 2 x 256 x 1,000 x 4: no window.
    expect(formulaBytes(specOfConfig(GEMMA, '').geometry, size)).toBe(12_288_000);
  });

  it('names the field of a config that cannot be read', () => {
    expect(() => specOfConfig({ ...DEEPSEEK, num_hidden_layers: 'x' }, '')).toThrow(GeometryError);
    expect(() => specOfConfig('{}', '')).toThrow(GeometryError);
  });

  it('refuses a cache that has no twin', () => {
    const whisper = { model_type: 'whisper', d_model: 384, decoder_layers: 4, decoder_attention_heads: 6 };
    expect(() => specOfConfig(whisper, '')).toThrow(LabError);
  });
});

describe('latentGeometry', () => {
  it('keeps latents as the ideal has them', () => {
    // 2 layers x (512 + 64) x 1,000 x 4.
    expect(formulaBytes(latentGeometry(DEEPSEEK), size)).toBe(4_608_000);
    expect(latentGeometry(DEEPSEEK)).toMatchObject({ kvHeads: 1, headDim: 576 });
  });

  it('refuses a model without latents', () => {
    expect(() => latentGeometry(GEMMA)).toThrow(LabError);
  });
});

describe('graphNotes', () => {
  const notesOf = (config: object) => graphNotes(readGeometry(config)).join(' ');

  it('says what the graph’s rule does to windows and latents', () => {
    expect(notesOf(GEMMA)).toBe(
      'Windows are kept whole, as transformers.js exports do: nothing trims the past.',
    );
    expect(notesOf(DEEPSEEK)).toContain('decompressed');
    expect(
      notesOf({
        model_type: 'llama',
        num_hidden_layers: 1,
        num_attention_heads: 1,
        num_key_value_heads: 1,
        hidden_size: 64,
      }),
    ).toBe('');
  });

  it('names what config.json leaves out', () => {
    const lfm2 = { model_type: 'lfm2', num_hidden_layers: 1, hidden_size: 64, layer_types: ['conv'] };
    // conv_L_cache: 3 in configuration_lfm2.py.
    expect(notesOf(lfm2)).toContain(
      'config.json does not decide “conv_L_cache”; 3 was taken (class-default).',
    );
  });

  it('says that states have the shapes alone, and whose names where transformers.js has none', () => {
    const mamba = {
      model_type: 'mamba',
      num_hidden_layers: 2,
      hidden_size: 64,
      state_size: 16,
      conv_kernel: 4,
    };
    expect(notesOf({ ...mamba, intermediate_size: 128, expand: 2 })).toContain('Granite’s');
    const lfm2 = {
      model_type: 'lfm2',
      num_hidden_layers: 2,
      hidden_size: 64,
      num_attention_heads: 4,
      num_key_value_heads: 2,
      layer_types: ['conv', 'full_attention'],
    };
    expect(notesOf(lfm2)).toContain('what computes them is not the family’s own');
    expect(notesOf(lfm2)).not.toContain('Granite');
  });
});
