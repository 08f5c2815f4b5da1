import { describe, expect, it } from 'vitest';
import { engineBytes } from './index';
import { kvDtype } from './kv-dtype';
import { attention, bf16, geometryOf, indexer, latent, stateLayers } from './testing.fixture';

const MiB = 1048576;
// Qwen3.6-27B has the geometry of Qwen3.5-27B.
const QWEN36_27B = geometryOf([
  ...stateLayers(48, { channels: 10240, kernel: 4, dims: [48, 128, 128], stateBytes: 4 }),
  ...attention(16, [4, 256], { first: 48 }),
]);
const GPT_OSS_20B = geometryOf([
  ...attention(12, [8, 64], { window: 128 }),
  ...attention(12, [8, 64], { first: 12 }),
]);

describe('measured logs of llama.cpp', () => {
  it('6564.00 MiB for 70,016 cells of Qwen3-30B-A3B (llama.cpp#15009), which are 70,144 cells since contexts are padded to 256', () => {
    const size = engineBytes(geometryOf(attention(48, [4, 128])), 'llama.cpp', bf16(70016));
    expect(size.bytesPerTokenFirst * 70016).toBe(6564 * MiB);
    expect(size.bytes).toBe(6576 * MiB);
  });

  it('16384.00 MiB for 262,144 cells of Qwen3.6-27B, and 149.625 MiB of state per sequence, convolution in float32', () => {
    const size = engineBytes(QWEN36_27B, 'llama.cpp', bf16(262144));
    expect(size.fixedBytes).toBe(149.625 * MiB);
    expect(size.bytes).toBe((16384 + 149.625) * MiB);
    // lmstudio-bug-tracker#1862: 598.50 MiB of recurrent state in 4 cells.
    expect(engineBytes(QWEN36_27B, 'llama.cpp', { ...bf16(0), batch: 4 }).bytes).toBe(598.5 * MiB);
  });

  it('keeps states in float32 beside a quantised cache: q8_0 is 34/32 bytes an element', () => {
    const size = engineBytes(QWEN36_27B, 'llama.cpp', { ...bf16(262144), dtype: kvDtype('q8_0') });
    expect(size.bytes).toBe((8704 + 149.625) * MiB);
  });
});

describe('windows', () => {
  it('keep W + n_ubatch cells rounded up to 256: 768 of gpt-oss', () => {
    const size = engineBytes(GPT_OSS_20B, 'llama.cpp', bf16(32768));
    expect(size.bytes).toBe(12 * 2048 * 768 + 12 * 2048 * 32768);
    expect(size).toMatchObject({ bytesPerTokenFirst: 49152, bytesPerTokenFar: 24576, notes: [] });
  });

  it('keep no more cells than the context has', () => {
    expect(engineBytes(GPT_OSS_20B, 'llama.cpp', bf16(1)).bytes).toBe(24 * 2048 * 256);
  });

  it('keep everything with --swa-full, and in models whose window llama.cpp does not apply', () => {
    expect(engineBytes(GPT_OSS_20B, 'llama.cpp', { ...bf16(32768), fullWindows: true }).bytes).toBe(
      1610612736,
    );
    const mistral = geometryOf(attention(32, [8, 128], { window: 4096 }), { modelType: 'mistral' });
    const size = engineBytes(mistral, 'llama.cpp', bf16(32768));
    expect(size.bytes).toBe(4294967296);
    expect(size.notes).toEqual([{ code: 'window-ignored', params: { engine: 'llama.cpp' } }]);
  });
});

it('keeps the latent once, without a value, and the indexer’s keys in the cache’s type', () => {
  const v32 = geometryOf([...latent(61, 576, 128), ...indexer(61, 128)]);
  expect(engineBytes(v32, 'llama.cpp', bf16(32768)).bytes).toBe(2814377984);
});

it('says which types it does not have, and which head dims it refuses', () => {
  const phi2 = geometryOf(attention(32, [32, 80]));
  const notes = (id: string) => engineBytes(phi2, 'llama.cpp', { ...bf16(1), dtype: kvDtype(id) }).notes;
  expect(notes('fp8')).toEqual([
    { code: 'dtype-not-offered', params: { engine: 'llama.cpp', dtype: 'fp8' } },
  ]);
  expect(notes('q4_0')).toEqual([{ code: 'block-does-not-divide', params: { dim: 80, dtype: 'q4_0' } }]);
});
