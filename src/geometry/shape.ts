/** The numbers that every model with attention has: layers, heads, widths, under all their names. */
import { FIELDS } from './fields';
import { readKvHeads, readKvList } from './kv-heads';
import type { ConfigReader } from './reader';

export interface Shape {
  layers: number;
  attentionHeads: number;
  kvHeads: number;
  headDim: number;
  hiddenSize: number;
}

/** Layers, attention heads, KV heads (null: the attention heads), head dim (null: width / attention heads), width. */
export type ClassDefaults = readonly [number, number, number | null, number | null, number];

/**
 * Layers, attention heads, KV heads, head dim and width. Head dim is the given one, else the class's own, else hidden size /
 * attention heads. The class's layers, heads and width count only in a nested text config, which holds what differs from its
 * class; a whole config.json always gives them (transformers' `PretrainedConfig.to_diff_dict`).
 * @param classDefaults What the class of the model_type has when config.json leaves a field out; using it is noted.
 * @throws GeometryError config-missing-field with all missing names at once, config-bad-field.
 */
export function readShape(reader: ConfigReader, classDefaults: ClassDefaults | null = null): Shape {
  const core = reader.config === reader.outer ? null : classDefaults;
  const layers = reader.count(FIELDS.layers) ?? core?.[0] ?? null;
  const attentionHeads = readAttentionHeads(reader, layers) ?? core?.[1] ?? null;
  const hiddenSize = reader.count(FIELDS.hiddenSize) ?? core?.[4] ?? null;
  const headDim = readHeadDim(reader) ?? classHeadDim(reader, classDefaults);
  const missing = [
    ...(layers === null ? [FIELDS.layers.names[0]] : []),
    ...(attentionHeads === null ? [FIELDS.attentionHeads.names[0]] : []),
    ...(hiddenSize === null && headDim === null ? [FIELDS.hiddenSize.names[0]] : []),
  ];
  if (layers === null || attentionHeads === null || missing.length > 0) throw reader.missing(...missing);
  noteCore(reader, layers, attentionHeads, headDim === null ? hiddenSize : null);
  const kvHeads =
    readKvList(reader, layers)?.find((heads) => heads > 0) ??
    readKvHeads(reader, attentionHeads, classDefaults?.[2] ?? null);
  if (headDim !== null) {
    return { layers, attentionHeads, kvHeads, headDim, hiddenSize: hiddenSize ?? attentionHeads * headDim };
  }
  const width = hiddenSize ?? 0;
  const derived = perHead(reader, width, attentionHeads);
  if (reader.isUnknownFamily) reader.assume(FIELDS.headDim, derived, 'hidden-over-heads');
  return { layers, attentionHeads, kvHeads, hiddenSize: width, headDim: derived };
}

/**
 * Width / attention heads, where no head dim is given.
 * @throws GeometryError when the heads do not divide the width.
 */
export function perHead(reader: ConfigReader, hiddenSize: number, heads: number): number {
  if (hiddenSize % heads === 0) return hiddenSize / heads;
  throw reader.bad(
    reader.nameOf(FIELDS.hiddenSize),
    `a multiple of ${reader.nameOf(FIELDS.attentionHeads)} (${heads}) where head_dim is not given`,
    String(hiddenSize),
  );
}

/** The given head dim. Configs in the wild hold null and 0 for "not given" (DeepseekVLV2TextConfig writes 0). */
export function readHeadDim(reader: ConfigReader): number | null {
  const given = FIELDS.headDim.names.filter((name) => reader.config[name] !== 0);
  const [first, ...rest] = given;
  return first === undefined ? null : reader.count({ names: [first, ...rest], max: FIELDS.headDim.max });
}

/** The class's head dim, only where config.json has no such field at all: null and 0 switch it off. */
function classHeadDim(reader: ConfigReader, classDefaults: ClassDefaults | null): number | null {
  const value = classDefaults?.[3] ?? null;
  if (value === null || FIELDS.headDim.names.some((name) => reader.config[name] !== undefined)) return null;
  return reader.assume(FIELDS.headDim, value);
}

/** A list (one value a layer) counts as its largest, which only says how wide the queries are. */
function readAttentionHeads(reader: ConfigReader, layers: number | null): number | null {
  const name = [...FIELDS.attentionHeads.names, 'num_query_heads'].find((candidate) => reader.has(candidate));
  if (name === undefined || !Array.isArray(reader.config[name])) return reader.count(FIELDS.attentionHeads);
  return Math.max(1, ...(reader.counts(name, layers) ?? []));
}

/** Notes what was taken from the class instead of config.json. */
function noteCore(reader: ConfigReader, layers: number, heads: number, width: number | null): void {
  const taken = [
    [FIELDS.layers, layers],
    [FIELDS.attentionHeads, heads],
    [FIELDS.hiddenSize, width],
  ] as const;
  for (const [field, value] of taken) {
    const given = [...field.names, 'num_query_heads'].some((name) => reader.has(name));
    if (value !== null && !given) reader.assume(field, value);
  }
}
