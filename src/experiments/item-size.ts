/** Bytes of one cache element, as a record knows it: from the loaded graph's own type. */
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

/** The item size of a model's variant whose graph the record has; null before it was loaded. */
export function itemSizeIn(record: LabRecord, model: string, dtype: Dtype): number | null {
  const loaded = record.models.find((one) => one.id === model && one.dtype === dtype);
  return loaded === undefined ? null : (ITEM_SIZES[loaded.cacheType] ?? null);
}

/** The same, and where the graph was not loaded the size that the variant's name lets one expect. */
export function itemSizeFor(record: LabRecord, model: string, dtype: Dtype): number {
  return itemSizeIn(record, model, dtype) ?? DTYPE_BYTES[dtype];
}
