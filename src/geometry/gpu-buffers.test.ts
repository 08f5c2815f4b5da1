import { describe, expect, it } from 'vitest';
import { bufferSize, expectedResidentBytes, tensorCeiling } from './gpu-buffers';
import { readGeometry } from './read-config';

// Qwen/Qwen3-0.6B, config.json.
const qwen3 = readGeometry({
  model_type: 'qwen3',
  hidden_size: 1024,
  num_attention_heads: 16,
  num_key_value_heads: 8,
  num_hidden_layers: 28,
  head_dim: 128,
});
const qwen25 = readGeometry({
  model_type: 'qwen2',
  hidden_size: 896,
  num_attention_heads: 14,
  num_key_value_heads: 2,
  num_hidden_layers: 24,
});

describe('the largest context that one cache tensor allows', () => {
  const limits = { maxBufferSize: 268_435_456, maxStorageBufferBindingSize: 134_217_728 };

  it.each([
    [1, 65_536],
    [4, 16_384],
  ])(
    'of Qwen3-0.6B in fp16 at batch %i is %i tokens with a binding of 128 MiB (field report A6)',
    (batch, tokens) => {
      expect(tensorCeiling(qwen3, { batch, elementBytes: 2 }, limits)).toEqual({
        tokens,
        tensor: 'past_key_values.0.key',
        bytesPerToken: batch * 2048,
        limit: 'maxStorageBufferBindingSize',
        allowed: 134_217_728,
      });
    },
  );

  it('names the other limit where that one is lower', () => {
    const ceiling = tensorCeiling(
      qwen3,
      { batch: 1, elementBytes: 2 },
      { ...limits, maxBufferSize: 67_108_864 },
    );
    expect(ceiling).toMatchObject({ tokens: 32_768, limit: 'maxBufferSize' });
  });
});

describe('resident bytes to be expected in mode bucket', () => {
  // golden config-cases.json, ort-webgpu-bucket-allocation: tokens, kvAllocated.
  it.each([
    [1, 114_688],
    [10, 1_835_008],
    [2048, 234_881_024],
    [2049, 469_762_048],
    [4097, 704_643_072],
    [6145, 939_524_096],
    [8193, 1_468_006_400],
    [81_920, 9_395_240_960],
    [81_921, 9_395_355_648],
  ])('of Qwen3-0.6B in fp16 at %i tokens', (tokens, bytes) => {
    expect(expectedResidentBytes(qwen3, { batch: 1, tokens, elementBytes: 2 }, true)).toBe(bytes);
  });

  // Seen in the page: platform-notes.md, "ORT's WebGPU allocator rounds up", fp32.
  it.each([
    [128, 3_145_728],
    [129, 6_291_456],
    [512, 12_582_912],
    [513, 25_165_824],
  ])('of Qwen2.5-0.5B in fp32 at %i tokens', (tokens, bytes) => {
    expect(expectedResidentBytes(qwen25, { batch: 1, tokens, elementBytes: 4 }, true)).toBe(bytes);
  });

  it('is the tensors’ own size, to 16 bytes, in the other modes', () => {
    expect(expectedResidentBytes(qwen25, { batch: 1, tokens: 129, elementBytes: 4 }, false)).toBe(3_170_304);
    expect(bufferSize(17, false)).toBe(32);
  });
});
