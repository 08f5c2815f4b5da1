/** The terms of vLLM's and llama.cpp's bytes: their literals, and that they add up to the total for every model of the catalogue. */
import { describe, expect, it } from 'vitest';
import { engineBytes } from '../../geometry/engines';
import { kvDtype } from '../../geometry/engines/kv-dtype';
import { attention, bf16, geometryOf, stateLayers } from '../../geometry/engines/testing.fixture';
import { readGeometry } from '../../geometry/read-config';
import { ARCHITECTURES } from '../../model/architectures';
import { llamaParts, partsSum, vllmParts } from './engine-parts';

const GPT_OSS = geometryOf([
  ...attention(12, [8, 64], { window: 128 }),
  ...attention(12, [8, 64], { first: 12 }),
]);
const NEMOTRON = geometryOf([
  ...stateLayers(23, { channels: 6144, kernel: 4, dims: [64, 64, 128], stateBytes: 4 }),
  ...attention(6, [2, 128], { first: 23 }),
]);

describe('terms', () => {
  it('of vLLM are blocks of windows and of all tokens', () => {
    // ceil((128 - 1 + 8,192) / 16) + 1 = 521 blocks (vllm.test.ts).
    expect(vllmParts(GPT_OSS, bf16(131_072))).toMatchObject([
      { kinds: ['sliding'], count: 12, units: 521, how: '⌈min(128 − 1 + 8,192, 131,072) ÷ 16⌉ + 1' },
      { kinds: ['full'], count: 12, units: 8192, how: '⌈131,072 ÷ 16⌉', unitBytes: 32_768 },
    ]);
  });
  it('of states are pages, and an empty place is padding', () => {
    // Pages of 2,146,304 bytes; 4 groups of 6 places for 23 layers of states (vllm.test.ts).
    const parts = vllmParts(NEMOTRON, bf16(32_768));
    expect(parts.map(({ count, units, unitBytes }) => [count, units, unitBytes])).toEqual(
      expect.arrayContaining([
        [23, 1, 2_146_304],
        [6, 16, 2_146_304],
      ]),
    );
    expect(engineBytes(NEMOTRON, 'vllm', bf16(32_768)).bytes - partsSum(parts)).toBe(2_146_304);
  });
});

describe.each(ARCHITECTURES.map(({ id, config }) => [id, config] as const))('%s', (_, config) => {
  it.each([1000, 32_768])('adds up at %d tokens', (tokens) => {
    const geometry = readGeometry(config);
    const options = { dtype: kvDtype('bf16'), batch: 1, tokens };
    const llama = engineBytes(geometry, 'llama.cpp', options);
    expect(partsSum(llamaParts(geometry, options))).toBe(llama.bytes);
    const vllm = engineBytes(geometry, 'vllm', options);
    const rest = vllm.bytes - partsSum(vllmParts(geometry, options));
    expect(rest).toBeGreaterThanOrEqual(0);
    // Only a pool of several groups pads.
    if (!vllm.notes.some(({ code }) => code === 'padding-layers')) expect(rest).toBe(0);
  });
});
