/** What is not known is said: encoders refused, unknown families read as full attention with notes, unread fields named. */
import { describe, expect, it } from 'vitest';
import { bytesPerToken, bytesPerTokenFar } from '../bytes';
import { GeometryError } from '../geometry-error';
import { isCertain, readGeometry } from '../read-config';

/** 4 layers x 2 x 8 KV heads x 64 x 2 bytes: 8,192 a token. */
const BASE = { num_hidden_layers: 4, hidden_size: 1024, num_attention_heads: 16, num_key_value_heads: 8 };

function refusal(config: unknown): GeometryError {
  try {
    readGeometry(config);
  } catch (error) {
    if (error instanceof GeometryError) return error;
    throw error;
  }
  throw new Error('was not refused');
}

describe('encoders keep no cache', () => {
  it.each([
    [{ model_type: 'bert', architectures: ['BertForMaskedLM'] }, 'model_type'],
    [{ model_type: 'roberta' }, 'model_type'],
    [{ model_type: 'xlm-roberta' }, 'model_type'],
    [{ model_type: 'modernbert' }, 'model_type'],
    [{ model_type: 'distilbert' }, 'model_type'],
    [{ model_type: 'deberta-v2' }, 'model_type'],
    [{ model_type: 'vit' }, 'model_type'],
    [{ model_type: 'wav2vec2' }, 'model_type'],
    [{ model_type: 'some_encoder', architectures: ['SomeForMaskedLM'] }, 'architectures'],
    [{ model_type: 'clip', text_config: { ...BASE, model_type: 'clip_text_model' } }, 'model_type'],
    // EmbeddingGemma-300m's config.json.
    [{ model_type: 'gemma3_text', use_bidirectional_attention: true }, 'use_bidirectional_attention'],
  ])('%j', (fields, field) => {
    expect(refusal({ ...BASE, ...fields })).toMatchObject({ code: 'config-no-cache', params: { field } });
  });

  it('but an encoder’s class used as a decoder keeps one', () => {
    expect(bytesPerToken(readGeometry({ ...BASE, model_type: 'bert', is_decoder: true }), 2)).toBe(8192);
  });

  it('and a decoder’s masked variant beside others is a decoder', () => {
    const config = { ...BASE, model_type: 'llama', architectures: ['LlamaForCausalLM', 'LlamaForMaskedLM'] };
    expect(isCertain(readGeometry(config))).toBe(true);
  });
});

it.each(['transfo-xl', 'xlnet', 'reformer', 'stripedhyena'])(
  'refuses %s, whose cache is of another kind',
  (modelType) => {
    expect(refusal({ ...BASE, model_type: modelType })).toMatchObject({
      code: 'config-unknown-family',
      params: { modelType, field: 'model_type' },
    });
  },
);

describe('a family that is not known', () => {
  it('is read as full attention in every layer, and says so', () => {
    const geometry = readGeometry({ ...BASE, model_type: 'brand_new' });
    expect(geometry.assumed).toEqual([
      { field: 'model_type', value: 'brand_new', code: 'unknown-family' },
      { field: 'head_dim', value: 64, code: 'hidden-over-heads' },
    ]);
    expect(isCertain(geometry)).toBe(false);
    expect(bytesPerToken(geometry, 2)).toBe(8192);
  });

  it.each([
    ['kv_lora_rank', 512],
    ['sliding_window', 4096],
    ['attention_window_size', 2048],
    ['attn_layer_idxs', [3]],
    ['hybrid_override_pattern', 'ME*E'],
    ['mamba_d_state', 128],
    ['compress_ratios', [4, 4, 4, 4]],
    ['num_kv_shared_layers', 2],
    ['full_attention_interval', 4],
    ['short_conv_kernel', 4],
    ['cross_layer_sharing', true],
    ['loop_count', 3],
    ['my_chunk', 64],
  ])('names “%s”, which may mean another cache, and leaves it unread', (field, value) => {
    const geometry = readGeometry({ ...BASE, model_type: 'brand_new', [field]: value });
    const shown = Array.isArray(value) ? JSON.stringify(value) : value;
    expect(geometry.assumed).toContainEqual({ field, value: shown, code: 'unread-field' });
    expect([bytesPerToken(geometry, 2), bytesPerTokenFar(geometry, 2)]).toEqual([8192, 8192]);
  });

  it('is silent about what is switched off or means something else', () => {
    const geometry = readGeometry({
      ...BASE,
      model_type: 'brand_new',
      sliding_window: null,
      use_sliding_window: false,
      max_window_layers: 28,
      n_shared_experts: 1,
      kv_lora_rank: 0,
      layer_types: null,
      use_fused_cross_entropy: true,
      cross_attention_layers: [],
      full_attention_interval: 1,
    });
    expect(geometry.assumed?.map(({ field }) => field)).toEqual(['model_type', 'head_dim']);
  });

  it('reads layer_types, whose words mean the same everywhere (transformers’ get_layer_types_and_kwargs)', () => {
    const geometry = readGeometry({
      ...BASE,
      model_type: 'brand_new',
      sliding_window: 1024,
      layer_types: ['sliding_attention', 'full_attention', 'sliding_attention', 'full_attention'],
    });
    expect([bytesPerToken(geometry, 2), bytesPerTokenFar(geometry, 2)]).toEqual([8192, 4096]);
    expect(isCertain(geometry)).toBe(false);
  });

  it('names what is missing', () => {
    expect(refusal({ model_type: 'my_new_arch', hidden_dim: 1024, depth: 12 })).toMatchObject({
      code: 'config-missing-field',
      params: { field: 'num_hidden_layers”, “num_attention_heads”, “hidden_size' },
    });
  });

  it('is read where only the inner part is unknown, and where nothing names a family', () => {
    const text = { ...BASE, model_type: 'brand_new_text', kv_lora_rank: 512 };
    const geometry = readGeometry({ model_type: 'vlm', text_config: text });
    expect(geometry.assumed?.map(({ field }) => field)).toEqual(['model_type', 'head_dim', 'kv_lora_rank']);
    expect(isCertain(readGeometry(BASE))).toBe(false);
  });
});

describe('a known family with a field that its reader does not read', () => {
  it.each([
    ['llama', 'kv_lora_rank', 512],
    ['llama', 'attention_chunk_size', 8192],
    ['qwen3', 'num_kv_shared_layers', 2],
    ['llama', 'mamba_d_state', 128],
    ['gpt2', 'add_cross_attention', true],
    ['gemma2', 'global_head_dim', 512],
    ['ouro', 'compress_ratios', [4, 4, 4, 4]],
  ])('%s with %s', (modelType, field, value) => {
    const geometry = readGeometry({ ...BASE, model_type: modelType, [field]: value });
    expect(geometry.assumed?.filter(({ code }) => code === 'unread-field').map((note) => note.field)).toEqual(
      [field],
    );
    expect(isCertain(geometry)).toBe(false);
  });

  it.each([
    { model_type: 'llama', is_encoder_decoder: false, num_kv_shared_layers: 0, kv_lora_rank: null },
    { model_type: 'hunyuan_v1_moe', use_cla: false, cla_share_factor: 2 },
    { model_type: 'smollm3', no_rope_layers: [1, 1, 1, 0] },
    { model_type: 'llama', full_attention_interval: 1 },
  ])('%j is read for certain', (fields) => {
    const geometry = readGeometry({ ...BASE, ...fields });
    expect(isCertain(geometry)).toBe(true);
    expect(bytesPerToken(geometry, 2)).toBe(8192);
  });
});
