/** Formula bytes of quantised caches, worked out by hand from ONNX Runtime's layouts. */
import { describe, expect, it } from 'vitest';
import { bytesPerToken, formulaBytes } from './bytes';
import { quantisedGeometry, quantisedRowBytes } from './quantised';
import { readGeometry } from './read-config';

/** 30 layers, 3 KV heads x 64 (SmolLM2-135M's config.json). */
const SMOLLM2 = readGeometry({
  model_type: 'llama',
  num_hidden_layers: 30,
  hidden_size: 576,
  num_attention_heads: 9,
  num_key_value_heads: 3,
});

describe('a quantised cache', () => {
  it.each([
    // WebGPU: 1 + 64 x bits / 32 words of 4 bytes (onnxruntime pull request 32284, "KV-Cache Layout").
    [8, 4, 68],
    [4, 4, 36],
    // WASM: int8 [64], uint8 [32].
    [8, 0, 64],
    [4, 0, 32],
  ] as const)('with %d bits and %d bytes of scale has rows of %d bytes', (bits, scaleBytes, row) => {
    expect(quantisedRowBytes(64, { bits, scaleBytes })).toBe(row);
  });

  it('has the bytes of its rows, whatever the size of an element elsewhere', () => {
    const geometry = quantisedGeometry(SMOLLM2, { bits: 8, scaleBytes: 4 });
    // 30 layers x 3 KV heads x 2 rows x 68 bytes; 100 tokens of 2 sequences.
    expect(bytesPerToken(geometry, 4)).toBe(12_240);
    expect(bytesPerToken(geometry, 2)).toBe(12_240);
    expect(formulaBytes(geometry, { batch: 2, tokens: 100, elementBytes: 4 })).toBe(2_448_000);
  });

  it('leaves entries without keys alone', () => {
    const state = { ...SMOLLM2.caches[0], layer: 30, kind: 'recurrent', kvHeads: 0, elementsPerToken: 0 };
    const mixed = { ...SMOLLM2, caches: [{ ...state, keyDim: 0, valueDim: 0, fixedElements: 10 }] };
    const kept = quantisedGeometry(mixed as typeof SMOLLM2, { bits: 4, scaleBytes: 4 });
    expect(formulaBytes(kept, { batch: 1, tokens: 5, elementBytes: 4 })).toBe(40);
  });
});
