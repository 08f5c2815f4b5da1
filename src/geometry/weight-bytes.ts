/** Bytes of one weight under a quantisation_config, and of all weights from a count of parameters. */
import { elementTypeOf, isObject, type Config } from './fields';
import { decoderPart } from './nested';

/** Why there is no one number for all weights; the sizes in the safetensors index must then be summed. */
export type WeightGap =
  /** The method quantises the experts alone; the rest keeps its type. */
  | 'weights-experts-only'
  /** Parts of the model have different types. */
  | 'weights-mixed'
  | 'weights-unknown-method';

export interface WeightType {
  /** Bytes of one quantised weight with its share of scales and zero points; null when it is not one number for all. */
  bytesPerWeight: number | null;
  /** How the weights are stored, such as `nvfp4` or `int4, groups of 128`. */
  name: string;
  /**
   * True where only the linear layers are stored so; embeddings, norms and what the config excludes keep the model's type,
   * and parameters x bytesPerWeight is then less than the truth.
   */
  linearOnly: boolean;
  gap: { code: WeightGap; params: Record<string, string | number> } | null;
}

/** Float types of weights by torch's names. */
const FLOATS: Record<string, number> = {
  float64: 8,
  float32: 4,
  fp32: 4,
  bfloat16: 2,
  bf16: 2,
  float16: 2,
  fp16: 2,
  float8_e4m3fn: 1,
  float8_e5m2: 1,
};

/** Bits of a scale (and of a bias or zero point kept as a float): float16 or bfloat16. */
const SCALE_BITS = 16;

/**
 * How a config.json's weights are stored. Without a quantisation, its element type; bfloat16 where it names none.
 * @param config The parsed config.json, nested text configs included.
 */
export function weightType(config: unknown): WeightType {
  if (!isObject(config)) return unknownMethod('?');
  const inner = safeDecoder(config);
  const quantisation = [config, inner]
    .flatMap((part) => [part['quantization_config'], part['quantization'], part['compression_config']])
    .find(isObject);
  if (quantisation) return quantised(quantisation);
  const name = elementTypeOf(inner, config)?.replace(/^torch\./, '') ?? 'bfloat16';
  const bytes = FLOATS[name];
  return bytes === undefined ? unknownMethod(name) : known(bytes, name, false);
}

/**
 * Bytes of all weights: parameters x bytes of one, rounded up.
 * @throws RangeError when the product is no exact integer (above 2^53).
 */
export function weightBytes(parameters: number, bytesPerWeight: number): number {
  const bytes = Math.ceil(parameters * bytesPerWeight);
  if (!Number.isSafeInteger(bytes) || bytes < 0)
    throw new RangeError('the weights would take more than 2^53 bytes');
  return bytes;
}

/** By the methods' own storage: transformers utils/quantization_config.py, and the packers that each comment names. */
function quantised(config: Config): WeightType {
  const method = typeof config['quant_method'] === 'string' ? config['quant_method'].toLowerCase() : null;
  const bits = numberOf(config, 'bits', 'w_bit', 'num_bits');
  const group = numberOf(config, 'group_size', 'q_group_size');
  switch (method) {
    case 'modelopt':
    case 'modelopt_fp4':
      return modelopt(config);
    case 'compressed-tensors':
    case 'compressed_tensors':
      return compressedTensors(config);
    case 'mxfp4':
      // gpt-oss: one 8-bit exponent for 32 experts' weights of 4 bits (OCP Microscaling Formats 1.0).
      return unlike('weights-experts-only', { method: 'mxfp4', bits: 4.25 });
    case 'fp8':
    case 'fbgemm_fp8':
      return fp8(config);
    case 'awq':
    case 'gptq':
      // qweight, one float16 scale and one zero point of the weights' own width per group (AutoGPTQ, AutoAWQ qlinear modules).
      return bits === null
        ? unknownMethod(method)
        : grouped(bits, group, SCALE_BITS + bits, `${method} int${bits}`);
    case 'bitsandbytes':
      return bitsAndBytes(config);
    case null:
      // MLX: affine groups, a float16 scale and bias each (mlx quantize: 64 where it is not said).
      if (bits === null) return unknownMethod('?');
      if (config['mode'] === 'mxfp4') return grouped(4, 32, 8, 'mxfp4');
      return grouped(bits, group ?? 64, 2 * SCALE_BITS, `int${bits}`);
    default:
      return unknownMethod(method);
  }
}

/** TensorRT Model Optimizer: NVFP4 has one fp8 scale for 16 weights of 4 bits, 9 bytes for 16 (aiconfigurator issue 391). */
function modelopt(config: Config): WeightType {
  const named = config['quant_algo'];
  const algorithm = typeof named === 'string' ? named.toUpperCase() : '?';
  if (algorithm === 'NVFP4') return grouped(4, numberOf(config, 'group_size') ?? 16, 8, 'nvfp4');
  if (algorithm === 'FP8') return known(1, 'fp8', true);
  return algorithm === 'MIXED_PRECISION'
    ? unlike('weights-mixed', {})
    : unknownMethod(`modelopt ${algorithm}`);
}

/** One fp8 byte a weight; with `weight_block_size` one float32 scale a block (DeepSeek-V3 README_WEIGHTS). */
function fp8(config: Config): WeightType {
  const block = config['weight_block_size'];
  if (!Array.isArray(block)) return known(1, 'fp8', true);
  const size = block.reduce<number>((product, side) => product * (typeof side === 'number' ? side : NaN), 1);
  return size > 0 ? known(1 + 4 / size, `fp8, blocks of ${block.join(' x ')}`, true) : unknownMethod('fp8');
}

/** bitsandbytes: int8 rows, or 4 bits with a float32 absmax per 64, itself in 8 bits per 256 when doubled (QLoRA, section 3). */
function bitsAndBytes(config: Config): WeightType {
  if (config['load_in_8bit'] === true || config['_load_in_8bit'] === true) return known(1, 'int8', true);
  if (config['load_in_4bit'] !== true && config['_load_in_4bit'] !== true)
    return unknownMethod('bitsandbytes');
  const doubled = config['bnb_4bit_use_double_quant'] === true;
  const bits = doubled ? 4 + 8 / 64 + 32 / (64 * 256) : 4 + 32 / 64;
  return known(bits / 8, doubled ? 'bitsandbytes 4-bit, doubled' : 'bitsandbytes 4-bit', true);
}

/** compressed-tensors: the groups' weight schemes, one number when they agree (QuantizationArgs in compressed_tensors). */
function compressedTensors(config: Config): WeightType {
  const groups = isObject(config['config_groups']) ? Object.values(config['config_groups']) : [];
  const types = groups.map((group) =>
    isObject(group) && isObject(group['weights'])
      ? scheme(group['weights'])
      : unknownMethod('compressed-tensors'),
  );
  const [first] = types;
  if (!first) return unknownMethod('compressed-tensors');
  return types.every(({ bytesPerWeight }) => bytesPerWeight === first.bytesPerWeight)
    ? first
    : unlike('weights-mixed', {});
}

function scheme(weights: Config): WeightType {
  const bits = numberOf(weights, 'num_bits');
  const group = numberOf(weights, 'group_size');
  if (bits === null) return unknownMethod('compressed-tensors');
  const float = weights['type'] === 'float';
  // Float of 4 bits: nvfp4 (groups of 16) has fp8 scales, mxfp4 (groups of 32) exponents of 8 bits.
  if (float && bits === 4 && group !== null) return grouped(4, group, 8, group === 16 ? 'nvfp4' : 'mxfp4');
  const name = `${float ? 'fp' : 'int'}${bits}`;
  const zeroPoint = weights['symmetric'] === false ? bits : 0;
  return grouped(bits, group, SCALE_BITS + zeroPoint, name);
}

/** Bits of a weight and of what its group adds, in bytes; scales of whole rows (group -1 or none) are left out. */
function grouped(bits: number, group: number | null, groupBits: number, name: string): WeightType {
  if (group === null || group < 1) return known(bits / 8, name, true);
  return known((bits + groupBits / group) / 8, `${name}, groups of ${group}`, true);
}

function known(bytesPerWeight: number, name: string, linearOnly: boolean): WeightType {
  return { bytesPerWeight, name, linearOnly, gap: null };
}

function unlike(code: WeightGap, params: Record<string, string | number>): WeightType {
  return {
    bytesPerWeight: null,
    name: String(params['method'] ?? ''),
    linearOnly: true,
    gap: { code, params },
  };
}

function unknownMethod(method: string): WeightType {
  return unlike('weights-unknown-method', { method: method.slice(0, 60) });
}

/** The first of the names that holds a finite number; null when none does. */
function numberOf(config: Config, ...names: string[]): number | null {
  const value = names
    .map((name) => config[name])
    .find((found) => typeof found === 'number' && Number.isFinite(found));
  return typeof value === 'number' ? value : null;
}

/** The text part, or the whole config when its nesting is damaged. */
function safeDecoder(config: Config): Config {
  try {
    return decoderPart(config);
  } catch {
    return config;
  }
}
