/** Configs that the person has given to this page, to be measured by twins. They live as long as the page. */
import { signal } from '@preact/signals';
import { configId } from '../model/twin-id';
import type { LabRecord } from '../protocol/record';
import type { Store } from './store';

export interface ConfigModel {
  /** For people. */
  name: string;
  /** The parsed config.json. */
  config: unknown;
}

/** By model id, `config:<model type>-<hash>`. */
export const configModels = signal<ReadonlyMap<string, ConfigModel>>(new Map());

/** Keeps a config and gives its model id; the same config again has the same. */
export function keepConfigModel({ config, name }: ConfigModel): string {
  const id = configId(config);
  configModels.value = new Map([...configModels.value, [id, { config, name }]]);
  return id;
}

/**
 * "Measure this config": makes its twin the page's model and runs the recipe on it.
 * @returns The record, also of a run that failed: an unreadable config is a fault there that names the field.
 */
export async function measureConfig(
  store: Pick<Store, 'setRecipe' | 'start'>,
  config: unknown,
  name: string,
): Promise<LabRecord> {
  store.setRecipe({ model: [keepConfigModel({ config, name })] });
  return await store.start();
}
