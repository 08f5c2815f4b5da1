/** Fills in what transformers.js needs of a config.json and older exports lack: the types of the layers. */
import type { GraphCacheEntry } from '../../protocol/record';
import { field } from './field';

/**
 * Families whose cache names transformers.js makes from `layer_types` alone, throwing without it
 * (4.3.2, src/configs.js, getCacheNames); LFM2's first configs had `full_attn_idxs` instead.
 */
const NEEDS_LAYER_TYPES = /^(lfm2|lfm2_moe|lfm3|qwen3_next|qwen3_5_text|qwen3_5_moe_text|olmo_hybrid)$/;

/** What a layer is by the cache input that it has. */
const TYPES: readonly [RegExp, string][] = [
  [/^past_key_values\.(\d+)\./, 'full_attention'],
  [/^past_recurrent\.(\d+)/, 'linear_attention'],
  [/^past_conv\.(\d+)/, 'conv'],
];

/**
 * The config with the layer types that the graph's cache inputs show, in its text part where it has one; null when nothing
 * is missing, or when the graph does not show the type of every layer.
 */
export function completeConfig(
  config: unknown,
  inputs: readonly GraphCacheEntry[],
): Record<string, unknown> | null {
  if (typeof config !== 'object' || config === null) return null;
  const part = field(config, 'text_config') ?? config;
  if (!NEEDS_LAYER_TYPES.test(String(field(part, 'model_type'))) || Array.isArray(field(part, 'layer_types')))
    return null;
  const types: string[] = [];
  // A linear attention layer has a convolution's state too; what is found first stands.
  for (const [pattern, type] of TYPES) {
    for (const { name } of inputs) {
      const layer = Number(pattern.exec(name)?.[1] ?? NaN);
      if (!Number.isNaN(layer)) types[layer] ??= type;
    }
  }
  if (types.length === 0 || Object.keys(types).length < types.length) return null;
  const completed = { ...part, layer_types: types };
  return part === config ? completed : { ...config, text_config: completed };
}
