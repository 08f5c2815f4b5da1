/** The crossover of weights and cache, against the first article's table (shared/golden/paper-tables.json). */
import { describe, expect, it } from 'vitest';
import { crossover } from './crossover';
import type { Geometry, LayerCache } from './geometry';

/** Full attention in every layer: 2 x KV heads x 64 elements per token. */
function geometryOf(layers: number, kvHeads: number, patch: Partial<LayerCache> = {}): Geometry {
  return {
    modelType: 'test',
    layers,
    attentionHeads: kvHeads,
    kvHeads,
    headDim: 64,
    hiddenSize: kvHeads * 64,
    maxPositions: null,
    caches: Array.from({ length: layers }, (_, layer) => ({
      layer,
      kind: 'full',
      kvHeads,
      keyDim: 64,
      valueDim: 64,
      elementsPerToken: 2 * kvHeads * 64,
      capTokens: null,
      fixedElements: 0,
      ...patch,
    })),
  };
}

/** Layers, KV heads and parameters of the article's models; parameters as their config and files say. */
const QWEN = { geometry: geometryOf(24, 2), parameters: 494_032_768 };
const SMOLLM = { geometry: geometryOf(30, 3), parameters: 134_515_008 };
const GPT2 = { geometry: geometryOf(12, 12), parameters: 124_439_808 };

describe('crossover', () => {
  it.each([
    ['Qwen2.5-0.5B', QWEN, 24576, 80409, '39.3', 40],
    ['SmolLM2-135M', SMOLLM, 46080, 11677, '5.7', 6],
    ['GPT-2', GPT2, 73728, 6751, '3.3', 4],
  ] as const)('of %s is the article’s, in float32', (_, model, perToken, tokens, requests, owning) => {
    const found = crossover(model.geometry, model.parameters * 4, 4);
    expect(found.bytesPerToken).toBe(perToken);
    // To the nearest token: the exact quotients are 80409.3…, 11676.6… and 6751.3….
    expect(Math.round(found.tokens ?? 0)).toBe(tokens);
    expect(found.requests.toFixed(1)).toBe(requests);
    expect(found.requestsOwning).toBe(owning);
  });

  it('does not depend on the dtype that weights and cache share', () => {
    const half = crossover(QWEN.geometry, QWEN.parameters * 2, 2);
    expect([Math.round(half.tokens ?? 0), half.requests.toFixed(1)]).toEqual([80409, '39.3']);
  });

  it('counts another request length', () => {
    // 1,024 tokens are GPT-2’s maximum position: twice as many requests as of 2,048.
    expect(crossover(GPT2.geometry, GPT2.parameters * 4, 4, 1024).requests.toFixed(1)).toBe('6.6');
  });

  it('is one whole request more where they are equal', () => {
    const one = crossover(geometryOf(1, 1), 2048 * 512, 4);
    expect([one.tokens, one.requests, one.requestsOwning]).toEqual([2048, 1, 2]);
  });

  it('follows capped layers, and says null where every layer is capped too low', () => {
    // One layer of 512 bytes a token without cap and one capped at 10 tokens: 10 x 1,024 bytes, then 512 a token.
    const [full] = geometryOf(1, 1).caches;
    const [capped] = geometryOf(1, 1, { kind: 'sliding', capTokens: 10 }).caches;
    if (full === undefined || capped === undefined) throw new Error('no layer');
    const mixed = { ...geometryOf(2, 1), caches: [full, capped] };
    expect(crossover(mixed, 5120, 4).tokens).toBe(5);
    expect(crossover(mixed, 10240 + 5120, 4).tokens).toBe(20);
    expect(crossover({ ...mixed, caches: [capped] }, 10240, 4).tokens).toBeNull();
  });

  it('refuses a model without weights', () => {
    expect(() => crossover(QWEN.geometry, 0, 4)).toThrow(RangeError);
  });
});
