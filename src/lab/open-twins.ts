/** Opens twins that are not in the first paint's catalog: of the catalogue of architectures, and of configs that were pasted. */
import type { Geometry } from '../geometry/geometry';
import { underGraphRule } from '../geometry/engines/graph';
import { bytesPerToken, fixedBytes } from '../geometry/bytes';
import { readGeometry } from '../geometry/read-config';
import { findArchitecture } from '../model/architectures';
import { cacheParts } from '../model/cache-parts';
import { CATALOG } from '../model/catalog';
import { graphNotes, LATENT_NOTE, latentGeometry } from '../model/config-twin';
import { cutLayers, layerCount, layerPeriod, layersWithin } from '../model/cut-layers';
import { readTwinId, twinIdWith, type TwinId } from '../model/twin-id';
import { isWeightDtype } from '../model/weight-dtypes';
import { LabError, toFault } from '../protocol/faults';
import { DTYPE_BYTES, type Recipe } from '../protocol/recipe';
import type { TwinSource } from '../protocol/source';
import { configModels } from './config-models';
import { isTwinToOpen, unknownModelFault } from './models';
import type { Opened } from './opening';

/** Where a twin's config comes from. */
interface Origin {
  name: string;
  revision: string;
  parameters: number | null;
  config: unknown;
}

/**
 * Every twin of the recipe that has to be opened, in every dtype that the page builds.
 * @param budget Bytes that a cache may take here; where the longest one would take more, layers are left out and the id says so.
 * @throws LabError recipe-unknown-model, config-needs-paste.
 */
export function openTwins(recipe: Recipe, budget: number): Opened {
  const opened: Opened = { sources: [], refused: [], model: [] };
  for (const id of recipe.model) {
    const twin = isTwinToOpen(id) ? readTwinId(id) : null;
    if (twin === null) {
      opened.model.push(id);
      continue;
    }
    const origin = originOf(id, twin);
    try {
      const { measured, sources } = openTwin(twin, origin, recipe, budget);
      opened.model.push(measured);
      opened.sources.push(...sources);
    } catch (error) {
      const fault = toFault(error, 'model-load-failed', { model: id });
      opened.model.push(id);
      opened.refused.push(...recipe.dtype.map((dtype) => ({ id, dtype, fault })));
    }
  }
  return { ...opened, model: [...new Set(opened.model)] };
}

function originOf(id: string, { base }: TwinId): Origin {
  if (base.startsWith('config:')) {
    const kept = configModels.peek().get(base);
    if (kept === undefined) throw new LabError('config-needs-paste', { model: id });
    return { ...kept, revision: 'pasted', parameters: null };
  }
  const listed = CATALOG.find((model) => model.repo === base);
  if (listed) return listed;
  const found = findArchitecture(base);
  if (found === null) {
    const { code, params } = unknownModelFault(id);
    throw new LabError(code, params);
  }
  const { name, revision, parameters, config } = found;
  return { name, revision: revision ?? 'unknown', parameters: parameters?.count ?? null, config };
}

function openTwin(
  twin: TwinId,
  { name, revision, parameters, config }: Origin,
  recipe: Recipe,
  budget: number,
): { measured: string; sources: TwinSource[] } {
  const whole = twin.latent ? latentGeometry(config) : underGraphRule(readGeometry(config));
  // What cannot be built is refused here, before a worker is started.
  cacheParts(whole);
  const dtypes = recipe.dtype.filter((dtype) => isWeightDtype(dtype));
  const count = layerCount(whole);
  const size = {
    batch: Math.max(...recipe.batch),
    tokens: mostTokens(recipe, whole),
    elementBytes: Math.max(...dtypes.map((dtype) => DTYPE_BYTES[dtype]), 1),
  };
  const layers = Math.min(count, twin.layers ?? layersWithin(whole, size, budget));
  const measured = twinIdWith(twin, layers === count ? null : layers);
  const scaled = layers === count ? null : { layersMeasured: layers, layersOf: count, whole };
  const geometry = scaled === null ? whole : cutLayers(whole, layers);
  const sources = dtypes.map((dtype): TwinSource => {
    const elementBytes = DTYPE_BYTES[dtype];
    return {
      id: measured,
      kind: 'twin',
      cacheType: elementBytes === 2 ? 'float16' : 'float32',
      notes: [
        ...(twin.latent ? [LATENT_NOTE] : graphNotes(geometry)),
        ...(scaled === null ? [] : [scaledNote(geometry, whole, elementBytes)]),
        ...(twin.layers !== null && twin.layers > count ? [tooManyNote(twin.layers, count)] : []),
      ],
      ...{ name, revision, dtype, parameters, geometry, scaled },
    };
  });
  return { measured, sources };
}

/** Tokens of the longest cache that a recipe asks for, as far as the model has positions. */
function mostTokens({ experiment, tokens, steps, prompt }: Recipe, { maxPositions }: Geometry): number {
  const written = new TextEncoder().encode(prompt).length;
  const longest = experiment === 'growth' ? Math.max(tokens[0] ?? 0, written) + steps : Math.max(...tokens);
  return Math.min(longest, maxPositions ?? longest);
}

function tooManyNote(asked: number, count: number): string {
  return `${asked} layers were asked for, but the model has ${count}.`;
}

function scaledNote(part: Geometry, whole: Geometry, elementBytes: number): string {
  const [layers, count, period] = [layerCount(part), layerCount(whole), layerPeriod(whole)];
  const pattern =
    layers % period === 0
      ? ''
      : ` The pattern of layers repeats every ${period}, so these are no whole number of its periods.`;
  const number = (bytes: number): string => bytes.toLocaleString('en-US');
  const fixed = fixedBytes(whole, elementBytes);
  return (
    `The first ${layers} of ${count} layers were measured, and the formula beside is theirs.${pattern} All ${count} layers take ` +
    `${number(bytesPerToken(whole, elementBytes))} bytes per token${fixed > 0 ? ` and ${number(fixed)} bytes of fixed state` : ''} by the formula; that was not measured.`
  );
}
