/** `kvlab bytes`: config text and arguments in, the numbers and their reasons out. Pure. */
import type { BytesArguments } from './arguments';
import { parseConfigText } from '../geometry/config-text';
import { engineBytes, type EngineBytes } from '../geometry/engines';
import { kvDtype, type KvDtype } from '../geometry/engines/kv-dtype';
import type { Assumption, AssumptionCode, Geometry } from '../geometry/geometry';
import { readGeometry } from '../geometry/read-config';

/** A value that config.json did not give. */
export interface Assumed {
  field: string;
  value: string | number | boolean;
  reason: string;
}

export interface BytesAnswer {
  geometry: Geometry;
  dtype: KvDtype;
  size: EngineBytes;
  assumed: Assumed[];
}

const REASONS: Record<AssumptionCode, string> = {
  'class-default': 'config.json leaves it out; this is the default of its class',
  'unknown-family':
    'this model_type is not known; it was read as a cache of every token in every layer, by the fields’ usual meaning',
  'by-architecture': 'the config’s own model_type is not known; it was read by its architectures',
  'unread-field': 'this field may change the cache, and was not read for this model_type',
  'as-attention-heads':
    'config.json leaves it out; read as multi-head attention, one KV head for each attention head',
  'hidden-over-heads': 'config.json leaves it out; this is the hidden size divided by the attention heads',
  'encoder-length': 'the encoder’s length is the longest that the model takes (--encoder-tokens sets it)',
  'by-hand': 'given by hand',
};

/** Float types of a cache by torch's names; weights of other types (float8) leave the cache at bf16. */
const CONFIG_DTYPES = ['float32', 'bfloat16', 'float16', 'fp32', 'bf16', 'fp16'];

/**
 * Reads the config and counts the cache's bytes.
 * @throws GeometryError naming the field; RangeError when the size is above 2^53 bytes.
 */
export function answerBytes(text: string, options: BytesArguments): BytesAnswer {
  const geometry = readGeometry(parseConfigText(text), { encoderTokens: options.encoderTokens });
  const { dtype, assumed } = cacheType(geometry, options.dtype);
  const size = engineBytes(geometry, options.engine, { ...options, dtype });
  return { geometry, dtype, size, assumed: [...(geometry.assumed ?? []).map(readable), ...assumed] };
}

function readable({ field, value, code }: Assumption): Assumed {
  return { field, value, reason: REASONS[code] };
}

/** The type asked for, else the config's float type, else bf16, which is then an assumption. */
function cacheType(geometry: Geometry, asked: KvDtype | null): { dtype: KvDtype; assumed: Assumed[] } {
  if (asked) return { dtype: asked, assumed: [] };
  const given = geometry.dtype?.replace(/^torch\./, '') ?? null;
  if (given !== null && CONFIG_DTYPES.includes(given)) return { dtype: kvDtype(given), assumed: [] };
  const reason =
    given === null
      ? 'config.json names no element type (--dtype sets it)'
      : `config.json names “${given}”, which is no type of a cache (--dtype sets it)`;
  return { dtype: kvDtype('bf16'), assumed: [{ field: 'torch_dtype', value: 'bf16', reason }] };
}
