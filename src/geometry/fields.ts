/** Reads one field of a config.json under all of its names, and refuses by name what cannot be a count. */
import { GeometryError, showValue } from './geometry-error';

export type Config = Record<string, unknown>;

/** A field: its names, the usual one first, and the largest value that is not absurd. */
export interface FieldSpec {
  names: readonly [string, ...string[]];
  max: number;
}

/**
 * Names by family: Llama and most others first; n_* of GPT-2, GPT-J, BLOOM and CodeGen; d_model of MPT, DBRX and XGLM;
 * num_heads and num_layers of GPT-Neo and EXAONE; kv_channels of Qwen 1 and ChatGLM; attention_head_dim of Hunyuan and Zamba;
 * model_dim and num_transformer_layers of OpenELM (their public config.json files); dim of Llama's and Mistral's params.json.
 * The limits are an order of magnitude above any model that exists.
 */
export const FIELDS = {
  layers: {
    names: ['num_hidden_layers', 'n_layer', 'num_layers', 'n_layers', 'num_transformer_layers'],
    max: 10_000,
  },
  attentionHeads: {
    names: ['num_attention_heads', 'n_head', 'num_heads', 'n_heads', 'attention_heads'],
    max: 65_536,
  },
  // num_attention_groups: Step3; n_kv_heads: Meta's and Mistral's params.json; num_query_groups: CodeShell and Megatron.
  kvHeads: {
    names: [
      'num_key_value_heads',
      'num_kv_heads',
      'n_head_kv',
      'num_attention_groups',
      'n_kv_heads',
      'num_query_groups',
    ],
    max: 65_536,
  },
  headDim: { names: ['head_dim', 'kv_channels', 'attention_head_dim'], max: 65_536 },
  hiddenSize: { names: ['hidden_size', 'n_embd', 'd_model', 'n_embed', 'model_dim', 'dim'], max: 2 ** 24 },
  maxPositions: {
    names: [
      'max_position_embeddings',
      'n_positions',
      'n_ctx',
      'max_seq_len',
      'seq_length',
      'max_context_length',
      'max_target_positions',
    ],
    max: 2 ** 40,
  },
} as const satisfies Record<string, FieldSpec>;

/** True for a JSON object: not null, not a list. */
export function isObject(value: unknown): value is Config {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The whole number of a field, under the first of its names that holds one; null when all are missing or null.
 * @throws GeometryError config-bad-field for zero, negative, fractional, absurd or non-numeric values.
 */
export function readCount(config: Config, spec: FieldSpec): number | null {
  const name = spec.names.find((candidate) => config[candidate] !== undefined && config[candidate] !== null);
  return name === undefined ? null : checkCount(config, name, spec.max);
}

function checkCount(config: Config, name: string, max: number): number {
  const value = config[name];
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > max) {
    const expected = `a whole number from 1 to ${max.toLocaleString('en-US')}`;
    throw new GeometryError('config-bad-field', { field: name, value: showValue(value), expected });
  }
  return value;
}

/** A switch; null when missing or null. @throws GeometryError config-bad-field for anything but true and false. */
export function readFlag(config: Config, name: string): boolean | null {
  const value = config[name];
  if (value === undefined || value === null) return null;
  if (typeof value !== 'boolean') {
    throw new GeometryError('config-bad-field', {
      field: name,
      value: showValue(value),
      expected: 'true or false',
    });
  }
  return value;
}

/** The config's model_type, or "unknown" when it has none. @throws GeometryError config-bad-field when it is no text. */
export function modelTypeOf(config: Config): string {
  const value = config['model_type'];
  if (value === undefined || value === null) return 'unknown';
  if (typeof value !== 'string') {
    throw new GeometryError('config-bad-field', {
      field: 'model_type',
      value: showValue(value),
      expected: 'text',
    });
  }
  return value.slice(0, 60);
}

/** The element type that config.json names, in the text part or at the top level; null when neither does. */
export function elementTypeOf(part: Config, outer: Config): string | null {
  const named = [part['dtype'], part['torch_dtype'], outer['dtype'], outer['torch_dtype']];
  return named.find((value) => typeof value === 'string') ?? null;
}
