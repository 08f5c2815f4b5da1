/** From the planner's state and the models that were found to its answer. Pure. */
import { planCapacity } from '../geometry/capacity/plan';
import type { CapacityModel, ModelCapacity } from '../geometry/capacity/types';
import type {
  CapacityResult,
  CapacityState,
  PlannedModel,
  PlannedReason,
  PlannedWeights,
} from '../protocol/capacity';
import { gpuOf, readTyped } from '../protocol/capacity-options';

/** A model of the state with its cache, or why there is none. */
export type FoundModel = { id: string; name: string } & (
  | { cache: CapacityModel['cache']; weights: PlannedWeights | null; reason: null }
  | { cache: null; weights: null; reason: PlannedReason }
);

/**
 * The plan of all models, in the state's order. A typed model's bytes per token are what every model is compared with.
 * @throws RangeError for a state that the options table would refuse.
 */
export function capacityResult(state: CapacityState, found: readonly FoundModel[]): CapacityResult {
  const gpu = gpuOf(state.gpu);
  const typed = state.model.map(readTyped).find((model) => model !== null);
  const common = {
    gpuBytes: gpu.bytes,
    gpus: state.gpus,
    reserveBytes: state.reserve,
    usableShare: state.share / 100,
    dtype: state.kv,
    engine: state.engine,
    contexts: state.contexts,
    sessions: state.sessions,
    options: engineOptions(state),
    reportedBytesPerToken: typed?.bytesPerToken,
  };
  const models = found.map(({ id, name, cache, weights, reason }): PlannedModel => {
    if (cache === null) return { ...NOTHING, id, name, weights: null, reason };
    const [planned] = planCapacity({
      ...common,
      models: [{ name, cache, weightBytes: weights?.bytes ?? null }],
    }).models;
    // One model in, one out.
    return { ...(planned ?? NOTHING), id, name, weights };
  });
  return { state, gpu: { id: gpu.id, name: gpu.name, bytes: gpu.bytes }, models };
}

/** A preallocating engine reserves the longest context that is planned. */
export function engineOptions({ engine, contexts }: CapacityState): { maxTokens?: number } {
  return engine === 'preallocated' ? { maxTokens: Math.max(...contexts) } : {};
}

const NOTHING: Omit<ModelCapacity, 'name' | 'reason'> & { reason: null } = {
  reason: null,
  weightBytes: null,
  budgetBytes: null,
  budgetPerGpu: null,
  missingBytes: 0,
  bytesPerTokenFirst: 0,
  bytesPerTokenFar: 0,
  fixedBytes: 0,
  kvTokens: null,
  rows: [],
  largestContext: null,
  gpusNeeded: [],
  whatIf: [],
  timesReported: null,
  notes: [],
};
