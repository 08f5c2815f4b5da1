/** The record of a run that has measured nothing. */
import type { Recipe } from '../protocol/recipe';
import { RECORD_SCHEMA, type LabRecord } from '../protocol/record';

export interface RecordStart {
  recipe: Recipe;
  /** The recipe link. */
  url: string;
  /** ISO 8601. */
  createdAt: string;
  /** Why the browser's figure for the whole page is not taken; null when it is. */
  processReason: string | null;
}

/** A running record without a single measurement. */
export function emptyRecord({ recipe, url, createdAt, processReason }: RecordStart): LabRecord {
  return {
    schema: RECORD_SCHEMA,
    createdAt,
    recipe,
    url,
    status: 'running',
    environment: null,
    models: [],
    cells: [],
    growth: [],
    checks: [],
    faults: [],
    notMeasured: { resident: null, device: null, process: processReason },
    redundancy: null,
    capacity: null,
  };
}
