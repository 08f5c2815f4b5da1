import { describe, expect, it } from 'vitest';
import { kvDtype } from './kv-dtype';
import { attention, geometryOf, stateLayers } from './testing.fixture';
import { vllmCapacity } from './vllm-capacity';

const GiB = 1073741824;
const dtype = kvDtype('bf16');

describe('tokens in vLLM’s log', () => {
  it('gemma-4-31B-it: 24.54 GiB are 10,051 blocks and 26,800 tokens (hf-mem#61)', () => {
    // 50 layers with a window, 16 x 256; 10 full ones, 4 x 512.
    const gemma = geometryOf([
      ...attention(50, [16, 256], { window: 1024 }),
      ...attention(10, [4, 512], { first: 50 }),
    ]);
    expect(vllmCapacity(gemma, { dtype, budgetBytes: 24.54 * GiB })).toMatchObject({
      blocks: 10051,
      groups: 6,
      blockTokens: 16,
      blockBytes: 10 * 16 * 16384,
      logTokens: 26800,
    });
  });

  it('gpt-oss-120b: 5.38 GiB, as it was rounded, are 78,384 tokens (hf-mem#60)', () => {
    const gpt = geometryOf([
      ...attention(18, [8, 64], { window: 128 }),
      ...attention(18, [8, 64], { first: 18 }),
    ]);
    const tokens = (gib: number) => vllmCapacity(gpt, { dtype, budgetBytes: gib * GiB })?.logTokens;
    expect([tokens(5.375), tokens(5.3825), tokens(5.385)]).toEqual([78272, 78384, 78416]);
  });

  it('Qwen3-1.7B: 18.78 GiB, as it was rounded, are 175,856 tokens (vllm#33263)', () => {
    const qwen = geometryOf(attention(28, [8, 128]));
    const tokens = (gib: number) => vllmCapacity(qwen, { dtype, budgetBytes: gib * GiB })?.logTokens;
    expect(tokens(18.784)).toBe(175856);
  });

  it('Qwen3.5-27B: blocks of 784 tokens; 42.75 sequences of 32,768 are 1,400,832 tokens (a vLLM log on an H200, mode align)', () => {
    const qwen = geometryOf([
      ...stateLayers(48, { channels: 10240, kernel: 4, dims: [48, 128, 128], stateBytes: 4 }),
      ...attention(16, [4, 256], { first: 48 }),
    ]);
    // A sequence takes 42 blocks of tokens and two pages in each of 3 groups of states: 2,052 blocks hold 42.75.
    const budgetBytes = 2052 * 16 * 784 * 4096;
    expect(vllmCapacity(qwen, { dtype, budgetBytes, maxModelLen: 32768, prefixCaching: true })).toMatchObject(
      {
        blockTokens: 784,
        concurrency: 42.75,
        logTokensNew: 1400832,
      },
    );
  });

  it('newer logs give concurrency x length: windows count for what they take', () => {
    const gpt = geometryOf([
      ...attention(12, [8, 64], { window: 128 }),
      ...attention(12, [8, 64], { first: 12 }),
    ]);
    // 2,730 blocks of 12 x 32,768 bytes; a sequence of 131,072 tokens takes 521 + 8,192.
    const capacity = vllmCapacity(gpt, { dtype, budgetBytes: GiB, maxModelLen: 131072 });
    expect(capacity).toMatchObject({ blocks: 2730, logTokens: 21840, logTokensNew: 41068 });
    expect(capacity?.concurrency).toBeCloseTo(0.31332, 5);
  });
});

it('has no blocks without memory, and no pool of tokens in a model of states', () => {
  const qwen = geometryOf(attention(28, [8, 128]));
  expect(vllmCapacity(qwen, { dtype, budgetBytes: -5 })).toMatchObject({ blocks: 0, logTokens: 0 });
  const mamba = geometryOf(stateLayers(24, { channels: 1536, kernel: 4, dims: [1536, 16] }));
  expect(vllmCapacity(mamba, { dtype, budgetBytes: GiB })).toBeNull();
});
