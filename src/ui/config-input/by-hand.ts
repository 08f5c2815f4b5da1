/** A geometry that a person gives: by heads and dims, or by bytes. Pure. */
import { fullAttentionCaches } from '../../geometry/layers/full';
import { noCache, type Geometry, type LayerCache } from '../../geometry/geometry';
import type { InputModel } from './input-model';

/** What is typed; numbers as text, empty where nothing was. */
export interface HandFields {
  name: string;
  layers: string;
  kvHeads: string;
  keyDim: string;
  /** Empty: as the key. */
  valueDim: string;
  /** Layers whose window ends their growth; empty or 0: none. */
  windowLayers: string;
  /** Tokens of that window. */
  window: string;
  /** Bytes per token, in place of all above. */
  bytesPerToken: string;
  /** Bytes of one sequence whatever its length; empty: none. */
  fixedBytes: string;
}

export type HandWay = 'heads' | 'bytes';

/** Names of a field that cannot be used, and its limits. */
export interface HandFault {
  field: keyof HandFields;
  value: string;
  min: number;
  max: number;
}

const MOST = { layers: 4096, heads: 65_536, dim: 65_536, window: 2 ** 30, bytes: 2 ** 40 };

/** Reads the form. */
export function modelByHand(fields: HandFields, way: HandWay): { model: InputModel } | { fault: HandFault } {
  try {
    const caches = way === 'heads' ? byHeads(fields) : byBytes(fields);
    return { model: modelOf(fields.name.trim(), caches) };
  } catch (error) {
    if (error instanceof BadField) return { fault: error.fault };
    throw error;
  }
}

function byHeads(fields: HandFields): LayerCache[] {
  const layers = count(fields, 'layers', 1, MOST.layers);
  const kvHeads = count(fields, 'kvHeads', 1, MOST.heads);
  const keyDim = count(fields, 'keyDim', 1, MOST.dim);
  const valueDim = fields.valueDim.trim() === '' ? keyDim : count(fields, 'valueDim', 0, MOST.dim);
  const windowed = fields.windowLayers.trim() === '' ? 0 : count(fields, 'windowLayers', 0, layers);
  const window = windowed === 0 ? null : count(fields, 'window', 1, MOST.window);
  const fixed = fixedCaches(fields, layers);
  const caches = fullAttentionCaches(layers, kvHeads, keyDim).map((cache): LayerCache => ({
    ...cache,
    valueDim,
    elementsPerToken: kvHeads * (keyDim + valueDim),
  }));
  // Which layers have the window changes nothing in the sum: the first ones here.
  return [
    ...caches.map((cache): LayerCache =>
      cache.layer < windowed ? { ...cache, kind: 'sliding', capTokens: window } : cache,
    ),
    ...fixed,
  ];
}

/** One entry of that many one-byte elements: the numbers are bytes already, whatever the cache's type. */
function byBytes(fields: HandFields): LayerCache[] {
  const bytes = count(fields, 'bytesPerToken', 0, MOST.bytes);
  const entry: LayerCache = { ...noCache(0), kind: 'full', elementsPerToken: bytes, elementBytes: 1 };
  return [...(bytes > 0 ? [entry] : []), ...fixedCaches(fields, 0)];
}

function fixedCaches(fields: HandFields, layer: number): LayerCache[] {
  if (fields.fixedBytes.trim() === '') return [];
  const bytes = count(fields, 'fixedBytes', 0, MOST.bytes);
  return bytes === 0
    ? []
    : [{ ...noCache(layer), kind: 'recurrent', fixedElements: bytes, elementBytes: 1, stateDims: [bytes] }];
}

function modelOf(name: string, caches: LayerCache[]): InputModel {
  const layers = new Set(caches.map(({ layer }) => layer)).size;
  const first = caches[0];
  const geometry: Geometry = {
    modelType: name === '' ? 'by hand' : name,
    layers,
    attentionHeads: first?.kvHeads ?? 0,
    kvHeads: first?.kvHeads ?? 0,
    headDim: first?.keyDim ?? 0,
    hiddenSize: (first?.kvHeads ?? 0) * (first?.keyDim ?? 0),
    maxPositions: null,
    caches,
    assumed: [],
    fields: [],
    dtype: null,
  };
  return {
    id: null,
    name: geometry.modelType,
    config: null,
    geometry,
    weightBytes: null,
    parameters: null,
    repairs: [],
    from: 'hand',
  };
}

class BadField extends Error {
  constructor(readonly fault: HandFault) {
    super(fault.field);
  }
}

/** A typed whole number, thousands separated or not. @throws BadField */
function count(fields: HandFields, field: keyof HandFields, min: number, max: number): number {
  const value = fields[field].trim();
  const plain = value.replace(/(?<=\d)[,_ ](?=\d{3}\b)/g, '');
  const number = /^\d+$/.test(plain) ? Number(plain) : Number.NaN;
  if (Number.isSafeInteger(number) && number >= min && number <= max) return number;
  throw new BadField({ field, value: value.slice(0, 40), min, max });
}
