/** Derivations: the numbers that are put in, and that their products are the bytes. */
import { describe, expect, it } from 'vitest';
import { kvDtype } from '../../geometry/engines/kv-dtype';
import { readGeometry } from '../../geometry/read-config';
import { derive, sumOf, type DerivationLine } from './derivation';

/** Qwen3.5-27B (issue 4, architectures.json): 65,536 bytes a token and 153,944,064 bytes of state in bf16. */
const QWEN35 = {
  model_type: 'qwen3_5',
  text_config: {
    model_type: 'qwen3_5_text',
    num_hidden_layers: 64,
    num_attention_heads: 24,
    num_key_value_heads: 4,
    head_dim: 256,
    hidden_size: 5120,
    full_attention_interval: 4,
    linear_conv_kernel_dim: 4,
    linear_key_head_dim: 128,
    linear_num_key_heads: 16,
    linear_num_value_heads: 48,
    linear_value_head_dim: 128,
    mamba_ssm_dtype: 'float32',
  },
};

/** Gemma-3-1b: 26 layers, every sixth full, windows of 512, 1 KV head of 256 (architectures.json). */
const GEMMA = {
  model_type: 'gemma3_text',
  num_hidden_layers: 26,
  num_attention_heads: 4,
  num_key_value_heads: 1,
  head_dim: 256,
  hidden_size: 1152,
  sliding_window: 512,
  sliding_window_pattern: 6,
};

const numbers = ({ factors }: DerivationLine): string =>
  factors.map((factor) => factor.numbers.join(` ${factor.join} `)).join(' | ');

describe('a hybrid with states', () => {
  const { first, far, fixed, total } = derive(readGeometry(QWEN35), { dtype: kvDtype('bf16'), tokens: 1000 });

  it('puts the numbers of the 16 full layers in', () => {
    expect(first.map(numbers)).toEqual(['16 | 4 | 256 + 256 | 2']);
    expect(first.map(({ bytes }) => bytes)).toEqual([65_536]);
    expect(first[0]?.layers.slice(0, 3)).toEqual([3, 7, 11]);
    expect(far).toEqual(first);
  });

  it('takes convolutions and states apart, and they add up', () => {
    // 48 layers: 10,240 channels x (4 - 1) x 2 bytes, and 48 x 128 x 128 x 4 bytes of float32.
    expect(fixed.map(numbers)).toEqual(['48 | 10240 | 4 − 1 | 2', '48 | 48 × 128 × 128 | 4']);
    expect(sumOf(fixed)).toBe(153_944_064);
    expect(sumOf(total)).toBe(219_480_064);
  });
});

describe('windows', () => {
  const geometry = readGeometry(GEMMA);

  it('stop at their tokens, and the last tokens add only what full layers keep', () => {
    const { first, far, total } = derive(geometry, { dtype: kvDtype('bf16'), tokens: 32_768 });
    expect(first.map(numbers)).toEqual(['22 | 1 | 256 + 256 | 2', '4 | 1 | 256 + 256 | 2']);
    expect(far.map(({ bytes }) => bytes)).toEqual([4096]);
    expect(total.map(numbers)).toEqual([
      '22 | 1 | 256 + 256 | 2 | 32768 min 512',
      '4 | 1 | 256 + 256 | 2 | 32768',
    ]);
    // 139 MiB, as another tool computes (evidence in architectures.json).
    expect(sumOf(total)).toBe(145_752_064);
  });

  it('count vectors of a type with scales', () => {
    // q8_0: 256 elements are 8 blocks of 34 bytes.
    const { first } = derive(geometry, { dtype: kvDtype('q8_0'), tokens: 1 });
    expect(first.map(numbers)).toEqual(['22 | 1 | 272 + 272', '4 | 1 | 272 + 272']);
  });
});

it('counts caches where a layer has two of them', () => {
  // LongCat-Flash: two attentions a layer, each a latent of 512 + 64 (its configuration_longcat_flash.py).
  const config = {
    model_type: 'longcat_flash',
    num_layers: 28,
    num_attention_heads: 64,
    hidden_size: 6144,
    kv_lora_rank: 512,
    qk_rope_head_dim: 64,
    qk_nope_head_dim: 128,
    v_head_dim: 128,
  };
  const { first } = derive(readGeometry(config), { dtype: kvDtype('bf16'), tokens: 1 });
  expect(first.map(({ factors, bytes }) => [factors[0], bytes])).toEqual([
    [{ unit: 'caches', numbers: [56], join: '×' }, 64_512],
  ]);
});
