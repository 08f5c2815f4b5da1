/** A geometry that a person gives: by heads and dims, or by bytes. Pure. */
import { geometryByHand, geometryOfBytes } from '../../geometry/by-hand';
import { FIELDS } from '../../geometry/fields';
import type { Geometry } from '../../geometry/geometry';
import type { InputModel } from './input-model';

/** What is typed; numbers as text, empty where nothing was. */
export interface HandFields {
  name: string;
  layers: string;
  kvHeads: string;
  /** Empty: as many as KV heads. They change no cache, only what it would be without sharing. */
  attentionHeads: string;
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

/** The field that cannot be used, its limits, and what it has to be a multiple of (1 where of nothing). */
export interface HandFault {
  field: keyof HandFields;
  value: string;
  min: number;
  max: number;
  multipleOf: number;
}

/** Largest count of bytes: millions of tokens of it stay exact. */
const MOST_BYTES = 2 ** 32;

/** Reads the form. */
export function modelByHand(fields: HandFields, way: HandWay): { model: InputModel } | { fault: HandFault } {
  try {
    return { model: modelOf(fields.name.trim(), way === 'heads' ? byHeads(fields) : byBytes(fields)) };
  } catch (error) {
    if (error instanceof BadField) return { fault: error.fault };
    throw error;
  }
}

function byHeads(fields: HandFields): Geometry {
  const layers = count(fields, 'layers', 1, FIELDS.layers.max);
  const kvHeads = count(fields, 'kvHeads', 1, FIELDS.kvHeads.max);
  const attentionHeads = optional(fields, 'attentionHeads', kvHeads, FIELDS.attentionHeads.max) ?? kvHeads;
  if (attentionHeads % kvHeads !== 0)
    throw badField(fields, 'attentionHeads', {
      min: kvHeads,
      max: FIELDS.attentionHeads.max,
      multipleOf: kvHeads,
    });
  const headDim = count(fields, 'keyDim', 1, FIELDS.headDim.max);
  const valueDim = optional(fields, 'valueDim', 0, FIELDS.headDim.max) ?? headDim;
  const slidingLayers = optional(fields, 'windowLayers', 0, layers) ?? 0;
  const window = slidingLayers === 0 ? undefined : count(fields, 'window', 1, FIELDS.maxPositions.max);
  const fixed = optional(fields, 'fixedBytes', 0, MOST_BYTES) ?? 0;
  const geometry = geometryByHand({
    ...{ layers, kvHeads, attentionHeads, headDim, slidingLayers, window, fixedElements: fixed },
    valueDim: valueDim === 0 ? headDim : valueDim,
  });
  const caches = geometry.caches.map((cache) => {
    // The fixed part is typed in bytes, whatever the cache's type.
    if (cache.kind === 'recurrent') return { ...cache, elementBytes: 1 };
    return valueDim === 0 ? { ...cache, valueDim, elementsPerToken: kvHeads * headDim } : cache;
  });
  return { ...geometry, caches };
}

function byBytes(fields: HandFields): Geometry {
  const bytesPerToken = count(fields, 'bytesPerToken', 0, MOST_BYTES);
  return geometryOfBytes({ bytesPerToken, fixedBytes: optional(fields, 'fixedBytes', 0, MOST_BYTES) });
}

function modelOf(name: string, geometry: Geometry): InputModel {
  const called = name === '' ? geometry.modelType : name;
  return {
    id: null,
    name: called,
    config: null,
    geometry: { ...geometry, modelType: called },
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

function badField(
  fields: HandFields,
  field: keyof HandFields,
  limits: Pick<HandFault, 'min' | 'max' | 'multipleOf'>,
): BadField {
  return new BadField({ field, value: fields[field].trim().slice(0, 40), ...limits });
}

/** A typed whole number; undefined where nothing was typed. @throws BadField */
function optional(fields: HandFields, field: keyof HandFields, min: number, max: number): number | undefined {
  return fields[field].trim() === '' ? undefined : count(fields, field, min, max);
}

/** A typed whole number, thousands separated or not. @throws BadField */
function count(fields: HandFields, field: keyof HandFields, min: number, max: number): number {
  const plain = fields[field].trim().replace(/(?<=\d)[,_ ](?=\d{3}\b)/g, '');
  const number = /^\d+$/.test(plain) ? Number(plain) : Number.NaN;
  if (Number.isSafeInteger(number) && number >= min && number <= max) return number;
  throw badField(fields, field, { min, max, multipleOf: 1 });
}
