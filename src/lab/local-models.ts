/** Folders with models that the person has given to the page. They live as long as the page: a browser gives no path to keep. */
import { signal } from '@preact/signals';
import type { LocalModel } from '../model/hub/local';

/** What a model id may not have (protocol/options.ts); a folder may have any name. */
const NOT_IN_ID = /[^\p{L}\p{N}\p{M} _.-]|\.(?=\.)/gu;

/** By their model id: `local:` and the folder's name, with `_` for what an id cannot have. */
export const localModels = signal<ReadonlyMap<string, LocalModel>>(new Map());

/** Keeps a folder and gives its model id; a folder of the same name is replaced. */
export function keepLocalModel(model: LocalModel): string {
  const id = `local:${model.folder.replace(NOT_IN_ID, '_')}`;
  localModels.value = new Map([...localModels.value, [id, model]]);
  return id;
}

export function forgetLocalModel(id: string): void {
  localModels.value = new Map([...localModels.value].filter(([key]) => key !== id));
}
