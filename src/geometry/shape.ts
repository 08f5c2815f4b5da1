/** The numbers that every model with attention has: layers, heads, widths, under all their names. */
import { FIELDS } from './fields';
import { GeometryError } from './geometry-error';
import { readKvHeads } from './kv-heads';
import type { ConfigReader } from './reader';

export interface Shape {
  layers: number;
  attentionHeads: number;
  kvHeads: number;
  headDim: number;
  hiddenSize: number;
}

/**
 * Layers, attention heads, KV heads, head dim and width. Head dim is the given one, else hidden size / attention heads.
 * @throws GeometryError config-missing-field with all missing names at once, config-bad-field.
 */
export function readShape(reader: ConfigReader): Shape {
  const layers = reader.count(FIELDS.layers);
  const attentionHeads = reader.count(FIELDS.attentionHeads);
  const hiddenSize = reader.count(FIELDS.hiddenSize);
  const headDim = readHeadDim(reader);
  const missing = [
    ...(layers === null ? [FIELDS.layers.names[0]] : []),
    ...(attentionHeads === null ? [FIELDS.attentionHeads.names[0]] : []),
    ...(hiddenSize === null && headDim === null ? [FIELDS.hiddenSize.names[0]] : []),
  ];
  if (layers === null || attentionHeads === null || missing.length > 0) throw reader.missing(...missing);
  const kvHeads = readKvHeads(reader, attentionHeads);
  if (headDim !== null) {
    return { layers, attentionHeads, kvHeads, headDim, hiddenSize: hiddenSize ?? attentionHeads * headDim };
  }
  const width = hiddenSize ?? 0;
  if (width % attentionHeads !== 0) {
    throw new GeometryError('config-bad-field', {
      field: reader.nameOf(FIELDS.hiddenSize),
      value: String(width),
      expected: `a multiple of ${reader.nameOf(FIELDS.attentionHeads)} (${attentionHeads}) where head_dim is not given`,
    });
  }
  return { layers, attentionHeads, kvHeads, hiddenSize: width, headDim: width / attentionHeads };
}

/** The given head dim. Configs in the wild hold null and 0 for "not given" (DeepseekVLV2TextConfig writes 0). */
export function readHeadDim(reader: ConfigReader): number | null {
  const given = FIELDS.headDim.names.filter((name) => reader.config[name] !== 0);
  const [first, ...rest] = given;
  return first === undefined ? null : reader.count({ names: [first, ...rest], max: FIELDS.headDim.max });
}
