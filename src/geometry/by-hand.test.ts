/** Numbers typed by hand: their bytes, their notes, and what is refused by name. */
import { describe, expect, it } from 'vitest';
import { geometryByHand, geometryOfBytes } from './by-hand';
import { bytesPerToken, bytesPerTokenFar, fixedBytes, formulaBytes } from './bytes';
import { isCertain } from './read-config';

describe('geometryByHand', () => {
  // The second article: Qwen3-8B, 36 layers x 2 x 8 x 128 x 2 bytes; as multi-head attention 32 heads.
  it.each([
    [8, 147456],
    [32, 589824],
  ])('Qwen3-8B with %i KV heads: %i bytes a token', (kvHeads, bytes) => {
    const geometry = geometryByHand({ layers: 36, kvHeads, headDim: 128 });
    expect(bytesPerToken(geometry, 2)).toBe(bytes);
    expect(isCertain(geometry)).toBe(true);
  });

  it('says of each number that it was typed', () => {
    expect(geometryByHand({ layers: 2, kvHeads: 1, headDim: 64 }).assumed).toEqual([
      { field: 'layers', value: 2, code: 'by-hand' },
      { field: 'kvHeads', value: 1, code: 'by-hand' },
      { field: 'headDim', value: 64, code: 'by-hand' },
    ]);
  });

  it('knows windows, values of another width, and a fixed part', () => {
    const geometry = geometryByHand({
      layers: 3,
      kvHeads: 2,
      headDim: 192,
      valueDim: 128,
      attentionHeads: 8,
      slidingLayers: 2,
      window: 10,
      fixedElements: 1000,
      maxPositions: 4096,
    });
    // 2 x (192 + 128) x 2 bytes = 1,280 a layer; past the window one layer; 1,000 x 2 fixed.
    expect([bytesPerToken(geometry, 2), bytesPerTokenFar(geometry, 2), fixedBytes(geometry, 2)]).toEqual([
      3840, 1280, 2000,
    ]);
    // 1,280 x (10 + 10 + 100) + 2,000.
    expect(formulaBytes(geometry, { batch: 1, tokens: 100, elementBytes: 2 })).toBe(155600);
    expect(geometry).toMatchObject({ attentionHeads: 8, hiddenSize: 1536, maxPositions: 4096 });
  });

  it.each([
    [{ layers: 0 }, 'layers'],
    [{ layers: 10_001 }, 'layers'],
    [{ kvHeads: -8 }, 'kvHeads'],
    [{ headDim: 1.5 }, 'headDim'],
    [{ headDim: NaN }, 'headDim'],
    [{ valueDim: 0 }, 'valueDim'],
    [{ attentionHeads: 12 }, 'attentionHeads'],
    [{ slidingLayers: 33 }, 'slidingLayers'],
    [{ slidingLayers: 4, window: 0 }, 'window'],
    [{ fixedElements: Infinity }, 'fixedElements'],
    [{ maxPositions: 0 }, 'maxPositions'],
  ])('refuses %j', (patch, field) => {
    const entry = { layers: 32, kvHeads: 8, headDim: 128, ...patch };
    expect(() => geometryByHand(entry)).toThrow(expect.objectContaining({ code: 'config-bad-field' }));
    expect(() => geometryByHand(entry)).toThrow(`"field":"${field}"`);
  });

  it('names a window that is missing', () => {
    const entry = { layers: 2, kvHeads: 1, headDim: 64, slidingLayers: 1 };
    expect(() => geometryByHand(entry)).toThrow('config-missing-field: {"field":"window"}');
  });
});

describe('geometryOfBytes', () => {
  it('takes the bytes as they are, whatever the cache’s type', () => {
    const geometry = geometryOfBytes({ bytesPerToken: 890, fixedBytes: 4096 });
    for (const elementBytes of [1, 2, 4]) {
      expect([bytesPerToken(geometry, elementBytes), fixedBytes(geometry, elementBytes)]).toEqual([
        890, 4096,
      ]);
    }
    // 890 x 1,000 + 4,096.
    expect(formulaBytes(geometry, { batch: 1, tokens: 1000, elementBytes: 2 })).toBe(894096);
  });

  it.each([
    [{ bytesPerToken: -1 }, 'bytesPerToken'],
    [{ bytesPerToken: 0.5 }, 'bytesPerToken'],
    [{ bytesPerToken: 890, fixedBytes: -1 }, 'fixedBytes'],
  ])('refuses %j', (entry, field) => {
    expect(() => geometryOfBytes(entry)).toThrow(`"field":"${field}"`);
  });
});
