import { describe, expect, it } from 'vitest';
import { engineBytes } from './index';
import { kvDtype } from './kv-dtype';
import { attention, bf16, geometryOf, indexer, latent, stateLayers } from './testing.fixture';

const QWEN3_8B = geometryOf(attention(36, [8, 128]), { attentionHeads: 32 });
const GPT_OSS_20B = geometryOf(
  [...attention(12, [8, 64], { window: 128 }), ...attention(12, [8, 64], { first: 12 })],
  { attentionHeads: 64 },
);
const DEEPSEEK_V3 = geometryOf(latent(61, 576, 128), { attentionHeads: 128 });
const DEEPSEEK_V32 = geometryOf([...latent(61, 576, 128), ...indexer(61, 128)], { attentionHeads: 128 });
// Nemotron 3 Nano: 6 attention layers of 2 x 128, 23 Mamba layers of 64 x 64 heads, 8 groups, state 128.
const NEMOTRON_NANO = geometryOf(
  [
    ...stateLayers(23, { channels: 6144, kernel: 4, dims: [64, 64, 128], stateBytes: 4 }),
    ...attention(6, [2, 128], { first: 23 }),
  ],
  { attentionHeads: 32 },
);

describe('blocks of 16', () => {
  it.each([
    [0, 0],
    [1, 16],
    [16, 16],
    [17, 32],
    [32768, 32768],
  ])('%i tokens of Qwen3-8B take %i', (tokens, slots) => {
    expect(engineBytes(QWEN3_8B, 'vllm', bf16(tokens)).bytes).toBe(147456 * slots);
  });

  it('a window holds the batch beside it and a block more: W - 1 + 8,192 tokens of gpt-oss', () => {
    // ceil(8,319 / 16) + 1 = 521 blocks of 16 x 2,048 bytes in 12 layers.
    const size = engineBytes(GPT_OSS_20B, 'vllm', bf16(131072));
    expect(size.bytes).toBe(12 * 521 * 32768 + 12 * 8192 * 32768);
    expect(size).toMatchObject({ bytesPerTokenFirst: 49152, bytesPerTokenFar: 24576 });
    expect(size.notes).toEqual([{ code: 'window-and-batch', params: { tokens: 8192 } }]);
  });

  it('without the hybrid manager every layer keeps all tokens: 49,152 throughout (hf-mem#70)', () => {
    const size = engineBytes(GPT_OSS_20B, 'vllm', { ...bf16(131072), hybrid: false });
    expect(size).toMatchObject({ bytes: 6442450944, bytesPerTokenFar: 49152, notes: [] });
  });

  it('a chunk holds the batch beside it: Llama 4 Scout', () => {
    const scout = geometryOf([
      ...attention(36, [8, 128], { window: 8192 }).map((cache) => ({ ...cache, kind: 'chunked' as const })),
      ...attention(12, [8, 128], { first: 36 }),
    ]);
    expect(engineBytes(scout, 'vllm', bf16(32768)).bytes).toBe(36 * 16384 * 4096 + 12 * 32768 * 4096);
  });

  it('cross attention takes the encoder’s output in blocks: whisper-small, 1,500 tokens in 94', () => {
    const cross = attention(12, [12, 64]).map((cache) => ({
      ...cache,
      kind: 'cross' as const,
      elementsPerToken: 0,
      fixedElements: 1536 * 1500,
      encoderTokens: 1500,
    }));
    const size = engineBytes(geometryOf([...attention(12, [12, 64]), ...cross]), 'vllm', bf16(448));
    expect(size.fixedBytes).toBe(12 * 94 * 16 * 3072);
    expect(size.bytes).toBe(12 * 3072 * (448 + 1504));
  });
});

describe('MLA', () => {
  it.each([
    ['bf16: 70,272 a token', DEEPSEEK_V3, 'bf16', 70272],
    ['fp8: one byte an element', DEEPSEEK_V3, 'fp8', 61 * 576],
    ['V3.2: the indexer in fp8 with scales, 132 bytes', DEEPSEEK_V32, 'bf16', 70272 + 61 * 132],
    ['V3.2 in fp8: fp8_ds_mla, 656 bytes', DEEPSEEK_V32, 'fp8', 61 * (656 + 132)],
  ])('%s', (_, geometry, dtype, perToken) => {
    const size = engineBytes(geometry, 'vllm', { ...bf16(32768), dtype: kvDtype(dtype) });
    expect(size.bytes).toBe(perToken * 32768);
    expect(size.bytesPerTokenFirst).toBe(perToken);
  });
});

describe('scales', () => {
  it.each([
    // 36 layers x 2 x 8 heads x (128 + 4), (64 + 4), (64 + 8) bytes.
    ['int8', 76032],
    ['int4', 39168],
    ['nvfp4', 41472],
  ])('%s', (dtype, perToken) => {
    expect(engineBytes(QWEN3_8B, 'vllm', { ...bf16(16), dtype: kvDtype(dtype) }).bytes).toBe(16 * perToken);
  });

  it.each(['q8_0', '3bit'])('%s is not offered', (dtype) => {
    const { notes } = engineBytes(QWEN3_8B, 'vllm', { ...bf16(16), dtype: kvDtype(dtype) });
    expect(notes).toEqual([{ code: 'dtype-not-offered', params: { engine: 'vLLM', dtype } }]);
  });
});

describe('hybrids', () => {
  it('pads states to the attention page and groups to the rarest kind: Nemotron 3 Nano', () => {
    const size = engineBytes(NEMOTRON_NANO, 'vllm', bf16(32768));
    // State 6,144 x 3 x 2 + 524,288 x 4 = 2,134,016 bytes; attention 1,024 a token: blocks of 16 x 131 = 2,096 tokens,
    // pages of 2,146,304. 23 state layers are 4 groups of 6, one place empty; 32,768 tokens are 16 blocks.
    expect(size.fixedBytes).toBe(23 * 2146304);
    expect(size.bytes).toBe(6 * 2146304 * (16 + 4));
    expect(size.bytesPerTokenFirst).toBe(6144);
    expect(size.notes).toContainEqual({ code: 'padding-layers', params: { layers: 1 } });
  });

  it('keeps two pages of each state with prefix caching', () => {
    const size = engineBytes(NEMOTRON_NANO, 'vllm', { ...bf16(32768), prefixCaching: true });
    expect(size.fixedBytes).toBe(2 * 23 * 2146304);
    expect(size.bytes).toBe(6 * 2146304 * (16 + 8));
  });

  it('a model of states alone has one page a layer: mamba-130m', () => {
    const mamba = geometryOf(stateLayers(24, { channels: 1536, kernel: 4, dims: [1536, 16] }));
    // 24 x (4,608 + 24,576) elements x 2 bytes.
    expect(engineBytes(mamba, 'vllm', bf16(32768))).toMatchObject({ bytes: 1400832, fixedBytes: 1400832 });
  });

  it('pages that do not divide are padded, and it is said', () => {
    const odd = geometryOf([
      ...attention(2, [3, 64], { window: 32 }),
      ...attention(2, [2, 64], { first: 2 }),
    ]);
    const size = engineBytes(odd, 'vllm', bf16(16));
    // Page 16 x 768; the full layers' 16 x 512 is padded to it; the window takes 2 blocks.
    expect(size.bytes).toBe(2 * 12288 * (2 + 1));
    expect(size.notes).toContainEqual({ code: 'pages-padded', params: {} });
  });
});

describe('tensor parallelism', () => {
  it.each([
    [1, 4831838208],
    [2, 2415919104],
    [8, 603979776],
    // 16 GPUs for 8 KV heads: each has one, twice over.
    [16, 603979776],
  ])('Qwen3-8B on %i GPUs', (tensorParallel, bytes) => {
    const size = engineBytes(QWEN3_8B, 'vllm', { ...bf16(32768), tensorParallel });
    expect(size).toMatchObject({ bytes, bytesAllGpus: bytes * tensorParallel });
    expect(size.notes.some(({ code }) => code === 'replicated')).toBe(tensorParallel > 8);
  });

  it('MLA is on every GPU', () => {
    const size = engineBytes(DEEPSEEK_V3, 'vllm', { ...bf16(32768), tensorParallel: 8 });
    expect(size).toMatchObject({ bytes: 2302672896, bytesAllGpus: 18421383168 });
  });

  it('groups of a convolution are extended to one for each GPU', () => {
    // Falcon-H1-0.5B: 24 heads x 64, 1 group, state 128: on 2 GPUs (1,536 + 2 x 2 x 128) / 2 channels.
    const falcon = geometryOf(stateLayers(1, { channels: 1792, kernel: 4, dims: [24, 64, 128] }));
    const { layers } = engineBytes(falcon, 'vllm', { ...bf16(1), tensorParallel: 2 });
    expect(layers.map(({ fixedBytes }) => fixedBytes)).toEqual([1024 * 3 * 2, 12 * 64 * 128 * 2]);
  });

  it.each([
    [3, '32 attention heads cannot be split over 3 GPUs: vLLM needs a number that divides them.'],
    [0, 'tensorParallel = 0 is no positive integer'],
  ])('refuses %i in words', (tensorParallel, sentence) => {
    expect(() => engineBytes(QWEN3_8B, 'vllm', { ...bf16(1), tensorParallel })).toThrow(sentence);
  });

  it('refuses KV heads that do not split', () => {
    const odd = geometryOf(attention(1, [6, 64]), { attentionHeads: 24 });
    expect(() => engineBytes(odd, 'vllm', { ...bf16(1), tensorParallel: 4 })).toThrow(
      '6 KV heads cannot be split over 4 GPUs',
    );
  });
});
