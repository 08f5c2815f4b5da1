/** Configs from outside the catalogue that were once read wrong: other names, other wrappers, hostile nesting. Bytes at 2 an element. */
import { describe, expect, it } from 'vitest';
import { bytesPerToken, bytesPerTokenFar, fixedBytes } from '../bytes';
import { parseConfigText } from '../config-text';
import { GeometryError } from '../geometry-error';
import { readGeometry } from '../read-config';

/** Llama-3.1-8B: 32 x 2 x 8 x 128 x 2 bytes. */
const LLAMA = { num_hidden_layers: 32, hidden_size: 4096, num_attention_heads: 32, num_key_value_heads: 8 };

const LATENT = {
  ...{ num_hidden_layers: 61, hidden_size: 7168, num_attention_heads: 128, num_key_value_heads: 128 },
  ...{ kv_lora_rank: 512, q_lora_rank: 1536, qk_rope_head_dim: 64, qk_nope_head_dim: 128, v_head_dim: 128 },
};

function sizes(config: unknown): [first: number, far: number, fixed: number] {
  const geometry = readGeometry(config);
  return [bytesPerToken(geometry, 2), bytesPerTokenFar(geometry, 2), fixedBytes(geometry, 2)];
}

function assumedOf(config: unknown): string[] {
  return (readGeometry(config).assumed ?? []).map(({ field, value, code }) => `${code}: ${field} = ${value}`);
}

describe('a model_type that is not known, of a known architecture', () => {
  it('is read by its architecture, and says so: DeepSeek V4 as sgl-project writes it', () => {
    const config = {
      ...{ model_type: 'deepseek_ref', architectures: ['DeepseekV4ForCausalLM'], num_hidden_layers: 4 },
      ...{ hidden_size: 4096, num_attention_heads: 64, num_key_value_heads: 1, head_dim: 512 },
      ...{ index_head_dim: 128, index_n_heads: 64, index_topk: 512, sliding_window: 128 },
      compress_ratios: [0, 0, 4, 128, 0],
    };
    // Four windows of 512 elements; then (512 + 128) / 4 + 512 / 128 elements a token.
    expect(sizes(config).slice(0, 2)).toEqual([4096, 328]);
    expect(assumedOf(config)).toContain('by-architecture: model_type = deepseek_v4');
  });

  it('keeps its own name where the architecture is not known either', () => {
    const config = { ...LLAMA, model_type: 'brand_new', architectures: ['BrandNewForCausalLM'] };
    expect(assumedOf(config)).toEqual([
      'unknown-family: model_type = brand_new',
      'hidden-over-heads: head_dim = 128',
    ]);
  });
});

it('reads multi-head latent attention of an unknown family by its four widths: 61 x 576 x 2', () => {
  const config = { ...LATENT, model_type: 'brand_new_mla' };
  expect(sizes(config)).toEqual([70_272, 70_272, 0]);
  expect(assumedOf(config)).toEqual(['unknown-family: model_type = brand_new_mla']);
});

it('knows Nemotron 3 under the name that its own config has (vLLM base_model_arch_groundtruth.json)', () => {
  const config = {
    ...{ model_type: 'nemotron_3', architectures: ['Nemotron3ForCausalLM'], num_hidden_layers: 52 },
    ...{ hidden_size: 2688, num_attention_heads: 32, num_key_value_heads: 2, head_dim: 128, n_groups: 8 },
    ...{ mamba_num_heads: 64, mamba_head_dim: 64, ssm_state_size: 128, conv_kernel: 4 },
    hybrid_override_pattern: 'MEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEMEM*EMEMEMEME',
    mamba_ssm_cache_dtype: 'float32',
  };
  // Golden: nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16.
  expect(sizes(config)).toEqual([6144, 6144, 49_082_368]);
});

describe('Mamba under other names', () => {
  it('takes Codestral Mamba, which calls itself "mamba", for the Mamba 2 that it is', () => {
    const config = {
      ...{ model_type: 'mamba', architectures: ['Mamba2ForCausalLM'], hidden_size: 4096 },
      ...{ num_hidden_layers: 64, num_heads: 128, head_dim: 64, state_size: 128, n_groups: 8, expand: 2 },
      conv_kernel: 4,
    };
    // 64 x ((8192 + 2 x 8 x 128) x 3 + 128 x 64 x 128) x 2 bytes.
    expect(sizes(config)).toEqual([0, 0, 138_149_888]);
  });

  it('reads state-spaces/mamba-130m, whose config has no model_type: 24 x (1536 x 3 + 1536 x 16) x 2', () => {
    const config = { d_model: 768, n_layer: 24, vocab_size: 50_277, ssm_cfg: {}, rms_norm: true };
    expect(sizes(config)).toEqual([0, 0, 1_400_832]);
  });

  it('reads state-spaces/mamba2-130m: 24 x ((1536 + 2 x 128) x 3 + 24 x 64 x 128) x 2', () => {
    const config = {
      d_model: 768,
      n_layer: 24,
      ssm_cfg: { layer: 'Mamba2' },
      attn_layer_idx: [],
      attn_cfg: {},
    };
    expect(sizes(config)).toEqual([0, 0, 9_695_232]);
  });

  it('refuses attention layers of mamba_ssm by name', () => {
    const config = { d_model: 768, n_layer: 24, ssm_cfg: { layer: 'Mamba2' }, attn_layer_idx: [9] };
    expect(() => readGeometry(config)).toThrow(/attn_layer_idx/);
  });
});

describe('KV heads under other names', () => {
  it.each([
    // Meta's and Mistral's params.json.
    ['Llama 3 8B params.json', { dim: 4096, n_layers: 32, n_heads: 32, n_kv_heads: 8 }, 131_072],
    ['Mistral Nemo', { dim: 5120, n_layers: 40, head_dim: 128, n_heads: 32, n_kv_heads: 8 }, 163_840],
    [
      'CodeShell',
      { model_type: 'codeshell', n_embd: 4096, n_head: 32, n_layer: 42, num_query_groups: 8 },
      172_032,
    ],
    [
      'CogVLM2',
      {
        ...{ hidden_size: 4096, num_attention_heads: 32, num_hidden_layers: 32 },
        ...{ multi_query_attention: true, num_multi_query_heads: 8 },
      },
      131_072,
    ],
  ])('%s', (_name, config, bytes) => {
    expect(sizes(config)).toEqual([bytes, bytes, 0]);
  });

  it('says so where an unknown family has yet another name for them', () => {
    const config = { ...LLAMA, model_type: 'brand_new', num_key_value_heads: undefined, my_kv_heads: 8 };
    expect(assumedOf(config)).toContain('unread-field: my_kv_heads = 8');
  });
});

describe('windows and loops', () => {
  it('PLaMo 3: every eighth layer is full', () => {
    const config = {
      ...{ model_type: 'plamo3', num_hidden_layers: 24, hidden_size: 2560, num_attention_heads: 32 },
      ...{ num_key_value_heads: 4, head_dim: 128, sliding_window: 2048, sliding_window_pattern: 8 },
    };
    expect(sizes(config)).toEqual([49_152, 6144, 0]);
  });

  it('IQuest-Coder Loop: the second pass keeps a window of 64 in every layer', () => {
    const config = {
      ...{ model_type: 'iquestloopcoder', num_hidden_layers: 80, hidden_size: 5120, num_attention_heads: 40 },
      ...{ num_key_value_heads: 8, head_dim: 128, loop_num: 2, loop_window_size: 64 },
    };
    expect(sizes(config)).toEqual([655_360, 327_680, 0]);
  });

  it('MiMo-V2-Flash’s attention_chunk_size and MiniMax-M2’s attn_type_list of ones leave nothing unread', () => {
    const mimo = {
      ...{ model_type: 'mimo_v2_flash', num_hidden_layers: 2, hidden_size: 4096, num_attention_heads: 64 },
      ...{ num_key_value_heads: 4, head_dim: 192, v_head_dim: 128, sliding_window: 128 },
      ...{ swa_num_key_value_heads: 8, hybrid_layer_pattern: [0, 1], attention_chunk_size: 128 },
    };
    expect(assumedOf(mimo)).toEqual([]);
    const minimax = {
      ...{ model_type: 'minimax_m2', num_hidden_layers: 2, hidden_size: 3072, num_attention_heads: 48 },
      ...{ num_key_value_heads: 8, head_dim: 128, attn_type_list: [1, 1] },
    };
    expect(assumedOf(minimax)).toEqual([]);
  });
});

describe('wrappers', () => {
  it('an empty text_config beside the numbers nests nothing', () => {
    expect(sizes({ ...LLAMA, model_type: 'llama', text_config: {} })).toEqual([131_072, 131_072, 0]);
  });

  it('ColPali nests its text model two deep', () => {
    const text = { model_type: 'gemma', num_hidden_layers: 18, hidden_size: 2048, num_attention_heads: 8 };
    const config = {
      model_type: 'colpali',
      vlm_config: { model_type: 'paligemma', text_config: { ...text, num_key_value_heads: 1 } },
    };
    expect(sizes(config)).toEqual([18_432, 18_432, 0]);
  });

  it.each([100, 10_000])('refuses a text_config %d deep by name', (depth) => {
    const text = `${'{"text_config":'.repeat(depth)}${JSON.stringify(LLAMA)}${'}'.repeat(depth)}`;
    expect(() => readGeometry(parseConfigText(text))).toThrow(GeometryError);
    expect(() => readGeometry(parseConfigText(text))).toThrow(/text_config/);
  });

  it('refuses lists in lists thousands deep by the field’s name', () => {
    const deep = `${'['.repeat(9000)}${']'.repeat(9000)}`;
    const text = `{"model_type":"llama","num_hidden_layers":${deep}}`;
    expect(() => readGeometry(parseConfigText(text))).toThrow(/num_hidden_layers/);
  });
});

it.each(['segformer', 'timm_wrapper'])('%s keeps no cache', (modelType) => {
  expect(() => readGeometry({ ...LLAMA, model_type: modelType })).toThrow(/config-no-cache/);
});

describe('families whose code is beside their weights', () => {
  it('SmallThinker-21B: 13 full layers and 39 with a window of 4,096', () => {
    const config = {
      ...{ model_type: 'smallthinker', num_hidden_layers: 52, hidden_size: 2560, num_attention_heads: 28 },
      ...{ num_key_value_heads: 4, head_dim: 128, sliding_window_size: 4096 },
      sliding_window_layout: Array.from({ length: 52 }, (_, layer) => (layer % 4 === 0 ? 0 : 1)),
    };
    expect(sizes(config)).toEqual([106_496, 26_624, 0]);
  });

  it('PLaMo-13B: 40 heads over groups of 8 are 5 KV heads', () => {
    const config = { model_type: 'plamo', num_hidden_layers: 40, hidden_size: 5120, num_attention_heads: 40 };
    expect(sizes({ ...config, n_shared_head: 8 })).toEqual([102_400, 102_400, 0]);
  });

  it('AFM: 56 layers of which 21 read the entry of the last before them', () => {
    const config = {
      ...{ model_type: 'afm7', num_layers: 56, hidden_dim: 2048, num_heads: 16, num_kv_heads: 2 },
      num_kv_reuse_layers: 21,
    };
    // 35 x 2 x 2 x 128 x 2 bytes.
    expect(sizes(config)).toEqual([35_840, 35_840, 0]);
    expect(() => readGeometry({ ...config, num_kv_reuse_layers: 56 })).toThrow(/num_kv_reuse_layers/);
  });

  it('Baichuan-M1: sliding layers of other heads, and a convolution over keys and values', () => {
    const config = {
      ...{ model_type: 'baichuan_m1', num_hidden_layers: 4, hidden_size: 5120, num_attention_heads: 40 },
      ...{ num_key_value_heads: 8, sliding_window: 8192, sliding_window_layers: [1, 3], conv_window: 2 },
      ...{ num_swa_attention_heads: 20, num_swa_key_value_heads: 2 },
    };
    // Full: 2 x 8 x 128 elements; sliding: 2 x 2 x 256; the convolution keeps one token of each.
    expect(sizes(config)).toEqual([12_288, 8192, 12_288]);
  });

  it('Hymba-1.5B: 3 global layers, 14 windows shared in groups, a state in each of 32 layers', () => {
    const pairs = [1, 3, 5, 7, 9, 11, 13, 19, 21, 23, 25, 27, 29].map((layer) => [layer, layer + 1]);
    const config = {
      ...{ model_type: 'hymba', num_hidden_layers: 32, hidden_size: 1600, num_attention_heads: 25 },
      ...{ num_key_value_heads: 5, sliding_window: 1024, global_attn_idx: [0, 15, 31] },
      ...{ kv_reuse_group: [...pairs, [16, 17, 18]], num_memory_tokens: 128 },
      ...{ mamba_d_state: 16, mamba_d_conv: 4, mamba_expand: 2 },
    };
    // 17 x 640 x 2; 3 x 640 x 2; 32 x (3200 x 3 + 3200 x 16) x 2.
    expect(sizes(config)).toEqual([21_760, 3840, 3_891_200]);
    expect(assumedOf(config)).toEqual(['unread-field: num_memory_tokens = 128']);
    expect(() => readGeometry({ ...config, kv_reuse_group: [[1, 32]] })).toThrow(/kv_reuse_group/);
  });
});
