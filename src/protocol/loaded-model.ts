/** Finds the entry of a record for what was loaded. A quantised cache is another graph, with an entry of its own. */
import type { Dtype, Policy } from './recipe';
import type { ModelRecord } from './record';

export interface LoadedAs {
  model: string;
  dtype: Dtype;
  policy: Policy;
}

/** Whether an entry is of that model, variant and kind of cache. */
export function isLoadedAs(
  { id, dtype, quantised }: Pick<ModelRecord, 'id' | 'dtype' | 'quantised'>,
  as: LoadedAs,
): boolean {
  return id === as.model && dtype === as.dtype && (quantised !== undefined) === (as.policy === 'quantised');
}

/** The entry of what a pass, cell or growth ran on; null where it was never loaded. */
export function loadedModel(
  { models }: { models: readonly ModelRecord[] },
  as: LoadedAs,
): ModelRecord | null {
  return models.find((model) => isLoadedAs(model, as)) ?? null;
}

/** Whether two entries are of the same graph. */
export function isSameGraph(a: ModelRecord, b: ModelRecord): boolean {
  return a.id === b.id && a.dtype === b.dtype && (a.quantised === undefined) === (b.quantised === undefined);
}
