/** The planner's record: worked out on the page at once, without a worker. Loaded when a plan is run or taken away. */
import { capacityResult } from '../experiments/capacity';
import { emptyRecord } from '../experiments/empty-record';
import { defaultCapacity } from '../protocol/capacity';
import { toFault } from '../protocol/faults';
import { recipeFault } from '../protocol/options';
import type { Recipe } from '../protocol/recipe';
import type { LabRecord } from '../protocol/record';
import { findPlanned } from './capacity-sources';
import type { RunOnce } from './run';
import { IDLE } from './run-state';

const NOTHING_MEASURED = 'the planner works bytes out and measures nothing';

/** The finished record of a plan. @throws RangeError for a state that the options table would refuse. */
export function capacityRecord(recipe: Recipe, url: string, createdAt: string): LabRecord {
  const state = recipe.capacity ?? defaultCapacity();
  const why = NOTHING_MEASURED;
  return {
    ...emptyRecord({ recipe: { ...recipe, capacity: state }, url, createdAt, processReason: why }),
    status: 'done',
    notMeasured: { resident: why, device: why, process: why },
    capacity: capacityResult(state, findPlanned(state)),
  };
}

/** A run of the planner: over before the next frame. Never rejects. */
export const runCapacity: RunOnce = (deps, { recipe, url }) => {
  const createdAt = deps.today();
  try {
    const wrong = recipeFault(recipe);
    if (wrong === null) {
      const record = capacityRecord(recipe, url, createdAt);
      return Promise.resolve({ begun: true, record, state: { ...IDLE, status: 'done', progress: 1 } });
    }
    return Promise.resolve(failed(wrong));
  } catch (error) {
    return Promise.resolve(failed(toFault(error, 'run-failed')));
  }

  function failed(fault: ReturnType<typeof toFault>): Awaited<ReturnType<RunOnce>> {
    const record = emptyRecord({ recipe, url, createdAt, processReason: NOTHING_MEASURED });
    return {
      begun: false,
      record: { ...record, status: 'failed', faults: [fault] },
      state: { ...IDLE, status: 'failed', fault },
    };
  }
};
