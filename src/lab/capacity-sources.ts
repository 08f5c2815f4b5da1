/** The planner's models: from the catalogue, typed, or looked up in this page. Loaded with the planner, never at first paint. */
import { signal } from '@preact/signals';
import type { FoundModel } from '../experiments/capacity';
import { GeometryError } from '../geometry/geometry-error';
import type { Geometry } from '../geometry/geometry';
import { parameterCount } from '../geometry/parameters';
import { readGeometry } from '../geometry/read-config';
import { weightBytes, weightType } from '../geometry/weight-bytes';
import { ARCHITECTURES, findArchitecture } from '../model/architectures';
import { configId } from '../model/twin-id';
import type { CapacityState, PlannedReason, PlannedWeights } from '../protocol/capacity';
import { isPlannedId, readTyped, readWeights } from '../protocol/capacity-options';

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

/**
 * Keeps a model for this page, so that it can be planned with, and gives its id: the hub's, else that of its config as the
 * twins have it (by its numbers where they were given by hand), so that two of one model type both stay.
 */
export function keepLookedUp({ id, ...model }: LookedUpModel & { id: string | null }): string {
  const { name, config, geometry } = model;
  const kept = id ?? configId(config ?? { model_type: name, geometry });
  const isTaken = [...lookedUpModels.value].some(([other, { name: its }]) => other !== kept && its === name);
  // The hash tells models of one name apart.
  const shown = id !== null || isTaken ? shortName(kept) : name;
  lookedUpModels.value = new Map([...lookedUpModels.value, [kept, { ...model, name: shown }]]);
  return kept;
}

/** The id that a typed text means: itself (as the catalogue spells it), or that of the catalogue's only model of this name; null for neither. */
export function plannedIdOf(text: string): string | null {
  if (isPlannedId(text)) return findArchitecture(text)?.id ?? text;
  const wanted = text.toLowerCase();
  const [one, ...others] = ARCHITECTURES.filter(
    ({ id, name }) => shortName(id).toLowerCase() === wanted || name.toLowerCase() === wanted,
  );
  return one === undefined || others.length > 0 ? null : one.id;
}

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
