/** Cache twins in the recipe besides those of the first screen: what each would measure, added, removed. */
import { openTwins } from '../../lab/open-twins';
import { cacheBudget } from '../../lab/run';
import type { Store } from '../../lab/store';
import { CATALOG } from '../../model/catalog';
import { isWeightDtype } from '../../model/weight-dtypes';
import { LabError, toFault, type Fault } from '../../protocol/faults';
import { parseOption } from '../../protocol/options';
import type { TwinSource } from '../../protocol/source';
import { withModel } from './models';

/** What a run would measure of a twin with the recipe as it is, or why it cannot. */
export function describeTwin(
  { recipe, probe }: Pick<Store, 'recipe' | 'probe'>,
  id: string,
): TwinSource | Fault {
  const asked = recipe.value.dtype.filter((dtype) => isWeightDtype(dtype));
  const dtype = asked.length === 0 ? (['fp32'] as const) : asked;
  try {
    const { sources, refused } = openTwins(
      { ...recipe.value, model: [id], dtype: [...dtype] },
      cacheBudget(recipe.value, probe.value),
    );
    const source = sources.find((one): one is TwinSource => 'kind' in one && one.kind === 'twin');
    if (source !== undefined) return source;
    const [why] = refused;
    throw why === undefined ? new Error(id) : new LabError(why.fault.code, why.fault.params);
  } catch (error) {
    return toFault(error, 'model-load-failed', { model: id });
  }
}

/** Puts a twin into the recipe. @returns why it cannot be added; null when it was, or is there already. */
export function addTwin(store: Store, id: string): Fault | null {
  const { model } = store.recipe.peek();
  if (model.includes(id)) return null;
  const wanted = withModel(store, id);
  const { fault } = parseOption('model', wanted);
  if (fault !== null) return fault;
  setModels(store, wanted);
  return null;
}

export function removeTwin(store: Store, id: string): void {
  setModels(
    store,
    store.recipe.peek().model.filter((other) => other !== id),
  );
}

/** Those of the first screen in its order, as its cards write them: the same choice gives the same link. */
function setModels(store: Store, model: readonly string[]): void {
  const listed = CATALOG.map(({ id }) => id).filter((id) => model.includes(id));
  store.setRecipe({ model: [...listed, ...model.filter((id) => !listed.includes(id))] });
}
