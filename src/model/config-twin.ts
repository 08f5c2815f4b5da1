/** From a config.json to a cache twin of it. Loaded when such a twin is asked for, since it reads every family. */
import type { Geometry } from '../geometry/geometry';
import { underGraphRule } from '../geometry/engines/graph';
import { readGeometry } from '../geometry/read-config';
import { LabError } from '../protocol/faults';
import { isObject } from '../geometry/fields';
import { cacheParts, stateRuleOf } from './cache-parts';
import type { ModelSpec } from './catalog';
import { configId } from './twin-id';

/**
 * The twin of any config.json: its geometry is what a transformers.js export would keep.
 * @param name for people.
 * @throws GeometryError naming the field that is missing or impossible; LabError twin-not-built.
 */
export function specOfConfig(config: unknown, name: string): ModelSpec {
  const geometry = underGraphRule(readGeometry(config));
  cacheParts(geometry);
  return {
    id: configId(config),
    name,
    repo: 'pasted',
    revision: 'pasted',
    source: 'twin',
    parameters: null,
    config: isObject(config) ? { ...config } : {},
    geometry,
  };
}

/**
 * What a graph would keep that left multi-head latent attention compressed: one latent and rotary key a token. No export to
 * transformers.js does so today; everything else is as the graph's rule has it.
 * @throws GeometryError as {@link specOfConfig}; LabError twin-not-built for a model without latents.
 */
export function latentGeometry(config: unknown): Geometry {
  const ideal = readGeometry(config);
  if (!ideal.caches.some(({ kind }) => kind === 'latent'))
    throw new LabError('twin-not-built', { model: ideal.modelType, what: 'latent' });
  const caches = underGraphRule(ideal).caches.map((cache, index) => {
    const own = ideal.caches[index];
    return own?.kind === 'latent' ? own : cache;
  });
  const first = caches.find(({ kvHeads }) => kvHeads > 0);
  return { ...ideal, kvHeads: first?.kvHeads ?? 0, headDim: first?.keyDim ?? 0, caches };
}

/** What a person should know of a twin's graph besides its geometry, in English. */
export function graphNotes(geometry: Geometry): string[] {
  const kinds = new Set(geometry.caches.map(({ kind }) => kind));
  const notes: string[] = [];
  if (kinds.has('sliding') || kinds.has('chunked'))
    notes.push('Windows are kept whole, as transformers.js exports do: nothing trims the past.');
  if (geometry.caches.some(({ kind, expanded }) => kind === 'latent' && expanded !== undefined))
    notes.push('Latents are decompressed to keys and values of every head, as transformers.js exports do.');
  if (kinds.has('conv') || kinds.has('recurrent')) {
    notes.push(
      'States have the cache’s element type and the shapes of the family; what computes them is not the family’s own.',
    );
    if (stateRuleOf(geometry.modelType).borrowed)
      notes.push(
        `transformers.js has no export of model_type “${geometry.modelType}” with states: theirs have the names of Granite’s (past_conv, past_ssm).`,
      );
  }
  if (kinds.has('shared'))
    notes.push('Layers that read another layer’s cache have no cache inputs of their own.');
  for (const { field, value, code } of geometry.assumed ?? []) {
    notes.push(`config.json does not decide “${field}”; ${value} was taken (${code}).`);
  }
  return notes;
}

/** The note of a twin whose latents stay compressed. */
export const LATENT_NOTE =
  'Latents are kept compressed, one vector a token. No transformers.js export does so: the bytes are compared with the ideal rule.';
