/** Published models whose layers share, differ, loop or attend to an encoder, and older ones: bytes by hand at 2 bytes an element. */
import { expect, it } from 'vitest';
import { isCertain, readGeometry } from '../read-config';
import { model, pattern, type Fields } from './configs.fixture';
import { bytesOf } from './testing.fixture';

/** Name, config, bytes of the first token, of a token past every window, of the fixed part. */
const MODELS: [string, Fields, number, number, number][] = [
  // Gemma 4 E2B: 35 layers, the last 20 shared; 12 sliding x 1 x 512 x 2 and 3 full x 1 x 1,024 x 2 own their entries.
  [
    'gemma-4-E2B',
    model('gemma4_text', 35, 8, 1, 1536, {
      head_dim: 256,
      global_head_dim: 512,
      sliding_window: 512,
      num_kv_shared_layers: 20,
      layer_types: pattern(7, 4),
    }),
    18432,
    6144,
    0,
  ],
  // 32 of 64 layers x 8 x 256 x 2.
  [
    'Hunyuan-Large',
    model('hunyuan', 64, 80, 8, 6400, { attention_head_dim: 128, use_cla: true, cla_share_factor: 2 }),
    131072,
    131072,
    0,
  ],
  // 60 x 8 x 128 x 2.
  [
    'falcon-40b',
    {
      model_type: 'falcon',
      hidden_size: 8192,
      num_attention_heads: 128,
      num_hidden_layers: 60,
      num_kv_heads: 8,
      multi_query: true,
      new_decoder_architecture: true,
    },
    122880,
    122880,
    0,
  ],
  [
    'falcon-40b, old names',
    { model_type: 'RefinedWeb', hidden_size: 8192, n_head: 128, n_layer: 60, n_head_kv: 8 },
    122880,
    122880,
    0,
  ],
  [
    'gpt-j-6b',
    { model_type: 'gptj', n_embd: 4096, n_head: 16, n_layer: 28, n_positions: 2048 },
    458752,
    458752,
    0,
  ],
  [
    'gpt-neox-20b',
    { model_type: 'gpt_neox', hidden_size: 6144, num_attention_heads: 64, num_hidden_layers: 44 },
    1081344,
    1081344,
    0,
  ],
  ['GLM-4.5', model('glm4_moe', 92, 96, 8, 5120, { head_dim: 128 }), 376832, 376832, 0],
  ['MiniMax-M2', model('minimax_m2', 62, 48, 8, 3072, { head_dim: 128 }), 253952, 253952, 0],
  [
    'jetmoe-8b',
    {
      model_type: 'jetmoe',
      num_hidden_layers: 24,
      num_key_value_heads: 16,
      kv_channels: 128,
      hidden_size: 2048,
      num_experts_per_tok: 2,
    },
    196608,
    196608,
    0,
  ],
  // 24 layers x 4 passes x 16 x 256 x 2.
  [
    'Ouro-1.4B',
    model('ouro', 24, 16, 16, 2048, { head_dim: 128, total_ut_steps: 4, use_sliding_window: false }),
    786432,
    786432,
    0,
  ],
  // (2 + 4 x 32 + 2) x 2 x 5,280 x 2.
  [
    'huginn-0125',
    {
      model_type: 'huginn_raven',
      n_embd: 5280,
      num_attention_heads: 55,
      num_key_value_heads: 55,
      n_layers: 8,
      n_layers_in_prelude: 2,
      n_layers_in_recurrent_block: 4,
      n_layers_in_coda: 2,
      mean_recurrence: 32,
    },
    2787840,
    2787840,
    0,
  ],
  // KV heads 4 + 2 + 0 + 0 at 16 heads; widths 128.
  [
    'Nemotron NAS, shortened',
    {
      model_type: 'nemotron-nas',
      num_hidden_layers: 4,
      num_attention_heads: 16,
      num_key_value_heads: null,
      hidden_size: 2048,
      block_configs: [
        { attention: { n_heads_in_group: 4, no_op: false } },
        { attention: { n_heads_in_group: 8, no_op: false } },
        { attention: { n_heads_in_group: null, no_op: true } },
        { attention: { n_heads_in_group: null, replace_with_linear: true } },
      ],
    },
    3072,
    3072,
    0,
  ],
  // (4 + 4 + 2 + 1) x 256 x 2.
  [
    'DeciLM, shortened',
    {
      model_type: 'deci',
      num_hidden_layers: 4,
      num_attention_heads: 32,
      hidden_size: 4096,
      num_key_value_heads_per_layer: [4, 4, 2, 1],
    },
    5632,
    5632,
    0,
  ],
  // The lists of OpenELM-270M from its multipliers: 63 KV heads x 128 x 2.
  [
    'OpenELM-270M without its lists',
    {
      model_type: 'openelm',
      model_dim: 1280,
      num_transformer_layers: 16,
      head_dim: 64,
      num_gqa_groups: 4,
      qkv_multipliers: [0.5, 1.0],
    },
    16128,
    16128,
    0,
  ],
  // 32 text layers x 8 x 256 x 2; 8 layers x 4 tiles x 1,601 x 8 x 256 x 2.
  [
    'Llama-3.2-11B-Vision',
    {
      model_type: 'mllama',
      text_config: model('mllama_text_model', 40, 32, 8, 4096, {
        cross_attention_layers: [3, 8, 13, 18, 23, 28, 33, 38],
      }),
      vision_config: { image_size: 560, patch_size: 14, max_num_tiles: 4, num_hidden_layers: 32 },
    },
    131072,
    131072,
    209846272,
  ],
  // 12 x 2 x 1,024 x 2; as much for each of 1,024 source tokens.
  [
    'bart-large',
    {
      model_type: 'bart',
      is_encoder_decoder: true,
      d_model: 1024,
      decoder_layers: 12,
      decoder_attention_heads: 16,
      encoder_layers: 12,
      max_position_embeddings: 1024,
    },
    49152,
    49152,
    50331648,
  ],
  [
    't5-small',
    { model_type: 't5', d_model: 512, d_kv: 64, num_heads: 8, num_layers: 6, n_positions: 512 },
    12288,
    12288,
    6291456,
  ],
  // formulas.md: 12 x 2 x 768 x 1,500 x 2.
  [
    'whisper-small',
    {
      model_type: 'whisper',
      d_model: 768,
      decoder_layers: 12,
      decoder_attention_heads: 12,
      max_source_positions: 1500,
    },
    36864,
    36864,
    55296000,
  ],
  // 577 patches x 49,152.
  [
    'trocr-base',
    {
      model_type: 'vision-encoder-decoder',
      encoder: { model_type: 'vit', image_size: 384, patch_size: 16, num_hidden_layers: 12 },
      decoder: { model_type: 'trocr', d_model: 1024, decoder_layers: 12, decoder_attention_heads: 16 },
    },
    49152,
    49152,
    28360704,
  ],
  // Its text_config gives no dims: the class's, 32 x 32 x 256 x 2.
  [
    'llava-1.5-7b',
    {
      model_type: 'llava',
      text_config: { model_type: 'llama', max_position_embeddings: 4096 },
      vision_config: { hidden_size: 1024 },
    },
    524288,
    524288,
    0,
  ],
  // 24 x 2 x 128 x 2.
  [
    'InternVL with llm_config',
    {
      model_type: 'internvl_chat',
      llm_config: {
        architectures: ['Qwen2ForCausalLM'],
        num_hidden_layers: 24,
        num_attention_heads: 14,
        num_key_value_heads: 2,
        hidden_size: 896,
      },
    },
    12288,
    12288,
    0,
  ],
];

it.each(MODELS)('%s', (_name, config, first, far, fixed) => {
  expect(bytesOf(config)).toEqual({ first, far, fixed });
  expect(isCertain(readGeometry(config))).toBe(true);
});
