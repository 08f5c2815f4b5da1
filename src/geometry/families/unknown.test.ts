/** Configs whose cache is not full keys and values in every layer are refused, naming the field that tells. */
import { expect, it } from 'vitest';
import { GeometryError } from '../geometry-error';
import { readGeometry } from '../read-config';

const BASE = { num_hidden_layers: 4, hidden_size: 1024, num_attention_heads: 16, num_key_value_heads: 8 };

/** Fields of public config.json files of each family. */
const OTHERS: [string, Record<string, unknown>, string][] = [
  [
    'deepseek_v3',
    { kv_lora_rank: 512, qk_rope_head_dim: 64, qk_nope_head_dim: 128, v_head_dim: 128 },
    'kv_lora_rank',
  ],
  ['deepseek_v2', {}, 'model_type'],
  ['deepseek_v4', { compress_ratios: [128, 4, 4, 0] }, 'compress_ratios'],
  ['mamba', { state_size: 16, conv_kernel: 4 }, 'model_type'],
  ['rwkv', {}, 'model_type'],
  ['falcon_h1', { mamba_d_state: 128 }, 'model_type'],
  ['nemotron_h', { hybrid_override_pattern: 'ME*E' }, 'model_type'],
  ['lfm2', { full_attn_idxs: [2], conv_L_cache: 3 }, 'model_type'],
  ['qwen3_next', { full_attention_interval: 4 }, 'model_type'],
  ['some_hybrid', { full_attention_interval: 4 }, 'full_attention_interval'],
  ['some_hybrid', { attn_type_list: [0, 0, 0, 1] }, 'attn_type_list'],
  ['some_hybrid', { hybrid_override_pattern: 'ME*E' }, 'hybrid_override_pattern'],
  ['some_hybrid', { mamba_d_state: 128 }, 'mamba_d_state'],
  [
    'qwen3_5_text',
    { layer_types: ['linear_attention', 'linear_attention', 'linear_attention', 'full_attention'] },
    'layer_types',
  ],
  ['lfm2', { layer_types: ['conv', 'conv', 'full_attention', 'conv'] }, 'layer_types'],
  [
    'gpt_oss',
    { layer_types: ['sliding_attention', 'full_attention', 'sliding_attention', 'full_attention'] },
    'layer_types',
  ],
  ['gemma2', {}, 'model_type'],
  ['gemma3_text', { sliding_window: 512 }, 'model_type'],
  ['mistral', { sliding_window: 4096 }, 'sliding_window'],
  ['mistral', { sliding_window: 4096, max_position_embeddings: 32768 }, 'sliding_window'],
  ['qwen2', { use_sliding_window: true, sliding_window: 4096, max_window_layers: 2 }, 'sliding_window'],
  ['llama4_text', { attention_chunk_size: 8192 }, 'attention_chunk_size'],
  ['llama4_text', {}, 'model_type'],
  ['gemma3n_text', { num_kv_shared_layers: 2 }, 'num_kv_shared_layers'],
  ['hunyuan', { cla_share_factor: 2 }, 'cla_share_factor'],
  ['nemotron-nas', { num_key_value_heads: null, block_configs: [{}, {}, {}, {}] }, 'block_configs'],
  ['openelm', { num_query_heads: [12, 12, 16, 16], num_kv_heads: [3, 3, 4, 4] }, 'num_query_heads'],
  ['some_nas', { num_key_value_heads: [3, 3, 4, 4] }, 'num_key_value_heads'],
  ['some_nas', { num_attention_heads: [16, 16, 8, 8] }, 'num_attention_heads'],
  ['mimo', { head_dim: 192, v_head_dim: 128 }, 'v_head_dim'],
  ['mllama_text_model', { cross_attention_layers: [1, 3] }, 'cross_attention_layers'],
  ['some_seq2seq', { is_encoder_decoder: true }, 'is_encoder_decoder'],
  ['t5', { is_encoder_decoder: true, d_kv: 64 }, 'model_type'],
  ['whisper', {}, 'model_type'],
  ['bert', { architectures: ['BertForMaskedLM'] }, 'model_type'],
  ['xlm-roberta', {}, 'model_type'],
  ['some_encoder', { architectures: ['SomeForMaskedLM'] }, 'architectures'],
];

it.each(OTHERS)('refuses %s with %j', (modelType, fields, field) => {
  let caught: unknown = null;
  try {
    readGeometry({ model_type: modelType, ...BASE, ...fields });
  } catch (error) {
    caught = error;
  }
  expect(caught).toBeInstanceOf(GeometryError);
  expect(caught).toMatchObject({ code: 'config-unknown-family', params: { modelType, field } });
});

it('looks at the whole config and at its text part', () => {
  const text = { ...BASE, model_type: 'llama' };
  expect(() => readGeometry({ model_type: 'clip', text_config: text })).toThrow('config-unknown-family');
  expect(() => readGeometry({ model_type: 'vlm', text_config: { ...text, kv_lora_rank: 512 } })).toThrow(
    'kv_lora_rank',
  );
  expect(readGeometry({ model_type: 'vlm', text_config: text }).kvHeads).toBe(8);
});

it.each([
  [
    'a latent that is switched off',
    { model_type: 'deepseek_v2', kv_lora_rank: null, v_head_dim: 0, head_dim: 0 },
  ],
  ['an encoder used as a decoder', { model_type: 'bert', is_decoder: true }],
  ['a switch that is off', { model_type: 'llama', is_encoder_decoder: false, num_kv_shared_layers: 0 }],
  [
    'a hybrid family whose layers are all attention',
    {
      model_type: 'granitemoehybrid',
      mamba_d_state: 128,
      layer_types: ['attention', 'attention', 'attention', 'attention'],
    },
  ],
  ['an interval of one', { model_type: 'llama', full_attention_interval: 1 }],
  ['layers that rotate nothing (SmolLM3)', { model_type: 'smollm3', no_rope_layers: [1, 1, 1, 0] }],
])('reads %s as full attention', (_name, fields) => {
  // 4 layers x 2 x 8 KV heads x 64.
  const { caches } = readGeometry({ ...BASE, ...fields });
  expect(caches.reduce((sum, cache) => sum + cache.elementsPerToken, 0)).toBe(4096);
});
