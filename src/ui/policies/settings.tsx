/** The settings that only the policies experiment has: which policies and allocator modes, bits of `quantised`, blocks of `paged`. */
import { defaultPolicies, type PoliciesState } from '../../protocol/policies';
import { useUi } from '../context';
import { OptionField } from '../option-field';
import { ChoicesField } from './choices-field';

export function PoliciesSettings() {
  const { tr, store } = useUi<'policies'>();
  const recipe = store.recipe.value;
  const state = recipe.policies ?? defaultPolicies();
  const shared = {
    state,
    onChange: (patch: Partial<PoliciesState>) => {
      store.setRecipe({ policies: { ...state, ...patch } });
    },
  };
  const about = state.policies.map((policy) => tr(`policy.${policy}`)).join(' ');
  return (
    <>
      <ChoicesField {...shared} name="policies" help={about} />
      <ChoicesField
        {...shared}
        name="allocators"
        help={tr('policies.allocators.help')}
        closed={recipe.device === 'wasm' ? tr('allocator.unused') : null}
      />
      {state.policies.includes('quantised') && <OptionField name="bits" help={tr('setting.bits.help')} />}
      {state.policies.includes('paged') && <OptionField name="block" help={tr('setting.block.help')} />}
    </>
  );
}
