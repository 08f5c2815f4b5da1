/** Shares the passes of a plan out to several machines, so that every machine finds the same parts by itself. */
import type { Pass } from '../protocol/messages';
import { unitsOf } from './units';

/**
 * The passes of part `index` of `count`. Passes are dealt out whole, the most work first, to the part with the least; where
 * there are fewer passes than parts, the stops of a pass are dealt out too. Ids count the part's own passes.
 */
export function shardOf(passes: readonly Pass[], { index, count }: { index: number; count: number }): Pass[] {
  const pieces = passes.length >= count ? [...passes] : passes.flatMap(split);
  const order = pieces
    .map((pass, place) => ({ pass, place, units: unitsOf(pass, Infinity) }))
    .sort((a, b) => b.units - a.units || a.place - b.place);
  const loads = Array.from({ length: count }, () => 0);
  const mine: { pass: Pass; place: number }[] = [];
  for (const { pass, place, units } of order) {
    const least = loads.indexOf(Math.min(...loads));
    loads[least] = (loads[least] ?? 0) + units;
    if (least === index - 1) mine.push({ pass, place });
  }
  return mine.sort((a, b) => a.place - b.place).map(({ pass }, id) => ({ ...pass, id }));
}

/** A pass over several stops as one pass a stop; decode steps stay with the last. */
function split(pass: Pass): Pass[] {
  const { work } = pass;
  if (work.kind !== 'length') return [pass];
  return work.stops.map((stop, at) => ({
    ...pass,
    work: { kind: 'length', stops: [stop], steps: at === work.stops.length - 1 ? work.steps : 0 },
  }));
}
