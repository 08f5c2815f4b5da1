/** What the page knows of models: the catalog, models from outside that were opened, and those that a record names. */
import type { Models } from '../experiments/models';
import { CATALOG, counterfactualOf, findModel } from '../model/catalog';
import { readTwinId } from '../model/twin-id';
import { isWeightDtype, WEIGHT_DTYPES } from '../model/weight-dtypes';
import { LabError, type Fault } from '../protocol/faults';
import { DTYPE_BYTES, type Recipe } from '../protocol/recipe';
import type { LabRecord } from '../protocol/record';
import type { Opened } from './opening';

/** Bytes of one element of the types that a graph's cache can have. */
const ITEM_SIZES: Record<string, number> = { float32: 4, float16: 2 };

/** Whether a model's files come from outside the page: from a hub or from a folder. */
export function isOutside(id: string): boolean {
  return id.startsWith('local:') || (findModel(id) === null && /^[\w.-]+\/[\w.-]+(@[\w.-]+)?$/.test(id));
}

/** Whether a model is a twin whose config is not in the first paint's catalog, so that it has to be opened. */
export function isTwinToOpen(id: string): boolean {
  return readTwinId(id) !== null && findModel(id) === null;
}

/** Whether something has to be found or read before a model can run. */
export function needsOpening(id: string): boolean {
  return isOutside(id) || isTwinToOpen(id);
}

/** The fault recipe-unknown-model of the first model that neither a catalogue nor any hub could have, or null. */
export function unknownModel(recipe: Recipe): Fault | null {
  const id = recipe.model.find((model) => findModel(model) === null && !needsOpening(model));
  return id === undefined ? null : unknownModelFault(id);
}

/**
 * @param opened Models from outside that were opened for this run, and variants that could not be.
 * @param record Where no files are at hand (a record that came back), its own geometries stand.
 */
export function labModels(
  { sources, refused }: Pick<Opened, 'sources' | 'refused'>,
  record: LabRecord | null = null,
): Models {
  return {
    geometryOf(id) {
      const geometry =
        findModel(id)?.geometry ??
        sources.find((source) => source.id === id)?.geometry ??
        record?.models.find((model) => model.id === id)?.geometry;
      if (geometry !== undefined) return geometry;
      const { code, params } = unknownModelFault(id);
      throw new LabError(code, params);
    },
    itemSizeOf(id, dtype) {
      const type = sources.find((source) => source.id === id && source.dtype === dtype)?.cacheType;
      return (type === undefined ? undefined : ITEM_SIZES[type]) ?? DTYPE_BYTES[dtype];
    },
    variantFault(id, dtype) {
      const why = refused.find((one) => one.id === id && one.dtype === dtype);
      if (why !== undefined) return why.fault;
      const builtHere = findModel(id) !== null || isTwinToOpen(id);
      if (!builtHere || isWeightDtype(dtype)) return null;
      return { code: 'dtype-not-built', params: { dtype, available: WEIGHT_DTYPES.join(', ') } };
    },
    counterfactualOf,
    // Our tokenizer is byte-level; that of a model from outside is known once it is loaded, and has fewer tokens.
    promptTokensOf: (_, prompt) => new TextEncoder().encode(prompt).length,
  };
}

/** The fault of a model that is nowhere. */
export function unknownModelFault(model: string): Fault {
  return {
    code: 'recipe-unknown-model',
    params: { model, known: CATALOG.map((known) => known.id).join(', ') },
  };
}
