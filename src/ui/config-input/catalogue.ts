/** Finds models of the catalogue by words: name, id, family, and kinds of layer caches. Pure. */
import type { LayerCacheKind } from '../../geometry/geometry';
import { readGeometry } from '../../geometry/read-config';
import type { Architecture } from '../../model/architectures/architecture';

export interface ListedModel {
  architecture: Architecture;
  /** In the order of their first layer; `none` is no kind to look for. */
  kinds: LayerCacheKind[];
}

/** The catalogue's models with the kinds of their caches; a model that cannot be read is left without kinds. */
export function listModels(architectures: readonly Architecture[]): ListedModel[] {
  return architectures.map((architecture) => ({ architecture, kinds: kindsOf(architecture.config) }));
}

function kindsOf(config: unknown): LayerCacheKind[] {
  try {
    const kinds = readGeometry(config).caches.map(({ kind }) => kind);
    return [...new Set(kinds)].filter((kind) => kind !== 'none');
  } catch {
    return [];
  }
}

/**
 * The models in which every word of the query occurs, those whose name begins with it first.
 * @param words What a kind is called on the page, to be found by that too.
 */
export function findModels(
  models: readonly ListedModel[],
  query: string,
  words: (kind: LayerCacheKind) => string,
): ListedModel[] {
  const wanted = query.trim().toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return [...models];
  const whole = wanted.join(' ');
  const found = models.filter(({ architecture: { id, name, family }, kinds }) => {
    const text = [id, name, family, ...kinds, ...kinds.map(words)].join(' ').toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
  const begins = ({ architecture: { id, name } }: ListedModel): boolean =>
    [name, id, id.replace(/^.*\//, '')].some((text) => text.toLowerCase().startsWith(whole));
  return [...found.filter(begins), ...found.filter((model) => !begins(model))];
}
