/** Schemas of the experiments `policies` and `serving` in records from outside. */
import * as v from 'valibot';
import { PROBE_NAMES, type PoliciesResult, type PoliciesState } from './policies';
import { ALLOCATORS, DEVICES, DTYPES, POLICIES } from './recipe';
import { amount, count, list, name, text } from './schema-parts';
import { LENGTH_SOURCES, SERVING_SYSTEMS, type ServingResult, type ServingState } from './serving';

export const policiesState: v.GenericSchema<unknown, PoliciesState> = v.object({
  policies: list(v.picklist(POLICIES)),
  allocators: list(v.picklist(ALLOCATORS)),
});

export const policiesResult: v.GenericSchema<unknown, PoliciesResult> = v.object({
  probes: list(
    v.object({
      name: v.picklist(PROBE_NAMES),
      backend: v.picklist(DEVICES),
      outcome: v.picklist(['works', 'refused', 'ignored', 'wrong']),
      detail: text,
    }),
  ),
  recommendation: v.nullable(
    v.object({
      budgetBytes: count,
      holds: list(
        v.object({
          policy: v.picklist(POLICIES),
          allocator: v.picklist(ALLOCATORS),
          tokens: count,
          peakBytes: v.nullable(count),
        }),
      ),
    }),
  ),
});

export const servingState: v.GenericSchema<unknown, ServingState> = v.object({
  lengths: v.picklist(LENGTH_SOURCES),
  requests: count,
  pool: count,
  longest: count,
});

const maybeBytes = v.nullable(count);

const sample = v.object({
  step: count,
  running: count,
  waiting: count,
  usedTokens: count,
  usedBytes: count,
  heldTokens: count,
  reservedTokens: count,
  wastedTokens: count,
});

export const servingResult: v.GenericSchema<unknown, ServingResult> = v.object({
  model: name,
  dtype: v.picklist(DTYPES),
  device: v.picklist(DEVICES),
  bytesPerToken: count,
  block: count,
  promptMean: amount,
  outputMean: amount,
  runs: list(
    v.object({
      system: v.picklist(SERVING_SYSTEMS),
      poolBytes: count,
      deviceBytes: v.object({ before: maybeBytes, pool: maybeBytes, after: maybeBytes }),
      samples: list(sample),
      steps: count,
      stepsPlanned: count,
      utilisation: v.nullable(amount),
      insideUse: v.nullable(amount),
      mostRunning: count,
      preemptions: count,
      writtenTokens: count,
    }),
  ),
});
