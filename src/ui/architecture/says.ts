/** The one sentence of a geometry: bytes a token, in how many layers, and what is there whatever the length. Pure. */
import type { EngineBytes } from '../../geometry/engines';
import { layerViews, type LayerView } from './layer-groups';
import type { KvDtype } from '../../geometry/engines/kv-dtype';
import type { Geometry } from '../../geometry/geometry';
import type { InputTranslate } from './words';

export type Translate = InputTranslate;

/**
 * The sentence. Bytes are of one sequence under the ideal rule.
 * @param size `engineBytes(geometry, 'ideal', …)`.
 */
export function saysOf(
  { name, geometry, dtype }: { name: string; geometry: Geometry; dtype: KvDtype },
  size: EngineBytes,
  tr: Translate,
): string {
  const views = layerViews(geometry, dtype);
  const growing = views.filter(({ entries }) => entries.some((entry) => entry.elementsPerToken > 0));
  const state = stateClause(geometry, size, tr);
  const far = round(size.bytesPerTokenFar);
  if (growing.length === 0)
    return tr(state === '' ? 'arch.says.nothing' : 'arch.says.onlyState', { name, state });
  const params = {
    name,
    bytes: size.bytesPerTokenFirst,
    far,
    state: state === '' ? '' : tr('arch.says.and', { state }),
  };
  const passes = passesOf(geometry, views.length);
  const where = whereOf(growing, views, passes, tr);
  const caps = [...new Set(geometry.caches.flatMap(({ capTokens }) => capTokens ?? []))];
  const cap = Math.max(...caps);
  if (size.bytesPerTokenFirst === size.bytesPerTokenFar) return tr('arch.says.token', { ...params, where });
  if (caps.length === 0) return tr('arch.says.long', { ...params, where });
  if (size.bytesPerTokenFar === 0) return tr('arch.says.window', { ...params, where, cap });
  const lasting = growing.filter(({ entries }) =>
    entries.some((entry) => entry.elementsPerToken > 0 && entry.capTokens === null),
  );
  return tr('arch.says.windowThen', { ...params, where, cap, whereFar: whereOf(lasting, views, passes, tr) });
}

/** Passes over the layers of a looped model (Ouro's `total_ut_steps`), each with caches of its own; 1 for every other model. */
export function passesOf({ layers, fields }: Geometry, caches: number): number {
  const steps = fields?.find(({ name }) => name.endsWith('total_ut_steps'))?.value;
  return typeof steps === 'number' && steps * layers === caches ? steps : 1;
}

function whereOf(
  some: readonly LayerView[],
  all: readonly LayerView[],
  passes: number,
  tr: Translate,
): string {
  if (all.length === 1) return tr('arch.says.one');
  if (some.length < all.length) return tr('arch.says.some', { layers: some.length, of: all.length });
  return passes > 1
    ? tr('arch.says.passes', { layers: all.length / passes, passes })
    : tr('arch.says.all', { layers: all.length });
}

/** States and an encoder's keys and values are told apart; empty where there are neither. */
function stateClause({ caches }: Geometry, { fixedBytes }: EngineBytes, tr: Translate): string {
  if (fixedBytes === 0) return '';
  const fixed = caches.filter(({ fixedElements }) => fixedElements > 0);
  const tokens = fixed.find(({ encoderTokens }) => encoderTokens !== undefined)?.encoderTokens;
  return tokens !== undefined && fixed.every(({ kind }) => kind === 'cross')
    ? tr('arch.says.cross', { bytes: fixedBytes, tokens })
    : tr('arch.says.state', { bytes: fixedBytes });
}

/** Bytes a token can have a fraction where one entry serves several tokens: two places then. */
function round(bytes: number): number {
  return Math.round(bytes * 100) / 100;
}
