import { describe, expect, it } from 'vitest';
import { fullAttentionCaches } from './layers/full';
import type { Geometry } from './geometry';
import { parameterCount } from './parameters';

/** A config with the geometry of layers that all keep keys and values alike. */
function count(
  modelType: string,
  [layers, attentionHeads, kvHeads, headDim]: [number, number, number, number],
  fields: Record<string, unknown>,
): ReturnType<typeof parameterCount> {
  const geometry: Geometry = {
    modelType,
    layers,
    attentionHeads,
    kvHeads,
    headDim,
    hiddenSize: 1,
    maxPositions: null,
    caches: fullAttentionCaches(layers, kvHeads, headDim),
  };
  return parameterCount({ model_type: modelType, ...fields }, geometry);
}

const untied = { tie_word_embeddings: false };
const tied = { tie_word_embeddings: true };

/**
 * Config fields as in the public config.json files, totals as published. Qwen3-8B, Mixtral and gpt-oss-120b were read in
 * public files (Qwen3-8B's total size, 16,381,470,720 bytes / 2, stands in the second article too, with Qwen3-32B's); the
 * others are the published numbers as known, which the formula reproduces, and were not looked up one by one.
 */
const MODELS: [string, number, ReturnType<typeof count>][] = [
  [
    'Qwen3-0.6B',
    596_049_920,
    count('qwen3', [28, 16, 8, 128], {
      hidden_size: 1024,
      intermediate_size: 3072,
      vocab_size: 151936,
      ...tied,
    }),
  ],
  [
    'Qwen3-8B',
    8_190_735_360,
    count('qwen3', [36, 32, 8, 128], {
      hidden_size: 4096,
      intermediate_size: 12288,
      vocab_size: 151936,
      ...untied,
    }),
  ],
  [
    'Qwen3-32B',
    32_762_123_264,
    count('qwen3', [64, 64, 8, 128], {
      hidden_size: 5120,
      intermediate_size: 25600,
      vocab_size: 151936,
      ...untied,
    }),
  ],
  [
    'Qwen2.5-0.5B',
    494_032_768,
    count('qwen2', [24, 14, 2, 64], {
      hidden_size: 896,
      intermediate_size: 4864,
      vocab_size: 151936,
      ...tied,
    }),
  ],
  [
    'Qwen2.5-7B',
    7_615_616_512,
    count('qwen2', [28, 28, 4, 128], {
      hidden_size: 3584,
      intermediate_size: 18944,
      vocab_size: 152064,
      ...untied,
    }),
  ],
  [
    'SmolLM2-135M',
    134_515_008,
    count('llama', [30, 9, 3, 64], { hidden_size: 576, intermediate_size: 1536, vocab_size: 49152, ...tied }),
  ],
  [
    'Llama-3.1-8B',
    8_030_261_248,
    count('llama', [32, 32, 8, 128], { hidden_size: 4096, intermediate_size: 14336, vocab_size: 128256 }),
  ],
  [
    'Llama-2-7B',
    6_738_415_616,
    count('llama', [32, 32, 32, 128], { hidden_size: 4096, intermediate_size: 11008, vocab_size: 32000 }),
  ],
  [
    'SmolLM3-3B',
    3_075_098_624,
    count('smollm3', [36, 16, 4, 128], { hidden_size: 2048, intermediate_size: 11008, vocab_size: 128256 }),
  ],
  [
    'Granite-3.1-2B',
    2_533_531_648,
    count('granite', [40, 32, 8, 64], {
      hidden_size: 2048,
      intermediate_size: 8192,
      vocab_size: 49155,
      ...tied,
    }),
  ],
  [
    'Mistral-7B-v0.1',
    7_241_732_096,
    count('mistral', [32, 32, 8, 128], { hidden_size: 4096, intermediate_size: 14336, vocab_size: 32000 }),
  ],
  [
    'Phi-3-mini',
    3_821_079_552,
    count('phi3', [32, 32, 32, 96], { hidden_size: 3072, intermediate_size: 8192, vocab_size: 32064 }),
  ],
  [
    'Phi-2',
    2_779_683_840,
    count('phi', [32, 32, 32, 80], { hidden_size: 2560, intermediate_size: 10240, vocab_size: 51200 }),
  ],
  [
    'Gemma-2B',
    2_506_172_416,
    count('gemma', [18, 8, 1, 256], { hidden_size: 2048, intermediate_size: 16384, vocab_size: 256000 }),
  ],
  [
    'Gemma-2-2B',
    2_614_341_888,
    count('gemma2', [26, 8, 4, 256], { hidden_size: 2304, intermediate_size: 9216, vocab_size: 256000 }),
  ],
  [
    'Gemma-3-1B',
    999_885_952,
    count('gemma3_text', [26, 4, 1, 256], { hidden_size: 1152, intermediate_size: 6912, vocab_size: 262144 }),
  ],
  [
    'OLMo-2-7B',
    7_298_617_344,
    count('olmo2', [32, 32, 32, 128], {
      hidden_size: 4096,
      intermediate_size: 11008,
      vocab_size: 100352,
      ...untied,
    }),
  ],
  [
    'OLMoE-1B-7B',
    6_919_161_856,
    count('olmoe', [16, 16, 16, 128], {
      hidden_size: 2048,
      intermediate_size: 1024,
      num_experts: 64,
      vocab_size: 50304,
    }),
  ],
  [
    'Mixtral-8x7B',
    46_702_792_704,
    count('mixtral', [32, 32, 8, 128], {
      hidden_size: 4096,
      intermediate_size: 14336,
      num_local_experts: 8,
      vocab_size: 32000,
    }),
  ],
  [
    'Qwen3-30B-A3B',
    30_532_122_624,
    count('qwen3_moe', [48, 32, 4, 128], {
      hidden_size: 2048,
      intermediate_size: 6144,
      moe_intermediate_size: 768,
      num_experts: 128,
      decoder_sparse_step: 1,
      mlp_only_layers: [],
      vocab_size: 151936,
      ...untied,
    }),
  ],
  [
    'Qwen1.5-MoE-A2.7B',
    14_315_784_192,
    count('qwen2_moe', [24, 16, 16, 128], {
      hidden_size: 2048,
      intermediate_size: 5632,
      moe_intermediate_size: 1408,
      shared_expert_intermediate_size: 5632,
      num_experts: 60,
      vocab_size: 151936,
    }),
  ],
  [
    'gpt-oss-20b',
    20_914_757_184,
    count('gpt_oss', [24, 64, 8, 64], {
      hidden_size: 2880,
      intermediate_size: 2880,
      num_local_experts: 32,
      vocab_size: 201088,
    }),
  ],
  [
    'gpt-oss-120b',
    116_829_156_672,
    count('gpt_oss', [36, 64, 8, 64], {
      hidden_size: 2880,
      intermediate_size: 2880,
      num_local_experts: 128,
      vocab_size: 201088,
    }),
  ],
  [
    'GPT-2',
    124_439_808,
    count('gpt2', [12, 12, 12, 64], { n_embd: 768, n_positions: 1024, vocab_size: 50257 }),
  ],
  [
    'Pythia-70M',
    70_426_624,
    count('gpt_neox', [6, 8, 8, 64], {
      hidden_size: 512,
      intermediate_size: 2048,
      vocab_size: 50304,
      ...untied,
    }),
  ],
  ['BLOOM-560M', 559_214_592, count('bloom', [24, 16, 16, 64], { hidden_size: 1024, vocab_size: 250880 })],
  [
    'StarCoder2-3B',
    3_030_371_328,
    count('starcoder2', [30, 24, 2, 128], {
      hidden_size: 3072,
      intermediate_size: 12288,
      vocab_size: 49152,
      use_bias: true,
    }),
  ],
  [
    'DeepSeek-V2-Lite',
    15_706_484_224,
    count('deepseek_v2', [27, 16, 16, 128], {
      hidden_size: 2048,
      intermediate_size: 10944,
      moe_intermediate_size: 1408,
      n_routed_experts: 64,
      n_shared_experts: 2,
      first_k_dense_replace: 1,
      kv_lora_rank: 512,
      q_lora_rank: null,
      qk_nope_head_dim: 128,
      qk_rope_head_dim: 64,
      v_head_dim: 128,
      vocab_size: 102400,
    }),
  ],
];

describe('parameterCount', () => {
  it.each(MODELS)('counts %s to the parameter', (_, expected, counted) => {
    expect(counted.gap).toBeNull();
    expect(counted.parameters).toBe(expected);
  });

  it('counts DeepSeek-V3 without the layer for multi-token prediction, and says so', () => {
    const counted = count('deepseek_v3', [61, 128, 128, 56], {
      hidden_size: 7168,
      intermediate_size: 18432,
      moe_intermediate_size: 2048,
      n_routed_experts: 256,
      n_shared_experts: 1,
      first_k_dense_replace: 3,
      kv_lora_rank: 512,
      q_lora_rank: 1536,
      qk_nope_head_dim: 128,
      qk_rope_head_dim: 64,
      v_head_dim: 128,
      vocab_size: 129280,
      num_nextn_predict_layers: 1,
    });
    // 671B "main model weights" (the README_WEIGHTS of deepseek-ai/DeepSeek-V3).
    expect(Math.round((counted.parameters ?? 0) / 1e9)).toBe(671);
    expect(counted.uncountedLayers).toBe(1);
  });

  it('gives the parts, the embedding once when it is tied', () => {
    const [, , counted] = MODELS[0] ?? [];
    // 151,936 x 1,024.
    expect(counted?.parts.find(({ part }) => part === 'embeddings')?.parameters).toBe(155_582_464);
    expect(counted?.parts.some(({ part }) => part === 'head')).toBe(false);
  });

  it.each([
    [
      'a family that is not counted',
      count('mamba', [24, 0, 0, 0], { hidden_size: 768 }),
      'parameters-unknown-family',
    ],
    [
      'a missing width',
      count('llama', [2, 2, 2, 8], { hidden_size: 16, vocab_size: 100 }),
      'parameters-missing-field',
    ],
    [
      'an absurd vocabulary',
      count('llama', [2, 2, 2, 8], { hidden_size: 16, vocab_size: -1 }),
      'parameters-bad-field',
    ],
    [
      'a nested text model',
      count('llama', [2, 2, 2, 8], { text_config: { model_type: 'llama' } }),
      'parameters-multimodal',
    ],
  ])('gives no number for %s, but the reason', (_, counted, code) => {
    expect(counted).toMatchObject({ parameters: null, parts: [], gap: { code } });
  });
});
