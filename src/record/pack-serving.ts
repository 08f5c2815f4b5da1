/** A serving inside a results link: settings, and of each system its pool, its steps and the tokens found at each moment. */
import * as v from 'valibot';
import { isModelId } from '../protocol/options';
import { DTYPES } from '../protocol/recipe';
import { LENGTH_SOURCES, SERVING_SYSTEMS } from '../protocol/serving';
import type { ExpectedServing } from './serving-results';

const MAX_MOMENTS = 200;
/** Utilisation travels with 4 decimals, as an integer. */
const SCALE = 10_000;

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const share = v.nullable(v.pipe(count, v.maxValue(SCALE)));

export const packedServing = v.tuple([
  /** Model, dtype, block, seed, lengths, requests, pool, longest. */
  v.tuple([
    v.pipe(v.string(), v.check(isModelId)),
    v.picklist(DTYPES),
    count,
    count,
    v.picklist(LENGTH_SOURCES),
    count,
    count,
    count,
  ]),
  /** Systems: name, pool bytes, steps, steps planned, utilisation, then a step and the tokens found at it, again and again. */
  v.pipe(
    v.array(
      v.tuple([
        v.picklist(SERVING_SYSTEMS),
        count,
        count,
        count,
        share,
        v.pipe(v.array(count), v.maxLength(2 * MAX_MOMENTS)),
      ]),
    ),
    v.maxLength(SERVING_SYSTEMS.length),
  ),
]);

export type PackedServing = v.InferOutput<typeof packedServing>;

export function packServing(results: ExpectedServing): PackedServing {
  const { model, dtype, block, seed, lengths, requests, pool, longest, pools } = results;
  return [
    [model, dtype, block, seed, lengths, requests, pool, longest],
    pools.map(({ system, poolBytes, steps, stepsPlanned, utilisation, used }) => [
      system,
      poolBytes,
      steps,
      stepsPlanned,
      utilisation === null ? null : Math.round(utilisation * SCALE),
      used.flatMap(({ step, tokens }) => [step, tokens]),
    ]),
  ];
}

/** @throws Error when a moment lacks its tokens. */
export function unpackServing([subject, pools]: PackedServing): ExpectedServing {
  const [model, dtype, block, seed, lengths, requests, pool, longest] = subject;
  return {
    ...{ model, dtype, block, seed, lengths, requests, pool, longest },
    pools: pools.map(([system, poolBytes, steps, stepsPlanned, utilisation, used]) => {
      if (used.length % 2 === 1) throw new Error('a moment without its tokens');
      return {
        ...{ system, poolBytes, steps, stepsPlanned },
        utilisation: utilisation === null ? null : utilisation / SCALE,
        used: used.flatMap((step, at) => (at % 2 === 0 ? [{ step, tokens: used[at + 1] ?? 0 }] : [])),
      };
    }),
  };
}
