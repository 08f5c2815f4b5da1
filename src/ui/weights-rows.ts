/** Weights against cache for each chosen model, from the catalog or from a record: no run is needed. Pure. */
import { bytesPerToken } from '../geometry/bytes';
import { crossover, type Crossover } from '../geometry/crossover';
import type { Geometry } from '../geometry/geometry';
import { itemSizeIn } from '../experiments/item-size';
import { findModel, weightBytes as bytesOfWeights } from '../model/catalog';
import { contentBytes } from '../protocol/content';
import { DTYPE_BYTES, type Dtype, type Recipe } from '../protocol/recipe';
import type { LabRecord } from '../protocol/record';

export interface WeightsRow {
  id: string;
  /** Null for a model from outside that no record knows yet. */
  geometry: Geometry | null;
  /** Parameters of the real model; null when unknown. */
  parameters: number | null;
  /** Weight bytes of the real model; null with the reason in `missing`. */
  weightBytes: number | null;
  bytesPerToken: number | null;
  crossover: Crossover | null;
  /** Why there is nothing to set against the cache. */
  missing: 'builtIn' | 'quantised' | 'unknown' | null;
  /** Bytes of one sequence's tokens that were measured. */
  measured: { tokens: number; bytes: number }[];
}

/** The variant that the comparison is made in: the recipe's first. Weights and cache have it in common. */
export function weightsDtype(recipe: Recipe): Dtype {
  return recipe.dtype[0] ?? 'fp32';
}

export function weightsRows(recipe: Recipe, record: LabRecord | null): WeightsRow[] {
  const dtype = weightsDtype(recipe);
  return recipe.model.map((id) => {
    const listed = findModel(id);
    const loaded = record?.models.find((model) => model.id === id && model.dtype === dtype) ?? null;
    const geometry = listed?.geometry ?? loaded?.geometry ?? null;
    const parameters = listed === null ? (loaded?.parameters ?? null) : listed.parameters;
    const elementBytes = (record === null ? null : itemSizeIn(record, id, dtype)) ?? DTYPE_BYTES[dtype];
    const weights =
      parameters === null ? null : (bytesOfWeights(parameters, dtype) ?? loaded?.weightBytes ?? null);
    // The files of a model from outside are its weights, also where its parameters are not known.
    const known = weights ?? (listed === null ? (loaded?.weightBytes ?? null) : null);
    return {
      id,
      geometry,
      parameters,
      weightBytes: known,
      bytesPerToken: geometry === null ? null : bytesPerToken(geometry, elementBytes),
      crossover: geometry === null || known === null ? null : crossover(geometry, known, elementBytes),
      missing:
        known !== null && geometry !== null
          ? null
          : listed === null
            ? 'unknown'
            : parameters === null
              ? 'builtIn'
              : 'quantised',
      measured: measuredOf(id, dtype, record),
    };
  });
}

function measuredOf(id: string, dtype: Dtype, record: LabRecord | null): WeightsRow['measured'] {
  const points = new Map<number, number>();
  for (const cell of record?.cells ?? []) {
    if (cell.model === id && cell.dtype === dtype && cell.batch === 1 && cell.tensorBytes !== null)
      points.set(cell.tokens, contentBytes(cell) ?? cell.tensorBytes);
  }
  return [...points].map(([tokens, bytes]) => ({ tokens, bytes })).sort((a, b) => a.tokens - b.tokens);
}
