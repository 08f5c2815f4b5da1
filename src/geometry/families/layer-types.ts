/** What families with several kinds of layers share: their lists of layer types, their shape, their states' element type. */
import { FIELDS, type FieldSpec } from '../fields';
import type { LayerCache } from '../geometry';
import { showValue } from '../geometry-error';
import { readKvHeads } from '../kv-heads';
import type { ConfigReader } from '../reader';
import { perHead, readHeadDim, type Shape } from '../shape';
import type { Body } from './family';

/** Values that the model's class has when config.json leaves them out. */
export interface ShapeDefaults {
  attentionHeads?: number;
  kvHeads?: number;
  headDim?: number;
  hiddenSize?: number;
}

/**
 * The shape, with the class's values (noted as assumptions) for what is left out; the number of layers must be given.
 * @throws GeometryError config-missing-field, config-bad-field.
 */
export function readShapeOr(reader: ConfigReader, defaults: ShapeDefaults, layers?: number): Shape {
  const ofLayers = layers ?? reader.required(FIELDS.layers);
  const attentionHeads = countOr(reader, FIELDS.attentionHeads, defaults.attentionHeads);
  const given = readHeadDim(reader);
  const hiddenSize = reader.count(FIELDS.hiddenSize);
  const kvNamed = FIELDS.kvHeads.names.some((name) => reader.has(name));
  const kvHeads =
    kvNamed || defaults.kvHeads === undefined
      ? readKvHeads(reader, attentionHeads)
      : reader.assume(FIELDS.kvHeads, Math.min(defaults.kvHeads, attentionHeads));
  const headDim =
    given ??
    (defaults.headDim === undefined
      ? perHead(reader, hiddenSize ?? countOr(reader, FIELDS.hiddenSize, defaults.hiddenSize), attentionHeads)
      : reader.assume(FIELDS.headDim, defaults.headDim));
  return {
    layers: ofLayers,
    attentionHeads,
    kvHeads,
    headDim,
    hiddenSize: hiddenSize ?? defaults.hiddenSize ?? attentionHeads * headDim,
  };
}

/** A count, else the class's value, else an error that names the field. */
export function countOr(reader: ConfigReader, field: FieldSpec | string, classDefault?: number): number {
  return classDefault === undefined ? reader.required(field) : reader.countOr(field, classDefault);
}

/**
 * The layers' types under the first of the names that config.json has, translated by the table; null when it has none.
 * @throws GeometryError naming the first entry that the family does not have.
 */
export function readLayerTypes<T>(
  reader: ConfigReader,
  layers: number | null,
  table: Readonly<Record<string, T>>,
  names: readonly string[] = ['layer_types', 'layers_block_type'],
): T[] | null {
  const name = names.find((candidate) => reader.has(candidate));
  if (name === undefined) return null;
  const list = reader.list(name, layers) ?? [];
  return list.map((type, index) => {
    const key = typeof type === 'number' ? String(type) : type;
    if (typeof key === 'string' && Object.hasOwn(table, key)) return table[key] as T;
    throw reader.bad(`${name}[${index}]`, `one of ${Object.keys(table).join(', ')}`, showValue(type));
  });
}

/** Bytes of an element of the states where config.json fixes their type; undefined where they have the cache's. */
export function readStateBytes(reader: ConfigReader, classDefault?: string): number | undefined {
  const given = reader.text('mamba_ssm_dtype') ?? reader.text('mamba_ssm_cache_dtype');
  const type = given ?? (classDefault && reader.assume('mamba_ssm_cache_dtype', classDefault));
  return type === undefined ? undefined : TYPE_BYTES[type.replace(/^torch\./, '')];
}

const TYPE_BYTES: Partial<Record<string, number>> = { float32: 4, float16: 2, bfloat16: 2 };

/** The body of a model: KV heads and head dim are those of its first entry with keys, 0 when none has. */
export function bodyOf(
  shape: Pick<Shape, 'layers' | 'attentionHeads' | 'hiddenSize'>,
  caches: LayerCache[],
): Body {
  const keys = caches.find((cache) => cache.kvHeads > 0 && cache.kind !== 'indexer');
  return {
    layers: shape.layers,
    attentionHeads: shape.attentionHeads,
    hiddenSize: shape.hiddenSize,
    kvHeads: keys?.kvHeads ?? 0,
    headDim: keys?.keyDim ?? 0,
    caches,
  };
}

/** 0, 1, … layers - 1. */
export function layerIndexes(layers: number): number[] {
  return Array.from({ length: layers }, (_, layer) => layer);
}
