/** Geometries that nobody read from a config.json: numbers typed by a person, or a published "N bytes per token". */
import { FIELDS } from './fields';
import type { Geometry, LayerCache } from './geometry';
import { noCache } from './geometry';
import { GeometryError, showValue } from './geometry-error';
import { fullCache } from './layers/full';
import { slidingCache } from './layers/sliding';

/** What a person types. Counts are whole numbers; those that may be left out have the value of the plain case. */
export interface HandEntry {
  layers: number;
  kvHeads: number;
  headDim: number;
  /** Width of a value; that of a key where absent. */
  valueDim?: number | undefined;
  /** Attention heads; the KV heads where absent (they change no cache, only the row "no GQA"). */
  attentionHeads?: number | undefined;
  /** Of the layers, how many keep a window only (the first ones); none where absent. */
  slidingLayers?: number | undefined;
  /** Tokens of that window; needed where layers slide. */
  window?: number | undefined;
  /** Elements of one sequence that are there whatever its length; none where absent. */
  fixedElements?: number | undefined;
  maxPositions?: number | undefined;
}

/** Bytes that a source publishes instead of numbers of layers and heads. */
export interface HandBytes {
  /** Bytes that every token of a sequence adds; fractions are refused: a token takes whole bytes. */
  bytesPerToken: number;
  /** Bytes of a sequence that are there whatever its length; none where absent. */
  fixedBytes?: number | undefined;
}

/** Largest count of elements or bytes: a million tokens of it stay below 2^53. */
const MOST = 2 ** 32;

/**
 * A geometry by hand: keys and values in every layer, of a window in the first `slidingLayers`.
 * @throws GeometryError config-bad-field or config-missing-field naming the field of the entry.
 */
export function geometryByHand(entry: HandEntry): Geometry {
  const layers = check(entry, 'layers', 1, FIELDS.layers.max);
  const kvHeads = check(entry, 'kvHeads', 1, FIELDS.kvHeads.max);
  const headDim = check(entry, 'headDim', 1, FIELDS.headDim.max);
  const valueDim = checkOr(entry, 'valueDim', 1, FIELDS.headDim.max, headDim);
  const attentionHeads = checkOr(entry, 'attentionHeads', kvHeads, FIELDS.attentionHeads.max, kvHeads);
  if (attentionHeads % kvHeads !== 0)
    throw bad(entry, 'attentionHeads', `a multiple of the ${kvHeads} KV heads`);
  const sliding = checkOr(entry, 'slidingLayers', 0, layers, 0);
  const window = sliding === 0 ? 0 : check(entry, 'window', 1, FIELDS.maxPositions.max);
  const fixedElements = checkOr(entry, 'fixedElements', 0, MOST, 0);
  const maxPositions =
    entry.maxPositions === undefined ? null : check(entry, 'maxPositions', 1, FIELDS.maxPositions.max);
  const shape = { kvHeads, keyDim: headDim, valueDim };
  const caches = Array.from({ length: layers }, (_, layer) =>
    layer < sliding ? slidingCache(layer, shape, window) : fullCache(layer, shape),
  );
  return {
    modelType: 'by hand',
    layers,
    attentionHeads,
    kvHeads,
    headDim,
    hiddenSize: attentionHeads * headDim,
    maxPositions,
    caches: fixedElements === 0 ? caches : [...caches, fixedPart(layers - 1, fixedElements)],
    assumed: notes(entry),
    fields: [],
    dtype: null,
  };
}

/**
 * A geometry of which only bytes are known, such as a reported "890 bytes per token": one entry whose elements are bytes,
 * whatever the cache's type.
 * @throws GeometryError config-bad-field or config-missing-field naming the field.
 */
export function geometryOfBytes(entry: HandBytes): Geometry {
  const bytesPerToken = check(entry, 'bytesPerToken', 0, MOST);
  const fixedBytes = checkOr(entry, 'fixedBytes', 0, MOST * 2 ** 16, 0);
  const growing: LayerCache = {
    ...noCache(0),
    kind: 'full',
    elementsPerToken: bytesPerToken,
    elementBytes: 1,
  };
  return {
    modelType: 'by hand',
    layers: 1,
    attentionHeads: 0,
    kvHeads: 0,
    headDim: 0,
    hiddenSize: 0,
    maxPositions: null,
    caches: fixedBytes === 0 ? [growing] : [growing, { ...fixedPart(0, fixedBytes), elementBytes: 1 }],
    assumed: notes(entry),
    fields: [],
    dtype: null,
  };
}

/** A state of which nothing but its size is known. */
function fixedPart(layer: number, elements: number): LayerCache {
  return { ...noCache(layer), kind: 'recurrent', fixedElements: elements, stateDims: [elements] };
}

/** Every given number as an assumption: none of them was read. */
function notes(entry: HandEntry | HandBytes): NonNullable<Geometry['assumed']> {
  return Object.entries(entry).flatMap(([field, value]: [string, unknown]) =>
    typeof value === 'number' ? [{ field, value, code: 'by-hand' as const }] : [],
  );
}

function checkOr(entry: object, field: string, least: number, most: number, otherwise: number): number {
  return valueOf(entry, field) === undefined ? otherwise : check(entry, field, least, most);
}

function check(entry: object, field: string, least: number, most: number): number {
  const value = valueOf(entry, field);
  if (value === undefined || value === null) throw new GeometryError('config-missing-field', { field });
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
  throw bad(
    entry,
    field,
    `a whole number from ${least.toLocaleString('en-US')} to ${most.toLocaleString('en-US')}`,
  );
}

function bad(entry: object, field: string, expected: string): GeometryError {
  return new GeometryError('config-bad-field', { field, value: showValue(valueOf(entry, field)), expected });
}

function valueOf(entry: object, field: string): unknown {
  return Object.getOwnPropertyDescriptor(entry, field)?.value as unknown;
}
