/** How GroupQueryAttention keeps a quantised cache in a graph: dims and element types by backend, and the CPU kernel's scales. */
import type { Attribute, FloatType, GraphBuilder, Port, Value } from './onnx-graph';

export interface QuantisedCache {
  bits: 8 | 4;
  backend: 'webgpu' | 'wasm';
}

/**
 * WASM's scales, one for all keys and one for all values of a layer. Those of our graphs have unit variance by construction (a normed
 * vector times weights of `seededWeights`), but where heads are scaled one by one their tails are longer. With 0.04 and 0.4 both kinds
 * are within a third of the smallest mean square error that any scale gives (200,000 drawn values each: cosines of 0.9999 and 0.9999
 * with 8 bits, 0.993 and 0.989 with 4).
 */
const SCALES = { 8: 0.04, 4: 0.4 };
/** Bytes of a scale: a float32. */
const SCALE_BYTES = 4;
/** Inputs of GroupQueryAttention between `sin_cache` and `k_scale`: position_ids, attention_bias, head_sink. */
const UNUSED_INPUTS = 3;
/** The smallest head that 4 bits take on WebGPU (pull request 28059: "head_size >= 8 and power-of-2"). */
const LEAST_HEAD_DIM_4_BITS = 8;

/** Whether the kernel takes a head dim: WebGPU's rotation for 4 bits wants powers of two and its words have 32 bits, the CPU packs bytes. */
export function fitsQuantised(dim: number, { bits, backend }: QuantisedCache): boolean {
  if (backend === 'wasm') return (dim * bits) % 8 === 0;
  if (bits === 8) return dim % 4 === 0;
  return dim >= LEAST_HEAD_DIM_4_BITS && (dim & (dim - 1)) === 0;
}

/**
 * Last dim and element type of a cache tensor. WebGPU keeps words (a scale and the packed elements) in tensors of the graph's
 * own float type, in which a word is one element or two; WASM has integers, 4 bits two in a byte.
 */
export function quantisedPort(
  { bits, backend }: QuantisedCache,
  float: FloatType,
  dim: number,
): { dim: number; type: Port['type'] } {
  if (backend === 'wasm') return { dim: (dim * bits) / 8, type: bits === 8 ? 'int8' : 'uint8' };
  const words = 1 + (dim * bits) / 32;
  return { dim: float === 'fp16' ? 2 * words : words, type: float };
}

/** What the CPU kernel has to be told; WebGPU takes its bits from the session and its scales from the data: null. */
export function scaleInputs(
  graph: GraphBuilder,
  name: string,
  { bits, backend }: QuantisedCache,
): { inputs: Value[]; attributes: Record<string, Attribute> } | null {
  if (backend === 'webgpu') return null;
  const scales = ['k', 'v'].map((part) => graph.scale(`${name}.${part}_cache_scale`, SCALES[bits]));
  return {
    inputs: [...new Array<Value>(UNUSED_INPUTS).fill(''), ...scales],
    attributes: { k_quant_type: 'PER_TENSOR', v_quant_type: 'PER_TENSOR', kv_cache_bit_width: bits },
  };
}

/** Bytes of all scales that a graph has beside its cache; 0 where they stand in the rows. */
export function scaleBytesBeside(layers: number, { backend }: QuantisedCache): number {
  return backend === 'wasm' ? 2 * SCALE_BYTES * layers : 0;
}
