/** Models from outside on this page: added, looked up, removed. None of it is in a recipe but the ids. */
import { signal } from '@preact/signals';
import { hubHost } from '../../lab/hub-host';
import { forgetLocalModel, keepLocalModel } from '../../lab/local-models';
import { lookUp } from '../../lab/look-up';
import { isActive } from '../../lab/run-state';
import type { Store } from '../../lab/store';
import { browserDeps } from '../../model/hub/deps';
import { droppedFiles, localModel, type LocalFile } from '../../model/hub/local';
import { toFault, type Fault } from '../../protocol/faults';
import { parseOption } from '../../protocol/options';
import type { Dtype } from '../../protocol/recipe';
import { LookUps } from './look-ups';
import { chooseVariant, type Choice, type Place } from './variant-choice';

/** The hub that models come from. */
export const host = signal(hubHost());

export const lookUps = new LookUps((id, abort, onNotice) =>
  lookUp(browserDeps(), { id, host: host.peek(), signal: abort, onNotice }),
);

/** What adding a model changed in the recipe, by the model's id; shown at its card as long as it holds. */
export const choices = signal<ReadonlyMap<string, Choice & { from: readonly Dtype[] }>>(new Map());

/** Why the last folder that was given is no model; null when it is one. */
export const folderFault = signal<Fault | null>(null);

/** Where weights would run by the recipe and the GPU. */
export function placeOf(store: Store): Place {
  const { adapter, features } = store.probe.value;
  return {
    device: store.recipe.value.device,
    shaderF16: adapter === null ? null : features.includes('shader-f16'),
  };
}

/** The recipe's models with one more; in the experiment that takes one model, that one alone. */
export function withModel(store: Pick<Store, 'recipe'>, id: string): string[] {
  const { model, experiment } = store.recipe.peek();
  return experiment === 'redundancy' ? [id] : [...model, id];
}

/**
 * Puts a model into the recipe and looks it up; when its weights ask for another variant than the recipe's, takes that.
 * @returns why it cannot be added; null when it was.
 */
export async function addOutside(store: Store, id: string): Promise<Fault | null> {
  const { model } = store.recipe.peek();
  if (!model.includes(id)) {
    const wanted = withModel(store, id);
    const { fault } = parseOption('model', wanted);
    if (fault !== null) return fault;
    store.setRecipe({ model: wanted });
  }
  const found = await lookUps.look(id);
  const recipe = store.recipe.peek();
  // Settings are closed during a run, and a model that was removed meanwhile asks for nothing.
  if (found === null || !recipe.model.includes(id) || isActive(store.run.peek())) return null;
  const others = recipe.model.flatMap((other) => {
    const state = other === id ? undefined : lookUps.states.peek().get(other);
    return state?.status === 'found' ? [state.found.variants] : [];
  });
  const choice = chooseVariant(recipe.dtype, found.variants, placeOf(store), others);
  if (choice === null) return null;
  for (const key of [id, found.pinned]) {
    choices.value = new Map([...choices.value, [key, { ...choice, from: recipe.dtype }]]);
  }
  store.setRecipe({ dtype: [choice.dtype] });
  return null;
}

/** Adds the model of a folder's files; when they are none, {@link folderFault} says why. Gives the model's id, or null. */
export async function addFolder(
  store: Store,
  files: Promise<LocalFile[]> | LocalFile[],
): Promise<string | null> {
  folderFault.value = null;
  try {
    const id = keepLocalModel(localModel(await files));
    folderFault.value = await addOutside(store, id);
    return folderFault.value === null ? id : null;
  } catch (error) {
    folderFault.value = toFault(error, 'model-load-failed', { model: 'local:' });
    return null;
  }
}

/** Adds the model of a dropped folder, as {@link addFolder}. */
export async function addDropped(store: Store, entries: readonly FileSystemEntry[]): Promise<string | null> {
  return await addFolder(store, droppedFiles(entries));
}

/** Takes a model out of the recipe and forgets it. A folder's files are let go. */
export function removeOutside(store: Store, id: string): void {
  store.setRecipe({ model: store.recipe.peek().model.filter((other) => other !== id) });
  lookUps.forget(id);
  forgetLocalModel(id);
}
