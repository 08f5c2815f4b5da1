/** The settings that only the redundancy experiment has: tokens, the way of testing, pairs, the context of the savings. */
import { useEffect } from 'preact/hooks';
import { fullCaches } from '../../experiments/full-layers';
import { readTwinId } from '../../model/twin-id';
import { findModel } from '../../model/catalog';
import type { Fault } from '../../protocol/faults';
import { defaultRedundancy, PAIR_CHOICES, SPLITS, type RedundancyState } from '../../protocol/redundancy';
import type { Split } from '../../redundancy/types';
import type { PairChoice } from '../../protocol/redundancy';
import type { Store } from '../../lab/store';
import { useUi } from '../context';
import { RedundancyField } from './field';
import { pairCounts, positionsFault } from './numbers';

export function RedundancySettings() {
  const { tr, store, int } = useUi<'redundancy'>();
  const state = store.recipe.value.redundancy ?? defaultRedundancy();
  const onChange = (patch: Partial<RedundancyState>) => {
    store.setRecipe({ redundancy: { ...state, ...patch } });
  };
  const layers = layersOf(store);
  const counts = layers === null ? null : pairCounts(layers);
  const cost =
    counts === null
      ? tr('red.pairs.unknownCount')
      : tr('red.pairs.count', { all: int(counts.all), adjacent: int(counts.adjacent), n: counts.times });
  const shared = { state, onChange };
  return (
    <>
      <RedundancyField {...shared} name="skip" />
      <RedundancyField {...shared} name="keep" trouble={usePositions(state)} />
      <Choice<Split>
        name="split"
        values={SPLITS}
        value={state.split}
        label={(value) => tr(`red.split.${value}`)}
        help={tr(`red.split.${state.split}.help`)}
        onChange={(split) => {
          onChange({ split });
        }}
      />
      <Choice<PairChoice>
        name="pairs"
        values={PAIR_CHOICES}
        value={state.pairs}
        label={(value) => tr(`red.pairs.${value}`)}
        help={`${tr(`red.pairs.${state.pairs}.help`)} ${state.pairs === 'all' ? cost : ''}`}
        onChange={(pairs) => {
          onChange({ pairs });
        }}
      />
      <RedundancyField {...shared} name="context" />
      <RedundancyField {...shared} name="weights" />
    </>
  );
}

/** Key under which more tokens than the model has positions keep Run closed. */
const POSITIONS = 'redundancy.positions';

/** Closes Run while more tokens are skipped and kept than the model has positions, where that is known before it is loaded. */
function usePositions(state: RedundancyState): Fault | null {
  const { store, badFields } = useUi<'redundancy'>();
  const [id = ''] = store.recipe.value.model;
  const fault = positionsFault(findModel(id)?.geometry.maxPositions ?? null, state);
  const told = badFields.value.has(POSITIONS);
  const tell = (found: Fault | null) => {
    const others = new Map([...badFields.peek()].filter(([key]) => key !== POSITIONS));
    if (found !== null) others.set(POSITIONS, found);
    badFields.value = others;
  };
  // Told again where the settings were set back, which forgets all that was refused.
  useEffect(() => {
    if ((fault !== null) !== told) tell(fault);
  });
  useEffect(
    () => () => {
      if (badFields.peek().has(POSITIONS)) tell(null);
    },
    [],
  );
  return fault;
}

/** Layers with a full KV cache of the recipe's model, where it is known before it is loaded. */
function layersOf(store: Store): number | null {
  const [id = ''] = store.recipe.value.model;
  const geometry = findModel(readTwinId(id)?.layers == null ? id : '')?.geometry;
  return geometry === undefined ? null : fullCaches(geometry).length;
}

interface ChoiceProps<Value extends string> {
  name: 'split' | 'pairs';
  values: readonly Value[];
  value: Value;
  label: (value: Value) => string;
  help: string;
  onChange: (value: Value) => void;
}

function Choice<Value extends string>({ name, values, value, label, help, onChange }: ChoiceProps<Value>) {
  const { tr } = useUi<'redundancy'>();
  const id = `redundancy-${name}`;
  return (
    <div class="field">
      <label for={id}>{tr(`red.${name}`)}</label>
      <select
        id={id}
        name={name}
        aria-describedby={`${id}-help`}
        value={value}
        onInput={(event) => {
          const chosen = values.find((one) => one === event.currentTarget.value);
          if (chosen !== undefined) onChange(chosen);
        }}
      >
        {values.map((one) => (
          <option key={one} value={one}>
            {label(one)}
          </option>
        ))}
      </select>
      <p class="hint" id={`${id}-help`}>
        {help}
      </p>
    </div>
  );
}
