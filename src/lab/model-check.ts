/** Whether the models of a recipe exist here. */
import { CATALOG, findModel } from '../model/catalog';
import type { Geometry } from '../geometry/geometry';
import { LabError, type Fault } from '../protocol/faults';
import type { Recipe } from '../protocol/recipe';

/** The fault recipe-unknown-model of the first model that is not in the catalog, or null. */
export function unknownModel(recipe: Recipe): Fault | null {
  const id = recipe.model.find((model) => findModel(model) === null);
  return id === undefined ? null : unknown(id);
}

/** The geometry of a catalog model. @throws LabError recipe-unknown-model. */
export function geometryOf(id: string): Geometry {
  const model = findModel(id);
  if (model === null) {
    const { code, params } = unknown(id);
    throw new LabError(code, params);
  }
  return model.geometry;
}

function unknown(model: string): Fault {
  return {
    code: 'recipe-unknown-model',
    params: { model, known: CATALOG.map((known) => known.id).join(', ') },
  };
}
