/** Bytes of one cache element, as a record knows it: from the loaded graph's own type. */
import { loadedModel } from '../protocol/loaded-model';
import type { Dtype } from '../protocol/recipe';
import { DTYPE_BYTES } from '../protocol/recipe';
import type { LabRecord } from '../protocol/record';

/** Element sizes by ONNX Runtime's type names, for the types that a cache can have. Bytes. */
const ITEM_SIZES: Record<string, number> = {
  float32: 4,
  float16: 2,
  bfloat16: 2,
  int8: 1,
  uint8: 1,
  float64: 8,
};

/** The item size of a model's variant with a cache of floats, if the record has its graph; null before it was loaded. */
export function itemSizeIn(record: LabRecord, model: string, dtype: Dtype): number | null {
  const loaded = loadedModel(record, { model, dtype, policy: 'dynamic' });
  return loaded === null ? null : (ITEM_SIZES[loaded.cacheType] ?? null);
}

/** The same, and where the graph was not loaded the size that the variant's name lets one expect. */
export function itemSizeFor(record: LabRecord, model: string, dtype: Dtype): number {
  return itemSizeIn(record, model, dtype) ?? DTYPE_BYTES[dtype];
}
