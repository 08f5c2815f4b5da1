/** Element types of a cache: how many bytes one head's key or value vector takes, scales included. */

export interface KvDtype {
  /** What `--dtype` and the link carry, such as `bf16`. */
  id: string;
  /** For people. */
  name: string;
  /**
   * True where the type is a quantisation of the cache: states and convolutions then keep the model's own type, because
   * no engine quantises them with the cache (vLLM `mamba_cache_dtype`; llama.cpp `type_r`, `type_s`).
   */
  quantised: boolean;
  /**
   * Bytes of one element of a state or convolution that the engine keeps in the cache's type: 4 with fp32, otherwise 2.
   */
  stateBytes: number;
  /** Bytes of one head's key (or value) vector of `dim` elements, scales included; a fraction only with bits per element. */
  vectorBytes(dim: number): number;
}

/** Blocks of 32 elements with their scales: ggml-common.h `block_q8_0` and others; a part of a block takes a whole one. */
const GGML_BLOCK = 32;

export const KV_DTYPES: readonly KvDtype[] = [
  float('fp32', 4),
  float('bf16', 2),
  float('fp16', 2),
  // One scale per tensor or layer, which is no part of the cache (vLLM `KVQuantMode.FP8_PER_TENSOR`).
  quantised('fp8', 'fp8', (dim) => dim),
  // One float32 scale per token and head, for keys and for values (vLLM kv_cache_interface.py, `is_per_token_head`).
  quantised('int8', 'int8, a scale per token and head', (dim) => (dim === 0 ? 0 : dim + 4)),
  // Two elements a byte, the same scales (vLLM `INT4_PER_TOKEN_HEAD`).
  quantised('int4', 'int4, a scale per token and head', (dim) => (dim === 0 ? 0 : Math.ceil(dim / 2) + 4)),
  // Two elements a byte, one fp8 scale for every 16 (vLLM torch_utils.py `nvfp4_kv_cache_full_dim`).
  quantised('nvfp4', 'nvfp4', (dim) => Math.ceil(dim / 2) + Math.ceil(dim / 16)),
  ggml('q8_0', 34),
  ggml('q5_1', 24),
  ggml('q5_0', 22),
  ggml('q4_1', 20),
  ggml('q4_0', 18),
  ggml('iq4_nl', 18),
];

const ALIASES: Record<string, string> = {
  float32: 'fp32',
  f32: 'fp32',
  bfloat16: 'bf16',
  float16: 'fp16',
  f16: 'fp16',
  half: 'fp16',
  fp8_e4m3: 'fp8',
  fp8_e5m2: 'fp8',
};

/** The most bits per element that a free type may have: those of float64. */
const MAX_BITS = 64;

/**
 * The type of that id: one of `KV_DTYPES`, torch's names of them (`bfloat16`), or bits per element such as `3bit` or `0.5bit`.
 * @throws RangeError that names the known ids.
 */
export function kvDtype(id: string): KvDtype {
  const wanted = id.trim().toLowerCase();
  const known = KV_DTYPES.find((dtype) => dtype.id === (ALIASES[wanted] ?? wanted));
  if (known) return known;
  const bits = /^(\d+(?:\.\d+)?|\.\d+)bit$/.exec(wanted)?.[1];
  if (bits !== undefined && Number(bits) > 0 && Number(bits) <= MAX_BITS) return freeBits(Number(bits));
  throw new RangeError(
    `The cache's element type "${id}" is not known. Known are ${KV_DTYPES.map((dtype) => dtype.id).join(', ')}, and ` +
      `bits per element up to ${MAX_BITS}, such as 3bit or 0.5bit.`,
  );
}

/** Bits per element without scales: exact in eighths of a byte. */
function freeBits(bits: number): KvDtype {
  return quantised(`${bits}bit`, `${bits} bits per element`, (dim) => (dim * bits) / 8);
}

function float(id: string, bytes: number): KvDtype {
  return { id, name: id, quantised: false, stateBytes: bytes, vectorBytes: (dim) => dim * bytes };
}

function quantised(id: string, name: string, vectorBytes: (dim: number) => number): KvDtype {
  return { id, name, quantised: true, stateBytes: 2, vectorBytes };
}

function ggml(id: string, blockBytes: number): KvDtype {
  return quantised(id, id, (dim) => Math.ceil(dim / GGML_BLOCK) * blockBytes);
}
