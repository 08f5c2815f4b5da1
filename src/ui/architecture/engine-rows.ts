/** The engines side by side, in rows and one sentence. Pure. */
import { compareEngines, type EngineRow } from '../../geometry/engines/compare';
import type { EngineOptions } from '../../geometry/engines';
import type { Geometry } from '../../geometry/geometry';
import type { Translate } from './says';

export type { EngineRow } from '../../geometry/engines/compare';

/** Rows of all engines; null where the size is no exact number any more (above 2^53 bytes), or an option is out of range. */
export function engineRows(geometry: Geometry, options: EngineOptions): EngineRow[] | null {
  try {
    return compareEngines(geometry, options);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** bytes / ideal bytes for people: `1x`, `1.02x`, `5.9x`, `71x`. */
export function timesText(ratio: number): string {
  if (ratio === 1) return '1x';
  const digits = ratio >= 10 ? 0 : ratio >= 2 ? 1 : 2;
  const text = ratio.toFixed(digits);
  // A ratio that would round to 1 gets the digits that show that it is not.
  for (let more = digits; more <= 6; more += 1) {
    const exact = ratio.toFixed(more);
    if (Number(exact) !== 1) return `${exact}x`;
  }
  return `${text}x`;
}

/** Which engines take how much more than the ideal cache. Preallocated is left out: it is another question's answer. */
export function engineSentence(rows: readonly EngineRow[], tokens: number, tr: Translate): string {
  const compared = rows.flatMap(({ engine, name, size, ratio }) =>
    size !== null && ratio !== null && engine !== 'ideal' && engine !== 'preallocated'
      ? [{ name, bytes: size.bytesAllGpus, ratio }]
      : [],
  );
  const ideal = rows.find(({ engine }) => engine === 'ideal')?.size?.bytes ?? 0;
  const least = compared.reduce((a, b) => (b.bytes < a.bytes ? b : a), compared[0] ?? EMPTY);
  const most = compared.reduce((a, b) => (b.bytes > a.bytes ? b : a), compared[0] ?? EMPTY);
  if (compared.length === 0) return '';
  if (least.bytes === most.bytes)
    return tr(least.bytes === ideal ? 'arch.engines.agree' : 'arch.engines.same', {
      tokens,
      times: timesText(least.ratio),
    });
  return tr('arch.engines.differ', {
    tokens,
    least: least.name,
    leastTimes: timesText(least.ratio),
    most: most.name,
    mostTimes: timesText(most.ratio),
    bytes: most.bytes - least.bytes,
  });
}

const EMPTY = { name: '', bytes: 0, ratio: 1 };
