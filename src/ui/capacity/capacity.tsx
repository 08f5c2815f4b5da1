/** The planner: what is asked, the answer in a sentence, a table, a chart, and how every figure follows. Instant, without a run. */
import { capacityResult } from '../../experiments/capacity';
import { findPlanned, lookedUpModels } from '../../lab/capacity-sources';
import { defaultCapacity, type CapacityState } from '../../protocol/capacity';
import { Boundary } from '../boundary';
import { useUi } from '../context';
import { CapacityForm } from './form';
import { ModelDetail } from './model-detail';
import { CapacityModels } from './models';
import { Answer, Comparisons, SessionsChart, SessionsTable } from './results';
import type { CapacityTexts } from './words';

export function Capacity() {
  const { store } = useUi<CapacityTexts>();
  const state = store.recipe.value.capacity ?? defaultCapacity();
  const found = findPlanned(state, lookedUpModels.value);
  const result = capacityResult(state, found);
  const onChange = (patch: Partial<CapacityState>) => {
    store.setRecipe({ capacity: { ...state, ...patch } });
  };
  return (
    <div class="capacity" data-testid="capacity">
      <CapacityModels state={state} models={result.models} onChange={onChange} />
      <CapacityForm state={state} onChange={onChange} />
      <Boundary retryOn={result}>
        <div class="report">
          <Answer result={result} />
          <SessionsTable result={result} />
          <SessionsChart result={result} />
          <Comparisons models={result.models} />
          {result.models.map((model, at) => {
            const one = found[at];
            return one === undefined ? null : (
              <ModelDetail key={model.id} {...{ result, model, found: one }} />
            );
          })}
        </div>
      </Boundary>
    </div>
  );
}
