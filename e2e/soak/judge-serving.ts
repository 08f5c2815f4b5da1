/** What is wrong with a serving in a run of the soak: pools, rows and what is left of them, from the query alone. */
import type { ServingResult } from '../../src/protocol/serving';
import { bytesByHand } from './subjects';

export function wrongServing(query: string, serving: ServingResult | null): string[] {
  if (serving === null) return [];
  const row = bytesByHand('tiny', 'fp32', 1, 1);
  const pool = Number(new URLSearchParams(query).get('pool')) * row;
  return serving.runs.flatMap(({ system, poolBytes, deviceBytes: { before, after }, samples }) => [
    ...(poolBytes === pool ? [] : [`${system}: a pool of ${poolBytes} bytes, by hand ${pool}`]),
    ...samples
      .filter(({ usedTokens, usedBytes }) => usedBytes !== usedTokens * row)
      .map(({ step, usedBytes }) => `${system}: ${usedBytes} bytes used at step ${step}`),
    ...(after === null || (after === 0 && before === 0)
      ? []
      : [`${system}: device bytes ${after} after its pool, ${String(before)} before`]),
  ]);
}
