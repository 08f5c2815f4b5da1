/** Recognises configs whose cache is not full keys and values in every layer, so that none is counted as if it were. */
import { FIELDS, modelTypeOf, readCount, readFlag } from '../fields';
import type { Config } from '../fields';
import { GeometryError, showValue } from '../geometry-error';

/** Fields that change what a layer stores whatever its layer type: latent, indexed, compressed, shared, cross, per layer. */
const CACHE_FIELDS = [
  'is_encoder_decoder',
  'add_cross_attention',
  'cross_attention_layers',
  'kv_lora_rank',
  'index_topk',
  'compress_ratios',
  'attention_chunk_size',
  'num_kv_shared_layers',
  'use_cla',
  'global_head_dim',
  'num_global_key_value_heads',
  'block_configs',
  'num_query_heads',
  'num_key_value_heads_per_layer',
  'attention_window_size',
  'attention_window',
  'local_attention_window',
];

/** Fields of models in which some layers keep a state instead of keys and values, or slide; `layer_types` overrules them. */
const HYBRID_FIELDS = [
  'layers_block_type',
  'hybrid_override_pattern',
  'hybrid_layer_pattern',
  'hybrid_layer_ids',
  'attn_type_list',
  'attn_layer_period',
  'attn_layer_indices',
  'full_attn_idxs',
  'global_attn_every_n_layers',
  'linear_attn_config',
  'linear_num_value_heads',
  'block_types',
  'conv_L_cache',
  'mamba_d_state',
  'mamba_num_heads',
  'ssm_state_size',
  'ssm_cfg',
  'state_size',
  'attn_layer_idxs',
  'hyena_layer_idxs',
  'hcl_layer_idxs',
  'attn_layers',
  'linear_attention_layers',
];

/** Families whose class defaults make them hybrid or sliding even when config.json has none of the fields above. */
const HYBRID_TYPES =
  /^(falcon_)?mamba\d?$|^(rwkv|lfm2|qwen3_5|qwen3_next|gemma[234]|gemma3n|llama4|zamba)|^(recurrent_gemma|jamba|bamba|falcon_h1|nemotron_h|granitemoehybrid|kimi_linear|minimax|minimax_text_01|olmo_hybrid|olmo3|xlstm|plamo2|cohere2|gpt_oss|stripedhyena|evo2|reformer|transfo-xl|xlnet|longformer|led|longt5|bigbird_pegasus|big_bird)$/;

/** Families that keep no cache of their own past: encoders, and decoders that attend to an encoder. */
const NOT_DECODERS =
  /bert|^electra$|^deberta|^mpnet$|^(vit|clip|siglip|dino|deit|beit|swin|wav2vec2|data2vec|sew|unispeech|wavlm|luke|funnel|perceiver)|^openai-gpt$|^(u?m?t5|m?bart|mvp|pegasus|pegasus_x|marian|m2m_100|nllb|whisper|blenderbot|blenderbot-small|prophetnet|fsmt|speech_to_text|switch_transformers)$/;

/** Qwen2 and Qwen3 read `sliding_window` only when `use_sliding_window` is true; it is false unless given. */
const SLIDES_ONLY_WHEN_ASKED = /^qwen[23]/;

/** Words of `layer_types` that mean full keys and values (Granite writes "attention"). */
const FULL_LAYER_TYPES: readonly unknown[] = ['full_attention', 'attention'];

/**
 * Refuses what is not a full-attention decoder.
 * @param outer the whole config.json, @param decoder its text part (the same object when nothing is nested).
 * @throws GeometryError config-unknown-family naming the model_type and the field that tells.
 */
export function refuseOtherFamilies(outer: Config, decoder: Config): void {
  for (const config of new Set([outer, decoder])) {
    const field =
      notADecoder(config) ?? CACHE_FIELDS.find((name) => isSet(config[name])) ?? sharedLayers(config);
    if (field !== null)
      throw new GeometryError('config-unknown-family', { modelType: modelTypeOf(config), field });
  }
  const field = valueWidth(decoder) ?? latentByDefault(decoder) ?? otherLayers(decoder);
  if (field !== null)
    throw new GeometryError('config-unknown-family', { modelType: modelTypeOf(decoder), field });
}

/** Null, false, 0 and an empty list switch a feature off. */
function isSet(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

function notADecoder(config: Config): string | null {
  if (readFlag(config, 'is_decoder') === true) return null;
  if (NOT_DECODERS.test(modelTypeOf(config))) return 'model_type';
  const architectures = config['architectures'];
  const masked =
    Array.isArray(architectures) && architectures.some((name) => String(name).endsWith('ForMaskedLM'));
  return masked ? 'architectures' : null;
}

/** Cross-layer attention: several layers share one cache (tencent/Hunyuan-Large has a factor of 2). */
function sharedLayers(config: Config): string | null {
  return (readCount(config, { names: ['cla_share_factor'], max: 10_000 }) ?? 1) > 1
    ? 'cla_share_factor'
    : null;
}

/** Values narrower than keys (MiMo-V2: 128 and 192). */
function valueWidth(config: Config): string | null {
  const value = config['v_head_dim'];
  return isSet(value) && value !== config['head_dim'] ? 'v_head_dim' : null;
}

/** DeepSeek V2 and later keep a latent unless `kv_lora_rank` is null on purpose. */
function latentByDefault(config: Config): string | null {
  return /^deepseek_v[2-9]/.test(modelTypeOf(config)) && config['kv_lora_rank'] === undefined
    ? 'model_type'
    : null;
}

function otherLayers(config: Config): string | null {
  const types = config['layer_types'];
  if (types !== undefined && types !== null) return checkLayerTypes(config, types);
  if (HYBRID_TYPES.test(modelTypeOf(config))) return 'model_type';
  const interval = readCount(config, { names: ['full_attention_interval'], max: 10_000 });
  if (interval !== null && interval > 1) return 'full_attention_interval';
  return HYBRID_FIELDS.find((name) => isSet(config[name])) ?? (slides(config) ? 'sliding_window' : null);
}

function checkLayerTypes(config: Config, types: unknown): string | null {
  const layers = readCount(config, FIELDS.layers);
  if (!Array.isArray(types) || (layers !== null && types.length !== layers)) {
    throw new GeometryError('config-bad-field', {
      field: 'layer_types',
      value: Array.isArray(types) ? `a list of ${types.length}` : showValue(types),
      expected: `a list with one entry for each of the ${layers ?? ''} layers`,
    });
  }
  return types.every((type) => FULL_LAYER_TYPES.includes(type)) ? null : 'layer_types';
}

/** True when a window really cuts the cache: switched on, shorter than the model's own length, and some layers use it. */
function slides(config: Config): boolean {
  const asked = readFlag(config, 'use_sliding_window');
  if (asked === false || (asked === null && SLIDES_ONLY_WHEN_ASKED.test(modelTypeOf(config)))) return false;
  const window = readCount(config, { names: ['sliding_window'], max: 2 ** 40 });
  if (window === null || window >= (readCount(config, FIELDS.maxPositions) ?? Infinity)) return false;
  const firstSliding = asked === true ? config['max_window_layers'] : undefined;
  return !(
    typeof firstSliding === 'number' && firstSliding >= (readCount(config, FIELDS.layers) ?? Infinity)
  );
}
