/** The engines side by side, in rows and one sentence. Pure. */
import { compareEngines, type EngineRow } from '../../geometry/engines/compare';
import type { EngineLine } from '../../charts/engine-chart';
import { ENGINES, type EngineOptions } from '../../geometry/engines';
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

/** Which engines take how much more than the ideal cache; preallocated apart, since what it reserves does not follow the tokens. */
export function engineSentence(rows: readonly EngineRow[], tokens: number, tr: Translate): string {
  const compared = rows.flatMap(({ engine, name, size, ratio }) =>
    size !== null && ratio !== null && engine !== 'ideal' && engine !== 'preallocated'
      ? [{ name, bytes: size.bytesAllGpus, ratio }]
      : [],
  );
  const ideal = rows.find(({ engine }) => engine === 'ideal')?.size?.bytes ?? 0;
  const reserved = rows.find(({ engine }) => engine === 'preallocated');
  const least = compared.reduce((a, b) => (b.bytes < a.bytes ? b : a), compared[0] ?? EMPTY);
  const most = compared.reduce((a, b) => (b.bytes > a.bytes ? b : a), compared[0] ?? EMPTY);
  if (compared.length === 0) return '';
  if (least.bytes === most.bytes) {
    const all = least.bytes === ideal && reserved?.size?.bytes === ideal;
    if (all) return tr('arch.engines.agree', { tokens });
    const key = least.bytes === ideal ? 'arch.engines.agreeBut' : 'arch.engines.same';
    return withReserved(tr(key, { tokens, times: timesText(least.ratio) }), reserved, tr);
  }
  const differ = tr('arch.engines.differ', {
    tokens,
    least: least.name,
    leastTimes: timesText(least.ratio),
    most: most.name,
    mostTimes: timesText(most.ratio),
    bytes: most.bytes - least.bytes,
  });
  return withReserved(differ, reserved, tr);
}

/** The sentence with preallocated's row behind it. */
function withReserved(sentence: string, row: EngineRow | undefined, tr: Translate): string {
  if (row === undefined) return sentence;
  if (row.size === null || row.ratio === null) return tr('arch.engines.reservedNone', { sentence });
  const reserved = row.size.notes.find(({ code }) => code.startsWith('max-tokens'))?.params['tokens'];
  if (reserved === undefined) return sentence;
  return tr('arch.engines.reserved', { sentence, reserved, times: timesText(row.ratio) });
}

/** True where exported graphs keep states in the cache's type though the model has a wider one: they can be below the ideal. */
export function narrowsStates({ caches }: Geometry, { dtype }: Pick<EngineOptions, 'dtype'>): boolean {
  return caches.some(
    ({ kind, elementBytes }) => kind === 'recurrent' && (elementBytes ?? 0) > dtype.stateBytes,
  );
}

/** Lengths of a line up to `longest`: powers of two and one and a half times each, so that a kink is near where it is. */
function lengthsUpTo(longest: number): number[] {
  const lengths: number[] = [];
  for (let power = 64; power <= longest; power *= 2) lengths.push(power, power * 1.5);
  return [...lengths.filter((tokens) => tokens < longest), longest];
}

/** Every engine's bytes by length, up to four times the asked context or the model's highest position. */
export function engineLines(
  geometry: Geometry,
  options: EngineOptions,
  nameOf: (engine: EngineRow['engine']) => string,
): EngineLine[] {
  const most = geometry.maxPositions ?? Infinity;
  const lengths = lengthsUpTo(Math.max(options.tokens, Math.min(options.tokens * 4, most)));
  const columns = lengths.map((tokens) => ({ tokens, rows: engineRows(geometry, { ...options, tokens }) }));
  return ENGINES.map(({ id }) => ({
    name: nameOf(id),
    points: columns.map(({ tokens, rows }) => ({
      tokens,
      bytes: rows?.find(({ engine }) => engine === id)?.size?.bytes ?? null,
    })),
  }));
}

const EMPTY = { name: '', bytes: 0, ratio: 1 };
