/** Whole periods of the layers' pattern, within a budget. */
import { describe, expect, it } from 'vitest';
import { attention, conv, family } from './families.fixture';
import { cutLayers, layerCount, layerPeriod, layersWithin } from './cut-layers';
import type { LayerCache } from '../geometry/geometry';

const alike = family(
  'llama',
  [0, 1, 2, 3].map((layer) => attention(layer, 2, 8)),
);
const sliding = (layer: number): LayerCache => ({
  ...attention(layer, 2, 8),
  kind: 'sliding',
  capTokens: 16,
});
/** Gemma 3's pattern: five windows, one full layer; 8 layers end within the second period. */
const gemma = family(
  'gemma3_text',
  Array.from({ length: 8 }, (_, layer) => (layer % 6 === 5 ? attention(layer, 2, 8) : sliding(layer))),
);

describe('layerPeriod', () => {
  it('is 1 where layers are alike, the pattern’s length where they repeat, all layers where nothing does', () => {
    expect(layerPeriod(alike)).toBe(1);
    expect(layerPeriod(gemma)).toBe(6);
    expect(layerPeriod(family('x', [attention(0, 1, 8), attention(1, 2, 8), attention(2, 3, 8)]))).toBe(3);
  });

  it('looks at all entries of a layer', () => {
    const caches = [0, 1, 2, 3].flatMap((layer) =>
      layer % 2 === 0 ? [attention(layer, 2, 8), conv(layer, 8, 3)] : [attention(layer, 2, 8)],
    );
    expect(layerPeriod(family('x', caches))).toBe(2);
  });
});

describe('cutLayers', () => {
  it('keeps the entries of the first layers', () => {
    const cut = cutLayers(gemma, 6);
    expect(cut.layers).toBe(6);
    expect(cut.caches.map(({ layer }) => layer)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(layerCount(gemma)).toBe(8);
  });
});

describe('layersWithin', () => {
  // 2 heads x (8 + 8) x 4 bytes = 128 bytes a token and layer; 10 tokens: 1,280 bytes a layer.
  const size = { batch: 1, tokens: 10, elementBytes: 4 };

  it('is all layers where they fit', () => {
    expect(layersWithin(alike, size, 5120)).toBe(4);
    expect(layersWithin(gemma, size, 10_240)).toBe(8);
  });

  it('is whole periods where one fits, else what fits, and at least one', () => {
    expect(layersWithin(alike, size, 5119)).toBe(3);
    expect(layersWithin(gemma, size, 10_239)).toBe(6);
    expect(layersWithin(gemma, size, 7679)).toBe(5);
    expect(layersWithin(gemma, size, 1)).toBe(1);
  });
});
