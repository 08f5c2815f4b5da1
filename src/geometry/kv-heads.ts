/** How many heads of keys and values a layer keeps: one name for it in most configs, switches in the older ones. */
import { FIELDS, type FieldSpec } from './fields';
import type { ConfigReader } from './reader';
import { words } from './words';

/** Families whose `multi_query` is true unless the config says otherwise (transformers' FalconConfig, GPTBigCodeConfig). */
const MULTI_QUERY_BY_DEFAULT = ['falcon', 'gpt_bigcode'];

/**
 * Families whose classes know no number of KV heads, or another one than that of `FIELDS` (switches, groups, lists by layer):
 * there multi-head attention is the rule, and nothing is assumed (their configuration files in transformers, or beside
 * their weights).
 */
const MULTI_HEAD = new Set(
  words(`
  baichuan bert-generation biogpt bloom chatglm codegen cpmant ctrl deci falcon fuyu gpt-sw3 gpt2 gpt_bigcode gpt_neo gpt_neox
  gpt_neox_japanese gptj internlm jais kosmos_2_text_model mpt nemotron-nas opt persimmon phi-msft plamo qwen RefinedWeb
  RefinedWebModel telechat xglm xlm-roberta-xl xverse
`),
);

/**
 * KV heads of a full-attention decoder; the attention heads where the config names none (multi-head attention), noted as assumed.
 * Multi-query switches win over numbers: Falcon-7B writes num_kv_heads 71 and keeps 1
 * (vLLM model_arch_config_convertor.py: multi_query and not new_decoder_architecture).
 * @param classDefault What the model's class has when config.json has no such field (null on purpose means attention heads).
 * @throws GeometryError when they do not divide the attention heads.
 */
export function readKvHeads(
  reader: ConfigReader,
  attentionHeads: number,
  classDefault: number | null = null,
): number {
  if (isMultiQuery(reader)) return 1;
  const found = namedKvHeads(reader);
  if (found === null) return kvHeadsOfClass(reader, attentionHeads, classDefault);
  if (found.value > attentionHeads || attentionHeads % found.value !== 0) {
    throw reader.bad(found.name, `a divisor of the ${attentionHeads} attention heads`, String(found.value));
  }
  return found.value;
}

/**
 * KV heads of every layer where a list gives them: DeciLM's `num_key_value_heads_per_layer`, OpenELM's `num_kv_heads`.
 * @throws GeometryError config-bad-field for a list of another length or with an entry that is no count.
 */
export function readKvList(reader: ConfigReader, layers: number): number[] | null {
  const names = ['num_key_value_heads_per_layer', ...FIELDS.kvHeads.names];
  const name = names.find((candidate) => Array.isArray(reader.config[candidate]));
  return name === undefined ? null : reader.counts(name, layers);
}

/**
 * A class default that cannot go with the attention heads is none: the class itself would fail. What is taken is noted, but
 * for families that are multi-head by design.
 */
function kvHeadsOfClass(reader: ConfigReader, attentionHeads: number, classDefault: number | null): number {
  const absent = FIELDS.kvHeads.names.every((name) => reader.config[name] === undefined);
  if (classDefault !== null && absent && attentionHeads % classDefault === 0)
    return reader.assume(FIELDS.kvHeads, classDefault);
  if (MULTI_HEAD.has(reader.modelType)) return attentionHeads;
  return reader.assume(FIELDS.kvHeads, attentionHeads, 'as-attention-heads');
}

function isMultiQuery(reader: ConfigReader): boolean {
  if (reader.nested('attn_config')?.config['attn_type'] === 'multiquery_attention') return true;
  const multiQuery = reader.flag('multi_query') ?? MULTI_QUERY_BY_DEFAULT.includes(reader.modelType);
  return multiQuery && reader.flag('new_decoder_architecture') !== true;
}

function namedKvHeads(reader: ConfigReader): { name: string; value: number } | null {
  // ChatGLM (and CogVLM2, by another name): groups count only when the switch is on.
  if (reader.flag('multi_query_attention') === true)
    return named(reader, ['multi_query_group_num', 'num_multi_query_heads']);
  // MPT and DBRX nest the number.
  const attention = reader.nested('attn_config');
  return (attention && named(attention, ['kv_n_heads'])) ?? named(reader, FIELDS.kvHeads.names);
}

function named(reader: ConfigReader, names: FieldSpec['names']): { name: string; value: number } | null {
  for (const name of names) {
    const value = reader.count({ names: [name], max: FIELDS.kvHeads.max });
    if (value !== null) return { name, value };
  }
  return null;
}
