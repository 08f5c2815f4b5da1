/** From a config.json to a geometry, or to an error that names the field. */
import { familyOf } from './families';
import { readFullAttention } from './families/attention';
import { refuseOtherFamilies } from './families/unknown';
import { FIELDS, isObject } from './fields';
import type { Geometry } from './geometry';
import { GeometryError } from './geometry-error';
import { decoderPart } from './nested';
import { ConfigReader } from './reader';

/**
 * Reads the geometry of a model from a parsed config.json (nested text configs included).
 * @throws GeometryError naming the field that is missing, impossible, or tells of another kind of cache.
 */
export function readGeometry(config: unknown): Geometry {
  if (!isObject(config)) throw new GeometryError('config-not-object', { found: describe(config) });
  const reader = new ConfigReader(decoderPart(config), config);
  const family = familyOf(reader.modelType);
  if (!family) refuseOtherFamilies(config, reader.config);
  const body = family ? family.read(reader) : readFullAttention(reader);
  return {
    modelType: reader.modelType,
    ...body,
    maxPositions: reader.count(FIELDS.maxPositions),
    assumed: reader.assumed,
    fields: reader.fields,
    dtype: dtypeOf(reader),
  };
}

/** The element type that config.json gives, at the top level or in the text part. */
function dtypeOf({ config, outer }: ConfigReader): string | null {
  const found = [config['dtype'], config['torch_dtype'], outer['dtype'], outer['torch_dtype']].find(
    (value) => typeof value === 'string',
  );
  return typeof found === 'string' ? found.slice(0, 40) : null;
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return value === undefined ? 'nothing' : `a ${typeof value}`;
}
