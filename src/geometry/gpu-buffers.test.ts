import { describe, expect, it } from 'vitest';
import { bufferSize, expectedResidentBytes, tensorCeiling } from './gpu-buffers';
import { attention, geometryOf, latent, stateLayers } from './engines/testing.fixture';
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

describe('of other kinds', () => {
  const limits = { maxBufferSize: 2 ** 31, maxStorageBufferBindingSize: 134_217_728 };
  const one = { batch: 1, elementBytes: 2 };

  it('a window grows like a full layer: the graph keeps every token', () => {
    const mixed = geometryOf([
      ...attention(1, [8, 128], { window: 512 }),
      ...attention(1, [2, 128], { first: 1 }),
    ]);
    expect(tensorCeiling(mixed, one, limits)).toMatchObject({
      tokens: 65_536,
      tensor: 'past_key_values.0.key',
    });
  });

  it('a latent is decompressed: 128 heads of 192 elements', () => {
    // 134,217,728 / 49,152 = 2,730.6.
    expect(tensorCeiling(geometryOf(latent(2, 576, 128)), one, limits)).toMatchObject({
      tokens: 2730,
      tensor: 'past_key_values.0.key',
      bytesPerToken: 49_152,
    });
  });

  it('a decoder’s tensors are called so, and the encoder’s do not grow', () => {
    const cross = {
      ...attention(1, [6, 64])[0],
      kind: 'cross' as const,
      elementsPerToken: 0,
      fixedElements: 768 * 1500,
    };
    const [self] = attention(1, [6, 64]);
    if (self === undefined) throw new Error('no layer');
    const whisper = geometryOf([self, { ...self, ...cross }]);
    expect(tensorCeiling(whisper, one, limits)).toMatchObject({
      tensor: 'past_key_values.0.decoder.key',
      bytesPerToken: 768,
    });
    // Two of 768 bytes and two of 1,152,000.
    expect(expectedResidentBytes(whisper, { ...one, tokens: 1 }, false)).toBe(2 * 768 + 2 * 1_152_000);
  });

  it('states have a size, whole kernels included, and no ceiling', () => {
    const mamba = geometryOf(stateLayers(24, { channels: 1536, kernel: 4, dims: [1536, 16] }));
    expect(tensorCeiling(mamba, one, limits)).toMatchObject({
      tokens: Infinity,
      tensor: '',
      bytesPerToken: 0,
    });
    // config-cases.json, mamba-130m: 147,456 + 589,824 elements.
    expect(expectedResidentBytes(mamba, { ...one, tokens: 100 }, false)).toBe(1_474_560);
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
