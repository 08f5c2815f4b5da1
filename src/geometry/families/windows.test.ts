/** Published models with windows: fields of their config.json, and bytes worked out by hand at 2 bytes an element. */
import { expect, it } from 'vitest';
import { isCertain, readGeometry } from '../read-config';
import { model, pattern, type Fields } from './configs.fixture';
import { bytesOf } from './testing.fixture';

/** Name, config, bytes of the first token, of a token past every window, of the fixed part. */
const MODELS: [string, Fields, number, number, number][] = [
  // 26 x 4 x 512 x 2; 13 full.
  ['gemma-2-2b', model('gemma2', 26, 8, 4, 2304, { head_dim: 256, sliding_window: 4096 }), 106496, 53248, 0],
  // 32 x 8 x 256 x 2; 8 full.
  [
    'c4ai-command-r7b',
    model('cohere2', 32, 32, 8, 4096, { sliding_window: 4096, sliding_window_pattern: 4 }),
    131072,
    32768,
    0,
  ],
  ['Olmo-3-7B', model('olmo3', 32, 32, 32, 4096, { sliding_window: 4096 }), 524288, 131072, 0],
  // 64 x 8 x 256 x 2; 16 full.
  [
    'EXAONE-4.0-32B',
    model('exaone4', 64, 40, 8, 5120, {
      head_dim: 128,
      sliding_window: 4096,
      sliding_window_pattern: 'LLLG',
    }),
    262144,
    65536,
    0,
  ],
  // 30 x 8 x 128 x 2, no window.
  [
    'EXAONE-4.0-1.2B',
    model('exaone4', 30, 32, 8, 2048, { head_dim: 64, sliding_window: null, sliding_window_pattern: null }),
    61440,
    61440,
    0,
  ],
  [
    'LLLG whose last layer is not G’s turn',
    model('exaone4', 6, 4, 1, 256, { sliding_window: 8, sliding_window_pattern: 'LLLG' }),
    1536,
    512,
    0,
  ],
  // Starcoder2-15B: its window is shorter than its 16,384 positions: 40 x 4 x 256 x 2.
  [
    'starcoder2-15b',
    model('starcoder2', 40, 48, 4, 6144, { sliding_window: 4096, max_position_embeddings: 16384 }),
    81920,
    0,
    0,
  ],
  // 36 x 4 x 256 x 2.
  [
    'SmolLM3-3B',
    model('smollm3', 36, 16, 4, 2048, { use_sliding_window: false, sliding_window: null }),
    73728,
    73728,
    0,
  ],
  // Full at 0, 5, 11 … 47: 9 x 4 x 320 x 2, and 39 x 8 x 320 x 2 (release config as in public loaders of it).
  [
    'MiMo-V2-Flash',
    model('mimo_v2_flash', 48, 64, 4, 4096, {
      head_dim: 192,
      v_head_dim: 128,
      swa_head_dim: 192,
      swa_v_head_dim: 128,
      swa_num_key_value_heads: 8,
      sliding_window: 128,
      hybrid_layer_pattern: Array.from({ length: 48 }, (_, layer) =>
        layer === 0 || layer % 6 === 5 ? 0 : 1,
      ),
    }),
    222720,
    23040,
    0,
  ],
  // aiconfigurator, stepfun-ai--Step-3.7-Flash_config.json: 45 x 8 x 256 x 2; 12 full.
  [
    'Step-3.7-Flash',
    model('step3p7', 45, 64, 8, 4096, {
      head_dim: 128,
      sliding_window: 512,
      num_nextn_predict_layers: 3,
      layer_types: ['full_attention', ...pattern(11, 3)],
    }),
    184320,
    49152,
    0,
  ],
  // Step 3.5 lists its three prediction layers too, and gives sliding layers heads of their own.
  [
    'Step-3.5, shortened',
    {
      model_type: 'step3p5',
      num_hidden_layers: 5,
      num_attention_heads: 64,
      num_attention_groups: 8,
      head_dim: 128,
      hidden_size: 4096,
      sliding_window: 512,
      num_nextn_predict_layers: 3,
      layer_types: ['full_attention', ...pattern(1, 3), ...pattern(1, 2)],
      attention_other_setting: {
        attention_type: 'sliding_attention',
        num_attention_heads: 96,
        num_attention_groups: 4,
        head_dim: 64,
      },
    },
    // 2 x 8 x 256 x 2 + 3 x 4 x 128 x 2.
    11264,
    8192,
    0,
  ],
  // aiconfigurator, poolside--Laguna-XS.2-FP8_config.json: 40 x 8 x 256 x 2; 10 full.
  [
    'Laguna-XS.2',
    model('laguna', 40, 48, 8, 2048, {
      head_dim: 128,
      sliding_window: 512,
      layer_types: [
        'full_attention',
        ...pattern(9, 3),
        'sliding_attention',
        'sliding_attention',
        'sliding_attention',
      ],
      num_attention_heads_per_layer: Array.from({ length: 40 }, (_, layer) => (layer % 4 === 0 ? 48 : 64)),
    }),
    163840,
    40960,
    0,
  ],
  // Qwen asks for its window: layers 2 and 3 slide; 4 x 8 x 128 x 2.
  [
    'qwen2 with its window on',
    model('qwen2', 4, 16, 8, 1024, { use_sliding_window: true, sliding_window: 4096, max_window_layers: 2 }),
    8192,
    4096,
    0,
  ],
];

it.each(MODELS)('%s', (_name, config, first, far, fixed) => {
  expect(bytesOf(config)).toEqual({ first, far, fixed });
  expect(isCertain(readGeometry(config))).toBe(true);
});
