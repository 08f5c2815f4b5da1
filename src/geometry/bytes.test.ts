/** Formula bytes against the published tables (shared paper-tables.json, article 000). */
import { describe, expect, it } from 'vitest';
import { bytesPerToken, formulaBytes } from './bytes';
import { readGeometry } from './read-config';

const QWEN = readGeometry({
  num_hidden_layers: 24,
  hidden_size: 896,
  num_attention_heads: 14,
  num_key_value_heads: 2,
});

describe('formulaBytes', () => {
  it.each([
    [1, 128, 4, 3145728],
    [1, 512, 4, 12582912],
    [1, 4096, 4, 100663296],
    [1, 512, 2, 6291456],
    [2, 512, 4, 25165824],
    [4, 512, 4, 50331648],
    [8, 512, 4, 100663296],
    [1, 38, 4, 933888],
    [1, 0, 4, 0],
  ])('Qwen2.5-0.5B, batch %i, %i tokens, %i bytes an element', (batch, tokens, elementBytes, bytes) => {
    expect(formulaBytes(QWEN, { batch, tokens, elementBytes })).toBe(bytes);
  });

  it('counts a capped entry up to its cap, and a fixed part whatever the length', () => {
    const [full] = QWEN.caches;
    if (full === undefined) throw new Error('no layer');
    const mixed = {
      ...QWEN,
      caches: [full, { ...full, capTokens: 100 }, { ...full, elementsPerToken: 0, fixedElements: 7 }],
    };
    // (256 x 150 + 256 x 100 + 7) x 2 bytes x 3 sequences.
    expect(formulaBytes(mixed, { batch: 3, tokens: 150, elementBytes: 2 })).toBe(384042);
    // (256 + 256) x 2 bytes: a fixed part is not added by a token.
    expect(bytesPerToken(mixed, 2)).toBe(1024);
  });

  it.each([
    { batch: 0, tokens: 1, elementBytes: 4 },
    { batch: 1.5, tokens: 1, elementBytes: 4 },
    { batch: 1, tokens: -1, elementBytes: 4 },
    { batch: 1, tokens: NaN, elementBytes: 4 },
    { batch: 1, tokens: 1, elementBytes: 0 },
    { batch: 64, tokens: 2 ** 40, elementBytes: 4 },
  ])('gives no wrong number for %j', (size) => {
    expect(() => formulaBytes(QWEN, size)).toThrow(RangeError);
  });
});

it('bytes per token: 24,576 in fp32, half in fp16', () => {
  expect(bytesPerToken(QWEN, 4)).toBe(24576);
  expect(bytesPerToken(QWEN, 2)).toBe(12288);
});
