/** From a config.json to a geometry, or to an error that names the field. */
import { decoderPart, refuseOtherFamilies } from './families';
import { FIELDS, isObject, modelTypeOf, readCount } from './fields';
import type { Config } from './fields';
import { fullAttentionCaches } from './full-attention';
import type { Geometry } from './geometry';
import { GeometryError } from './geometry-error';
import { readKvHeads } from './kv-heads';

/**
 * Reads the geometry of a full-attention decoder from a parsed config.json (nested text configs included).
 * @throws GeometryError naming the field that is missing, impossible, or tells of another kind of cache.
 */
export function readGeometry(config: unknown): Geometry {
  if (!isObject(config)) throw new GeometryError('config-not-object', { found: describe(config) });
  const decoder = decoderPart(config);
  refuseOtherFamilies(config, decoder);
  const { layers, attentionHeads, hiddenSize, headDim } = readShape(decoder);
  const kvHeads = readKvHeads(decoder, attentionHeads);
  return {
    modelType: modelTypeOf(decoder),
    layers,
    attentionHeads,
    kvHeads,
    headDim,
    hiddenSize,
    maxPositions: readCount(decoder, FIELDS.maxPositions),
    caches: fullAttentionCaches(layers, kvHeads, headDim),
  };
}

/** @throws GeometryError config-missing-field with all missing names at once. */
function readShape(config: Config): Pick<Geometry, 'layers' | 'attentionHeads' | 'hiddenSize' | 'headDim'> {
  const layers = readCount(config, FIELDS.layers);
  const attentionHeads = readCount(config, FIELDS.attentionHeads);
  const hiddenSize = readCount(config, FIELDS.hiddenSize);
  const headDim = readHeadDim(config);
  const missing = [
    ...(layers === null ? [FIELDS.layers.names[0]] : []),
    ...(attentionHeads === null ? [FIELDS.attentionHeads.names[0]] : []),
    ...(hiddenSize === null && headDim === null ? [FIELDS.hiddenSize.names[0]] : []),
  ];
  if (layers === null || attentionHeads === null || missing.length > 0) {
    throw new GeometryError('config-missing-field', { field: missing.join('”, “') });
  }
  if (headDim !== null) {
    return { layers, attentionHeads, headDim, hiddenSize: hiddenSize ?? attentionHeads * headDim };
  }
  const width = hiddenSize ?? 0;
  if (width % attentionHeads !== 0) {
    throw new GeometryError('config-bad-field', {
      field: nameOf(config, FIELDS.hiddenSize.names),
      value: String(width),
      expected: `a multiple of ${nameOf(config, FIELDS.attentionHeads.names)} (${attentionHeads}) where head_dim is not given`,
    });
  }
  return { layers, attentionHeads, hiddenSize: width, headDim: width / attentionHeads };
}

/** The given head dim. Configs in the wild hold null and 0 for "not given" (DeepseekVLV2TextConfig writes 0). */
function readHeadDim(config: Config): number | null {
  const given = FIELDS.headDim.names.filter((name) => config[name] !== 0);
  const [first, ...rest] = given;
  return first === undefined ? null : readCount(config, { names: [first, ...rest], max: FIELDS.headDim.max });
}

function nameOf(config: Config, names: readonly [string, ...string[]]): string {
  return names.find((name) => typeof config[name] === 'number') ?? names[0];
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return value === undefined ? 'nothing' : `a ${typeof value}`;
}
