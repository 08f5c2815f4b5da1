/** Formula of a quantised cache: rows of packed integers instead of rows of floats. Shares nothing with the code that measures. */
import type { Geometry } from './geometry';

/** How a row, one head's keys or values of one token, is kept. */
export interface QuantisedRows {
  /** Bits of an element. */
  bits: 8 | 4;
  /** Bytes of the scale that stands in each row; 0 where the scales are kept apart from the cache. */
  scaleBytes: number;
}

/**
 * Bytes of a row of `dim` elements: its scale, and dim x bits / 8. With a 4-byte scale it is ONNX Runtime's WebGPU layout, one
 * 32-bit scale word and dim x bits / 32 packed words (onnxruntime pull requests 28059 and 32284); without, that of its CPU kernel,
 * int8 [dim] or uint8 [dim / 2] (GroupQueryAttention, attribute kv_cache_bit_width).
 */
export function quantisedRowBytes(dim: number, { bits, scaleBytes }: QuantisedRows): number {
  return dim === 0 ? 0 : scaleBytes + (dim * bits) / 8;
}

/**
 * The same geometry with its keys and values quantised. Its elements are bytes, so that it has the right bytes for whatever element
 * size a formula is asked for; heads, layers and caps are as they were, and so are entries that hold no keys.
 */
export function quantisedGeometry(geometry: Geometry, rows: QuantisedRows): Geometry {
  const caches = geometry.caches.map((cache) => {
    if (cache.kvHeads === 0 || cache.elementsPerToken === 0) return cache;
    const keyDim = quantisedRowBytes(cache.keyDim, rows);
    const valueDim = quantisedRowBytes(cache.valueDim, rows);
    const elementsPerToken = cache.kvHeads * (keyDim + valueDim);
    return { ...cache, keyDim, valueDim, elementsPerToken, elementBytes: 1 };
  });
  return { ...geometry, headDim: quantisedRowBytes(geometry.headDim, rows), caches };
}
