/** From a config.json to a geometry, or to an error that names the field. */
import { withEncoderTokens } from './encoder-tokens';
import { familyOf } from './families';
import { readDecoder } from './families/attention';
import { readUnknownSeq2Seq } from './families/encoder-decoder';
import type { Body } from './families/family';
import { readLatent } from './families/latent';
import { isNotLatent } from './families/latent-shape';
import { noteUnknown, refuseWithoutCache } from './families/unknown';
import { elementTypeOf, FIELDS, isObject } from './fields';
import type { Geometry } from './geometry';
import { GeometryError } from './geometry-error';
import { textPart } from './nested';
import { ConfigReader } from './reader';

export interface ReadOptions {
  /** Length of the encoder's output, where a model has an encoder: what a person or the CLI says instead of the longest. */
  encoderTokens?: number | undefined;
}

/**
 * Reads the geometry of a model from a parsed config.json (nested text configs included). A model_type that is not known
 * is read as keys and values of every token in every layer, and `assumed` says so and which fields were left unread.
 * @throws GeometryError naming the field that is missing or impossible, or that tells of no cache at all.
 */
export function readGeometry(config: unknown, options: ReadOptions = {}): Geometry {
  if (!isObject(config)) throw new GeometryError('config-not-object', { found: describe(config) });
  const { part, nested, byArchitecture } = textPart(config, (type) => familyOf(type) !== null);
  const reader = new ConfigReader(part, nested ? config : part);
  refuseWithoutCache(config, part);
  if (byArchitecture) reader.assume('model_type', reader.modelType, 'by-architecture');
  const family = familyOf(reader.modelType);
  const body = family ? family.read(reader) : readUnknown(reader);
  const geometry: Geometry = {
    modelType: reader.modelType,
    ...body,
    maxPositions: reader.count(FIELDS.maxPositions),
    assumed: reader.assumed,
    fields: reader.fields,
    dtype: elementTypeOf(part, config)?.slice(0, 40) ?? null,
  };
  return options.encoderTokens === undefined ? geometry : withEncoderTokens(geometry, options.encoderTokens);
}

/** False when the geometry rests on a guess: a family that is not known, or fields that were not read. */
export function isCertain({ assumed = [] }: Geometry): boolean {
  return !assumed.some(({ code }) => code === 'unknown-family' || code === 'unread-field');
}

/** Multi-head latent attention names its four widths alike in every family that has it (DeepSeek, Kimi, GLM, LongCat). */
function isLatent(reader: ConfigReader): boolean {
  const widths = ['kv_lora_rank', 'qk_rope_head_dim', 'qk_nope_head_dim', 'v_head_dim'];
  return widths.every((name) => reader.has(name)) && !isNotLatent(reader);
}

/** The standard fields as they stand; fields that may mean another cache are noted. */
function readUnknown(reader: ConfigReader): Body {
  reader.assume('model_type', reader.modelType, 'unknown-family');
  const body =
    reader.flag('is_encoder_decoder') === true
      ? readUnknownSeq2Seq(reader)
      : isLatent(reader)
        ? readLatent(reader, null)
        : readDecoder(reader, { blind: true });
  noteUnknown(reader);
  return body;
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return value === undefined ? 'nothing' : `a ${typeof value}`;
}
