/** The charts of weights against cache, one a model, on axes that they share. Pure. */
import type { WeightsPicture } from '../charts/weights-chart';
import { formulaBytes } from '../geometry/bytes';
import type { Geometry } from '../geometry/geometry';
import type { WeightsRow } from './weights-rows';

/** The left end of the shared axis, tokens. */
const FROM_TOKENS = 128;
/** How far the axis goes beyond the farthest crossing. */
const BEYOND = 2;

export interface NamedPicture {
  id: string;
  picture: WeightsPicture;
}

/** One picture for each row whose weights are known. @param elementBytes bytes of one cache element. */
export function weightsPictures(rows: readonly WeightsRow[], elementBytes: number): NamedPicture[] {
  const shown = rows.flatMap((row) =>
    row.geometry === null || row.crossover === null
      ? []
      : [{ ...row, geometry: row.geometry, crossover: row.crossover }],
  );
  const farthest = Math.max(
    FROM_TOKENS * 4,
    ...shown.flatMap(({ crossover, geometry, measured }) => [
      crossover.tokens ?? 0,
      geometry.maxPositions ?? 0,
      ...measured.map(({ tokens }) => tokens),
    ]),
  );
  const to = 2 ** Math.ceil(Math.log2(farthest * BEYOND));
  const nearest = Math.min(
    FROM_TOKENS,
    ...shown.flatMap(({ measured }) => measured.map(({ tokens }) => tokens)),
  );
  const lines = shown.map(({ geometry }) => lineOf(geometry, elementBytes, nearest, to));
  const bytes = [
    ...lines.flatMap((line) => line.map(({ y }) => y)),
    ...shown.map(({ crossover }) => crossover.weightBytes),
  ];
  const y = { min: Math.min(...bytes), max: Math.max(...bytes) };
  return shown.map(({ id, geometry, crossover, measured }, index) => ({
    id,
    picture: {
      weightBytes: crossover.weightBytes,
      line: lines[index] ?? [],
      crossing: crossover.tokens,
      maxPositions: geometry.maxPositions,
      measured: measured.map(({ tokens, bytes: y }) => ({ x: tokens, y })),
      x: { min: nearest, max: to },
      y,
    },
  }));
}

/** The cache at powers of two and at the maximum position; beyond that, what several sequences hold together. */
function lineOf(geometry: Geometry, elementBytes: number, from: number, to: number): WeightsPicture['line'] {
  const tokens = new Set([from, to]);
  for (let at = 1; at <= to; at *= 2) if (at > from) tokens.add(at);
  const { maxPositions } = geometry;
  if (maxPositions !== null && maxPositions > from && maxPositions < to) tokens.add(maxPositions);
  return [...tokens]
    .sort((a, b) => a - b)
    .map((x) => ({ x, y: formulaBytes(geometry, { batch: 1, tokens: x, elementBytes }) }));
}
