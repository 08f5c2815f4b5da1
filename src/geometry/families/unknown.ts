/** Recognises what is not known: encoders, which keep no cache; families of other caches; fields that no reader has read. */
import { readFlag, type Config } from '../fields';
import { GeometryError, showValue } from '../geometry-error';
import type { ConfigReader } from '../reader';

/** Fields of public configs that change what a layer stores; a reader that does not read one says so. */
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
  'attention_window_size',
  'attention_window',
  'local_attention_window',
  'interleaved_sliding_window',
  'layers_block_type',
  'hybrid_override_pattern',
  'hybrid_layer_pattern',
  'hybrid_layer_ids',
  'attn_type_list',
  'attn_layer_period',
  'attn_layer_indices',
  'full_attn_idxs',
  'full_attention_interval',
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
  'total_ut_steps',
  'mean_recurrence',
];

/** What such fields are called in families that nobody has seen yet. */
const SMELL =
  /kv_?heads?|query_(group|head)|window|sliding|chunk|lora_rank|mamba|ssm|conv|recurr|linear_attn|linear_attention|layer_types|pattern|shared|cross|loop/i;

/** Names that smell so and mean something else: experts, weights, losses, conversations. */
const HARMLESS =
  /^[qo]_lora_rank$|expert|entropy|conversation|^mlp_|moe|embed|rope|use_sliding_window|loss|weight|norm/i;

/** Encoders, by the model_types of transformers' encoder classes; as decoders (`is_decoder`) they are read. */
const ENCODERS =
  /bert(-v2|_v2)?$|^(big_bird|canine|data2vec.*|deberta.*|distilbert|electra|ernie|ernie_m|esm|flaubert|funnel|fnet|ibert|layoutlm.*|lilt|longformer|luke|markuplm|mega|mpnet|mra|nezha|nystromformer|openai-gpt|perceiver|rembert|roberta.*|roc_bert|roformer|splinter|squeezebert|tapas|visual_bert|xlm|xlm-roberta.*|xmod|yoso|nomic_bert|gte|new|eurobert)$|^(vit|clip|siglip|dino|deit|beit|swin|wav2vec2|hubert|sew|unispeech|wavlm|convnext|resnet|sam\d?$|owl|align|altclip|chinese_clip|groupvit|metaclip|videomae|vivit|timesformer|segformer|timm_|audio-spectrogram)/;

/** Families that keep something else than this version reads: memories, hashes, other convolutions. */
const OTHER_CACHES = /^(reformer|transfo-xl|xlnet|stripedhyena|evo2|blt)$/;

/**
 * @param outer the whole config.json, @param decoder its text part (the same object when nothing is nested).
 * @throws GeometryError config-no-cache for an encoder, config-unknown-family for a cache of another kind.
 */
export function refuseWithoutCache(outer: Config, decoder: Config): void {
  for (const config of new Set([outer, decoder])) {
    if (OTHER_CACHES.test(typeOf(config))) {
      throw new GeometryError('config-unknown-family', { modelType: typeOf(config), field: 'model_type' });
    }
    const field = encoderBy(config);
    if (field !== null) throw new GeometryError('config-no-cache', { modelType: typeOf(config), field });
  }
}

/** The field by which a config is an encoder's; null when it is none. */
function encoderBy(config: Config): string | null {
  if (readFlag(config, 'is_decoder') === true) return null;
  if (ENCODERS.test(typeOf(config))) return 'model_type';
  // EmbeddingGemma: a decoder's class that sees in both directions. Gemma 4 writes "vision" here and stays a decoder.
  if (config['use_bidirectional_attention'] === true) return 'use_bidirectional_attention';
  const architectures = config['architectures'];
  const masked =
    Array.isArray(architectures) &&
    architectures.length > 0 &&
    architectures.every((name) => typeof name === 'string' && name.endsWith('ForMaskedLM'));
  return masked ? 'architectures' : null;
}

function typeOf(config: Config): string {
  const type = config['model_type'];
  return typeof type === 'string' ? type.slice(0, 60) : 'unknown';
}

/** Notes every field that may change the cache and that the reader of a known family has not read. */
export function noteUnread(reader: ConfigReader, harmless: readonly string[] = []): void {
  noteFields(
    reader,
    CACHE_FIELDS.filter((name) => !harmless.includes(name)),
  );
}

/** The same for a family that is not known, by names that only look so too. */
export function noteUnknown(reader: ConfigReader): void {
  const off = reader.config['use_sliding_window'] === false;
  const suspicious = Object.keys(reader.config).filter(
    (name) => SMELL.test(name) && !HARMLESS.test(name) && !(off && /window/.test(name)),
  );
  noteFields(reader, [...new Set([...CACHE_FIELDS, ...suspicious])].slice(0, 100));
}

function noteFields(reader: ConfigReader, names: readonly string[]): void {
  const read = new Set(reader.fields.map(({ name }) => name));
  for (const name of names) {
    const value = reader.config[name];
    if (!read.has(name) && isSet(name, value, reader.config)) {
      reader.assume(name, shown(value), 'unread-field');
    }
  }
}

/** Null, false, 0 and what is empty switch a feature off; so do a factor and an interval of one. */
function isSet(name: string, value: unknown, config: Config): boolean {
  if (name.startsWith('cla_') && config['use_cla'] !== true) return false;
  // MiniMax-M2: 1 is a layer that keeps every token's keys and values, which is how it was read.
  if (name === 'attn_type_list' && Array.isArray(value) && value.every((type) => type === 1)) return false;
  if (value === 1) return !/interval|factor|every/.test(name);
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

function shown(value: unknown): string | number | boolean {
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  return (typeof value === 'string' ? value : showValue(value)).slice(0, 60);
}
