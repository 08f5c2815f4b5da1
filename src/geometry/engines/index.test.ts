/** Ideal, transformers.js and preallocated; the choice of an engine. */
import { describe, expect, it } from 'vitest';
import { compareEngines } from './compare';
import { ENGINE_NOTES } from './notes';
import { engineBytes, engineId, ENGINES } from './index';
import { underGraphRule } from './graph';
import { kvDtype } from './kv-dtype';
import { attention, bf16, geometryOf, indexer, latent, stateLayers } from './testing.fixture';

// config-cases.json: gemma3-1b-pattern, gpt-oss-20b-alternating; architectures.json: Qwen3-8B, DeepSeek-V3, DeepSeek-V3.2.
const GEMMA3_1B = geometryOf([
  ...attention(22, [1, 256], { window: 512 }),
  ...attention(4, [1, 256], { first: 22 }),
]);
const GPT_OSS_20B = geometryOf(
  [...attention(12, [8, 64], { window: 128 }), ...attention(12, [8, 64], { first: 12 })],
  { maxPositions: 131072 },
);
const QWEN3_8B = geometryOf(attention(36, [8, 128]));
const DEEPSEEK_V3 = geometryOf(latent(61, 576, 128));
const DEEPSEEK_V32 = geometryOf([...latent(61, 576, 128), ...indexer(61, 128)]);
// Qwen3.5-27B: 16 full layers of 4 x 256, 48 with a convolution of 10,240 channels and a float32 state.
const QWEN35_27B = geometryOf(
  [
    ...stateLayers(48, { channels: 10240, kernel: 4, dims: [48, 128, 128], stateBytes: 4 }),
    ...attention(16, [4, 256], { first: 48 }),
  ],
  { dtype: 'bfloat16' },
);

describe('ideal', () => {
  it.each([
    ['Qwen3-8B', QWEN3_8B, 32768, 4831838208],
    ['gemma-3-1b, 139.0 MiB (mlxcel#172)', GEMMA3_1B, 32768, 145752064],
    ['gpt-oss-20b', GPT_OSS_20B, 131072, 3224371200],
    ['DeepSeek-V3', DEEPSEEK_V3, 32768, 2302672896],
    ['DeepSeek-V3.2', DEEPSEEK_V32, 32768, 2814377984],
    ['Qwen3.5-27B', QWEN35_27B, 32768, 2301427712],
  ])('%s', (_, geometry, tokens, bytes) => {
    expect(engineBytes(geometry, 'ideal', bf16(tokens)).bytes).toBe(bytes);
  });

  it('tells first and far tokens, the fixed part and the kinds of layers apart', () => {
    expect(engineBytes(GPT_OSS_20B, 'ideal', bf16(32768))).toMatchObject({
      bytesPerTokenFirst: 49152,
      bytesPerTokenFar: 24576,
      fixedBytes: 0,
      layers: [
        { kind: 'sliding', count: 12, bytesPerToken: 2048, bytesPerTokenFar: 0, fixedBytes: 0 },
        { kind: 'full', count: 12, bytesPerToken: 2048, bytesPerTokenFar: 2048, fixedBytes: 0 },
      ],
    });
    expect(engineBytes(QWEN35_27B, 'ideal', bf16(1)).fixedBytes).toBe(153944064);
  });

  it('does not quantise states with the cache, and says so', () => {
    const size = engineBytes(QWEN35_27B, 'ideal', { ...bf16(32768), dtype: kvDtype('fp8') });
    // Half of 32,768 x 65,536, and the same states.
    expect(size.bytes).toBe(1073741824 + 153944064);
    expect(size.notes).toEqual([{ code: 'states-not-quantised', params: { bytes: 2 } }]);
  });

  it('counts whole bytes at half a bit per element', () => {
    const size = engineBytes(QWEN3_8B, 'ideal', { ...bf16(1), dtype: kvDtype('0.5bit') });
    // 147,456 bytes of 16 bit, a thirty-second of it.
    expect(size.bytes).toBe(4608);
  });
});

describe('transformers.js', () => {
  it.each([
    ['gemma-3-1b keeps every layer whole', GEMMA3_1B, 32768, 872415232],
    // 4,997,120 B per token (field report D2).
    ['DeepSeek-V3 is decompressed', DEEPSEEK_V3, 1, 4997120],
    ['DeepSeek-V3.2 has no indexer', DEEPSEEK_V32, 1, 4997120],
  ])('%s', (_, geometry, tokens, bytes) => {
    const options = { ...bf16(tokens), dtype: kvDtype('fp16') };
    expect(engineBytes(geometry, 'transformers.js', options).bytes).toBe(bytes);
  });

  it('keeps keys of every head where the latent is decompressed, so those are its KV heads and head dim', () => {
    expect(underGraphRule(DEEPSEEK_V3)).toMatchObject({ kvHeads: 128, headDim: 192 });
  });

  it('says what differs', () => {
    const codes = engineBytes(DEEPSEEK_V32, 'transformers.js', bf16(1)).notes.map(({ code }) => code);
    expect(codes).toEqual(['dtype-not-offered', 'latent-expanded', 'indexer-left-out']);
  });
});

describe('preallocated', () => {
  it('reserves the maximum whatever the length; a window no more than itself', () => {
    // gpt-oss-20b at 131,072 tokens, windowed (config-cases.json).
    for (const tokens of [1, 131072])
      expect(engineBytes(GPT_OSS_20B, 'preallocated', bf16(tokens))).toMatchObject({
        bytes: 3224371200,
        fixedBytes: 3224371200,
        bytesPerTokenFirst: 0,
        bytesPerTokenFar: 0,
      });
  });

  it('reserves 2,048 tokens of OPT-13B: 819,200 bytes each (paper-tables.json)', () => {
    const opt = geometryOf(attention(40, [40, 128]));
    const size = engineBytes(opt, 'preallocated', { ...bf16(10), maxTokens: 2048 });
    expect(size.bytes).toBe(819200 * 2048);
    expect(size.notes).toEqual([]);
  });

  it('refuses more tokens than it reserves', () => {
    expect(() => engineBytes(QWEN3_8B, 'preallocated', { ...bf16(4097), maxTokens: 4096 })).toThrow(
      '4097 tokens do not fit into a cache reserved for 4096',
    );
  });
});

describe('engines', () => {
  it.each([
    ['vLLM', 'vllm'],
    ['onnx', 'transformers.js'],
    ['llama-cpp', 'llama.cpp'],
    ['llamacpp', 'llama.cpp'],
    [' Ideal ', 'ideal'],
  ])('%j is %s', (text, id) => {
    expect(engineId(text)).toBe(id);
  });

  it.each(['', 'sglang', 'constructor'])('%j is refused', (text) => {
    expect(() => engineId(text)).toThrow(
      /Known are ideal, transformers\.js, vllm, llama\.cpp, preallocated\./,
    );
  });

  it('hold the same bytes of a cache of full layers at a multiple of 256 tokens', () => {
    const rows = compareEngines(QWEN3_8B, { ...bf16(32768), batch: 2 });
    expect(rows.map(({ size, ratio }) => [size?.bytes, ratio])).toEqual(ENGINES.map(() => [9663676416, 1]));
  });

  it('are compared with the ideal, and one that refuses says why', () => {
    const rows = compareEngines(GEMMA3_1B, { ...bf16(32768), maxTokens: 1024 });
    expect(rows.find(({ engine }) => engine === 'transformers.js')?.ratio).toBeCloseTo(5.9856, 4);
    expect(rows.find(({ engine }) => engine === 'preallocated')).toMatchObject({
      size: null,
      refusal: '32768 tokens do not fit into a cache reserved for 1024',
    });
  });

  it.each([
    { batch: 0 },
    { batch: 1.5 },
    { tokens: -1 },
    { tokens: NaN },
    { batch: 2 ** 30, tokens: 2 ** 40 },
  ])('refuse %j', (wrong) => {
    for (const { id } of ENGINES)
      expect(() => engineBytes(QWEN3_8B, id, { ...bf16(1), ...wrong }), id).toThrow(RangeError);
  });
});

it('every note is one whole sentence or more', () => {
  for (const text of Object.values(ENGINE_NOTES)) expect(text).toMatch(/^[A-Z{l].*\.$/);
});
