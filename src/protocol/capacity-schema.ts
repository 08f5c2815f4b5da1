/** The planner's part of a record from outside: its state and its answer, parsed by schema. */
import * as v from 'valibot';
import { CAPACITY_FAULTS, type CapacityFault } from '../geometry/capacity/types';
import { ENGINE_NOTES, type EngineNoteCode } from '../geometry/engines/notes';
import { PLAN_SENTENCES, type CapacityResult, type CapacityState } from './capacity';
import { ENGINE_IDS } from './capacity-options';
import { amount, count, list as anyList, name, text } from './schema-parts';

/** Models, contexts and notes of one plan. */
const MAX_LIST = 64;
const list = <T extends v.GenericSchema>(item: T) => anyList(item, MAX_LIST);
/** Sessions and tokens: a number, or that there is no end to it. */
const countOrMore = v.union([count, v.literal('unbounded')]);
const params = v.record(name, v.union([text, v.pipe(v.number(), v.finite())]));

type ReasonCode = CapacityFault | keyof typeof PLAN_SENTENCES;
const faultCodes = Object.keys(CAPACITY_FAULTS) as CapacityFault[];
const planCodes = Object.keys({ ...CAPACITY_FAULTS, ...PLAN_SENTENCES }) as ReasonCode[];
const fault = v.object({ code: v.picklist(faultCodes), params });

/** Types alone; the limits are those of the options table. */
export const capacityState: v.GenericSchema<unknown, CapacityState> = v.object({
  model: list(name),
  weights: list(name),
  gpu: name,
  gpus: count,
  reserve: count,
  share: amount,
  kv: name,
  engine: v.picklist(ENGINE_IDS),
  contexts: list(count),
  sessions: count,
});

const sessionRow = v.object({
  tokens: count,
  sessionBytes: v.nullable(count),
  sessions: v.nullable(countOrMore),
  overMaximum: v.boolean(),
  reason: v.nullable(fault),
});

const model = v.object({
  id: name,
  name,
  weights: v.nullable(
    v.object({
      bytes: count,
      from: v.picklist(['typed', 'catalogue', 'hub', 'parameters']),
      source: text,
      atLeast: v.boolean(),
    }),
  ),
  reason: v.nullable(v.object({ code: v.picklist(planCodes), params })),
  weightBytes: v.nullable(count),
  budgetBytes: v.nullable(count),
  budgetPerGpu: v.nullable(count),
  missingBytes: count,
  bytesPerTokenFirst: amount,
  bytesPerTokenFar: amount,
  fixedBytes: amount,
  kvTokens: v.nullable(countOrMore),
  rows: list(sessionRow),
  largestContext: v.nullable(v.object({ tokens: countOrMore, overMaximum: v.boolean() })),
  gpusNeeded: list(
    v.object({
      tokens: count,
      gpus: v.nullable(count),
      copies: v.nullable(count),
      reason: v.nullable(fault),
    }),
  ),
  whatIf: list(
    v.object({
      what: v.picklist(['no-gqa', 'fp8-cache', 'utilisation-low', 'utilisation-high']),
      bytesPerTokenFirst: amount,
      kvTokens: v.nullable(countOrMore),
      rows: list(sessionRow),
    }),
  ),
  timesReported: v.nullable(amount),
  notes: list(v.object({ code: v.picklist(Object.keys(ENGINE_NOTES) as EngineNoteCode[]), params })),
});

export const capacityResult: v.GenericSchema<unknown, CapacityResult> = v.object({
  state: capacityState,
  gpu: v.object({ id: v.nullable(name), name, bytes: count }),
  models: list(model),
});
