import { describe, expect, it } from 'vitest';
import { weightBytes, weightType } from './weight-bytes';

const quantised = (quantization_config: Record<string, unknown>): number | null =>
  weightType({ torch_dtype: 'bfloat16', quantization_config }).bytesPerWeight;

describe('weightType', () => {
  it.each([
    ['float32', 4],
    ['bfloat16', 2],
    ['torch.float16', 2],
    ['float8_e4m3fn', 1],
  ])('takes %s from the config', (dtype, bytes) => {
    expect(weightType({ torch_dtype: dtype })).toMatchObject({ bytesPerWeight: bytes, linearOnly: false });
  });

  it('finds the type in a nested text config, and takes bfloat16 where there is none', () => {
    expect(weightType({ text_config: { dtype: 'float32' } }).bytesPerWeight).toBe(4);
    expect(weightType({}).name).toBe('bfloat16');
  });

  it.each([
    // 16 fp4 weights + one fp8 scale = 9 bytes (ai-dynamo/aiconfigurator#391).
    ['NVFP4', { quant_method: 'modelopt', quant_algo: 'NVFP4', group_size: 16 }, 0.5625],
    ['ModelOpt FP8', { quant_method: 'modelopt', quant_algo: 'FP8' }, 1],
    // MLX affine, groups of 64: 4.5 bits (field report D25).
    ['MLX 4-bit', { group_size: 64, bits: 4 }, 0.5625],
    // 4 + (16 + 4) / 128 = 4.15625 bits.
    ['AWQ', { quant_method: 'awq', bits: 4, group_size: 128, zero_point: true }, 0.51953125],
    ['GPTQ', { quant_method: 'gptq', bits: 4, group_size: 128, desc_act: false }, 0.51953125],
    ['GPTQ by rows', { quant_method: 'gptq', bits: 8, group_size: -1 }, 1],
    ['fp8', { quant_method: 'fp8', activation_scheme: 'dynamic' }, 1],
    // One float32 for 16,384 weights.
    ['fp8 in blocks', { quant_method: 'fp8', weight_block_size: [128, 128] }, 1.000244140625],
    ['bitsandbytes 4-bit', { quant_method: 'bitsandbytes', load_in_4bit: true }, 0.5625],
    // QLoRA: 0.127 bits a weight of scales in place of 0.5.
    [
      'bitsandbytes doubled',
      { quant_method: 'bitsandbytes', load_in_4bit: true, bnb_4bit_use_double_quant: true },
      0.515869140625,
    ],
    [
      'compressed-tensors fp8',
      {
        quant_method: 'compressed-tensors',
        config_groups: { group_0: { weights: { num_bits: 8, type: 'float', strategy: 'channel' } } },
      },
      1,
    ],
    [
      'compressed-tensors int4',
      {
        quant_method: 'compressed-tensors',
        config_groups: {
          group_0: { weights: { num_bits: 4, type: 'int', group_size: 32, symmetric: true } },
        },
      },
      0.5625,
    ],
    [
      'compressed-tensors nvfp4',
      {
        quant_method: 'compressed-tensors',
        config_groups: { group_0: { weights: { num_bits: 4, type: 'float', group_size: 16 } } },
      },
      0.5625,
    ],
  ])('knows %s', (_, config, bytes) => {
    expect(quantised(config)).toBe(bytes);
  });

  it('says that mxfp4 is for the experts alone (alvarobartt/hf-mem#60)', () => {
    expect(weightType({ quantization_config: { quant_method: 'mxfp4' } })).toMatchObject({
      bytesPerWeight: null,
      gap: { code: 'weights-experts-only', params: { bits: 4.25 } },
    });
  });

  it('says what it does not know, whatever the config holds', () => {
    expect(weightType({ quantization_config: { quant_method: 'aqlm' } }).gap).toEqual({
      code: 'weights-unknown-method',
      params: { method: 'aqlm' },
    });
    expect(
      weightType({ quantization_config: { quant_method: 'gptq', bits: 'four' } }).bytesPerWeight,
    ).toBeNull();
    expect(
      weightType({ quantization_config: { quant_method: 'fp8', weight_block_size: ['a', 2] } })
        .bytesPerWeight,
    ).toBeNull();
    expect(weightType({ text_config: 7 }).bytesPerWeight).toBe(2);
    expect(weightType(null).bytesPerWeight).toBeNull();
  });

  it('gives no one number for groups of different types', () => {
    const weights = (num_bits: number): Record<string, unknown> => ({ weights: { num_bits, type: 'int' } });
    const config = { quant_method: 'compressed-tensors', config_groups: { a: weights(4), b: weights(8) } };
    expect(weightType({ quantization_config: config }).gap?.code).toBe('weights-mixed');
  });
});

it('multiplies parameters: 596,049,920 in bfloat16 (golden config-cases)', () => {
  expect(weightBytes(596_049_920, 2)).toBe(1_192_099_840);
  expect(() => weightBytes(2 ** 53, 2)).toThrow(RangeError);
});
