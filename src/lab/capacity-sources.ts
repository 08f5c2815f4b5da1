/** The planner's models: from the catalogue, typed, or looked up in this page. Loaded with the planner, never at first paint. */
import { signal } from '@preact/signals';
import type { FoundModel } from '../experiments/capacity';
import { GeometryError } from '../geometry/geometry-error';
import type { Geometry } from '../geometry/geometry';
import { parameterCount } from '../geometry/parameters';
import { readGeometry } from '../geometry/read-config';
import { weightBytes, weightType } from '../geometry/weight-bytes';
import { findArchitecture } from '../model/architectures';
import type { CapacityState, PlannedReason, PlannedWeights } from '../protocol/capacity';
import { readTyped, readWeights } from '../protocol/capacity-options';

/** A model that was pasted, given by hand, or asked for at the hub. */
export interface LookedUpModel {
  name: string;
  /** Null where the numbers were given by hand. */
  config: unknown;
  geometry: Geometry;
  weightBytes: { bytes: number; source: string } | null;
  parameters: number | null;
}

/** By id, as long as the page stays: no link carries them. */
export const lookedUpModels = signal<ReadonlyMap<string, LookedUpModel>>(new Map());

/** Every model of the state, in its order; those that nobody knows with their reason. */
export function findPlanned(
  state: CapacityState,
  lookedUp: ReadonlyMap<string, LookedUpModel> = lookedUpModels.value,
): FoundModel[] {
  const typed = new Map(
    state.weights.flatMap((text) => {
      const read = readWeights(text);
      return read === null ? [] : [[read.model, read.bytes] as const];
    }),
  );
  return state.model.map((id): FoundModel => {
    const found = findOne(id, lookedUp);
    const bytes = typed.get(id);
    if (found.cache === null || bytes === undefined) return found;
    return { ...found, weights: { bytes, from: 'typed', source: 'typed', atLeast: false } };
  });
}

function findOne(id: string, lookedUp: ReadonlyMap<string, LookedUpModel>): FoundModel {
  const typed = readTyped(id);
  if (typed !== null) {
    const { name, bytesPerToken, fixedBytes, weightBytes: bytes } = typed;
    const weights: PlannedWeights | null =
      bytes === null ? null : { bytes, from: 'typed', source: 'typed', atLeast: false };
    return { id, name, cache: { bytesPerToken, fixedBytes }, weights, reason: null };
  }
  const looked = lookedUp.get(id);
  if (looked !== undefined) {
    const weights: PlannedWeights | null =
      looked.weightBytes === null
        ? weightsByCount(looked.config, looked.parameters, looked.geometry)
        : { ...looked.weightBytes, from: 'hub', atLeast: false };
    return { id, name: looked.name, cache: { geometry: looked.geometry }, weights, reason: null };
  }
  return findPublished(id);
}

/** The last part of a hub id: what people call the model. */
function shortName(id: string): string {
  return id.replace(/^config:/, '').replace(/^.*\//, '');
}

function findPublished(id: string): FoundModel {
  const name = shortName(id);
  const missing = (code: PlannedReason['code'], detail?: string): FoundModel => ({
    id,
    name,
    cache: null,
    weights: null,
    reason: { code, params: { model: id, ...(detail === undefined ? {} : { detail }) } },
  });
  const architecture = findArchitecture(id);
  if (architecture === null)
    return missing(id.startsWith('config:') ? 'capacity-needs-config' : 'capacity-not-looked-up');
  try {
    const { config, parameters, weightBytes: published } = architecture;
    const geometry = readGeometry(config);
    const weights: PlannedWeights | null =
      published === null
        ? weightsByCount(config, parameters?.count ?? null, geometry)
        : { ...published, from: 'catalogue', atLeast: false };
    return { id, name, cache: { geometry }, weights, reason: null };
  } catch (error) {
    if (!(error instanceof GeometryError)) throw error;
    return missing('capacity-unreadable', error.message);
  }
}

/** Parameters x bytes of one; null where either is not known. */
function weightsByCount(config: unknown, stated: number | null, geometry: Geometry): PlannedWeights | null {
  if (config === null) return null;
  const { bytesPerWeight, name, linearOnly } = weightType(config);
  const parameters = stated ?? parameterCount(config, geometry).parameters;
  if (bytesPerWeight === null || parameters === null) return null;
  try {
    const bytes = weightBytes(parameters, bytesPerWeight);
    const source = `${parameters.toLocaleString('en-US')} parameters x ${bytesPerWeight} bytes (${name})`;
    return { bytes, from: 'parameters', source, atLeast: linearOnly };
  } catch {
    // No exact integer: nothing that anybody could plan with.
    return null;
  }
}
