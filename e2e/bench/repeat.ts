/** How often a thing is measured, and what is made of the runs. */

/** A run that takes longer is not repeated: five of them would tell little more and take minutes. */
const LONG_SECONDS = 20;
export const SHORT_RUNS = 5;

/** One way of doing a thing: does it once and says how many seconds it took. */
export type Side = () => Promise<number>;

/**
 * Runs every side once, then those that are short again until each has so many runs, in turns, so that whatever else the machine
 * does disturbs all alike.
 * @returns Seconds by side, in the order of the runs.
 */
export async function inTurns(sides: readonly Side[], most = SHORT_RUNS): Promise<number[][]> {
  const runs = sides.map((): number[] => []);
  for (let round = 0; round < most; round++) {
    for (const [index, side] of sides.entries()) {
      const own = runs[index] ?? [];
      if (!own.some((seconds) => seconds > LONG_SECONDS)) own.push(await side());
    }
  }
  return runs;
}

/**
 * Runs all sides once unseen where there is something to warm up (shaders compile), then in so many turns in which each side goes first as often as last, so that a
 * machine that grows busier or quieter favours none.
 * @returns What each side gave, one a turn, in the order of the turns.
 */
export async function alternately<Result>(
  sides: readonly (() => Promise<Result>)[],
  turns: number,
  { warmUp = true } = {},
): Promise<Result[][]> {
  const found = sides.map((): Result[] => []);
  const order = [...sides.keys()];
  for (let turn = warmUp ? 0 : 1; turn <= turns; turn++) {
    for (const index of turn % 2 === 0 ? order : order.toReversed()) {
      const result = await sides[index]?.();
      if (turn > 0 && result !== undefined) found[index]?.push(result);
    }
  }
  return found;
}

/**
 * The ratio of two sides that took turns: the median of the turns' ratios, so that what disturbs a turn disturbs both of its sides.
 * @throws RangeError for no turns.
 */
export function pairedRatio(
  above: readonly number[],
  below: readonly number[],
): { value: number; runs: number[] } {
  const runs = above.map((value, turn) => value / (below[turn] ?? NaN));
  return { value: median(runs), runs };
}

/** The middle value, or the mean of the two in the middle. @throws RangeError for no values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  if (upper === undefined || lower === undefined) throw new RangeError('there is no median of no values');
  return (lower + upper) / 2;
}

/** A row of a case: the median of its runs, and all of them. */
export function rowOf<Unit extends string>(what: string, unit: Unit, runs: number[]) {
  return { what, value: median(runs), unit, runs };
}
