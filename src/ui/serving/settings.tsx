/** The settings that only the serving experiment has: which requests, the size of the pool, the blocks. */
import { useEffect } from 'preact/hooks';
import { bytesPerToken } from '../../geometry/bytes';
import { findModel } from '../../model/catalog';
import type { Fault } from '../../protocol/faults';
import { servingFault } from '../../protocol/policies-options';
import { DTYPE_BYTES, type Recipe } from '../../protocol/recipe';
import { defaultServing, LENGTH_SOURCES, type ServingState } from '../../protocol/serving';
import { LENGTH_MEANS } from '../../serving/workload';
import { useUi } from '../context';
import { OptionField } from '../option-field';
import { ServingField } from './field';

export function ServingSettings() {
  const { tr, store, size } = useUi<'serving'>();
  const recipe = store.recipe.value;
  const state = recipe.serving ?? defaultServing();
  const onChange = (patch: Partial<ServingState>) => {
    store.setRecipe({ serving: { ...state, ...patch } });
  };
  const row = rowBytes(recipe);
  const bytes = row === null ? '' : ` ${tr('serving.pool.bytes', { size: size(row * state.pool) })}`;
  const shared = { state, onChange };
  const together = useTogether(recipe, state);
  const of = (option: string) => (together?.params['option'] === option ? together : null);
  return (
    <>
      <Lengths state={state} onChange={onChange} />
      <ServingField {...shared} name="requests" help={tr('serving.requests.help')} />
      <ServingField {...shared} name="pool" help={`${tr('serving.pool.help')}${bytes}`} />
      <ServingField {...shared} name="longest" help={tr('serving.longest.help')} trouble={of('longest')} />
      <div>
        <OptionField name="block" help={tr('serving.block.help')} />
        <Trouble fault={of('block')} />
      </div>
    </>
  );
}

/** Blocks that leave no room for the longest request: each value is good by itself. */
function Trouble({ fault }: { fault: Fault | null }) {
  const { faultSentence } = useUi<'serving'>();
  if (fault === null) return null;
  return (
    <p class="field-error" role="alert">
      {faultSentence(fault)}
    </p>
  );
}

interface LengthsProps {
  state: ServingState;
  onChange: (patch: Partial<ServingState>) => void;
}

function Lengths({ state, onChange }: LengthsProps) {
  const { tr } = useUi<'serving'>();
  return (
    <div class="field">
      <label for="serving-lengths">{tr('serving.lengths')}</label>
      <select
        id="serving-lengths"
        name="lengths"
        aria-describedby="serving-lengths-help"
        value={state.lengths}
        onInput={(event) => {
          const lengths = LENGTH_SOURCES.find((one) => one === event.currentTarget.value);
          if (lengths !== undefined) onChange({ lengths });
        }}
      >
        {LENGTH_SOURCES.map((one) => (
          <option key={one} value={one}>
            {tr(`serving.lengths.${one}`)}
          </option>
        ))}
      </select>
      <p class="hint" id="serving-lengths-help">
        {tr('serving.lengths.help', LENGTH_MEANS[state.lengths])}
      </p>
    </div>
  );
}

/** Key under which a request that is longer than the pool keeps Run closed. */
const TOGETHER = 'serving.together';

/** Closes Run while the pool cannot hold the longest request, in one piece or in blocks; tells which option is to blame. */
function useTogether(recipe: Recipe, state: ServingState): Fault | null {
  const { badFields } = useUi<'serving'>();
  const found = servingFault(recipe, state);
  // How many models there are is not told here.
  const fault = ['longest', 'block'].includes(String(found?.params['option'])) ? found : null;
  const told = badFields.value.has(TOGETHER);
  const tell = (refused: Fault | null) => {
    const others = new Map([...badFields.peek()].filter(([key]) => key !== TOGETHER));
    if (refused !== null) others.set(TOGETHER, refused);
    badFields.value = others;
  };
  // Told again where the settings were set back, which forgets all that was refused.
  useEffect(() => {
    if ((fault !== null) !== told) tell(fault);
  });
  useEffect(
    () => () => {
      if (badFields.peek().has(TOGETHER)) tell(null);
    },
    [],
  );
  return fault;
}

/** Formula bytes of one token of the recipe's model, where it is known before it is loaded. */
export function rowBytes({ model: [id = ''], dtype: [dtype = 'fp32'] }: Recipe): number | null {
  const geometry = findModel(id)?.geometry;
  return geometry === undefined ? null : bytesPerToken(geometry, DTYPE_BYTES[dtype]);
}
