/** The variants of a model's weights with their sizes: choosing one sets the recipe's dtype, which all models share. */
import { useRef } from 'preact/hooks';
import type { LookedUp } from '../../lab/look-up';
import type { HubVariant } from '../../model/hub/variants';
import { parseOption } from '../../protocol/options';
import type { Dtype } from '../../protocol/recipe';
import { placeOf } from './models';
import { Size } from './reveal';
import { useHubUi } from './text';
import { chooseVariant, LARGE_BYTES, largest, variantFault } from './variant-choice';

/** Radio buttons of different cards must not share a name: each shows the whole choice. */
let groups = 0;

export function Variants({ found }: { found: LookedUp }) {
  const { hub, store, faultSentence } = useHubUi();
  const group = useRef('');
  if (group.current === '') group.current = `variant-${String((groups += 1))}`;
  const { dtype: chosen, experiment } = store.recipe.value;
  const several = experiment === 'dtype' || chosen.length > 1;
  const place = placeOf(store);
  const most = largest(found.variants);
  const take = useTakeDtype();
  const usable = found.variants.filter((variant) => faultOf(variant) === null).map(({ dtype }) => dtype);
  const none = chosen.every((dtype) => !found.variants.some((variant) => variant.dtype === dtype));
  // Said once for all variants that it keeps closed.
  const reasons = new Map<string, string[]>();
  for (const variant of found.variants) {
    const reason = faultOf(variant);
    if (reason !== null) reasons.set(reason, [...(reasons.get(reason) ?? []), variant.dtype]);
  }
  const instead = none ? chooseVariant(chosen, found.variants, place) : null;
  return (
    <fieldset class="hub-variants">
      <legend>{hub('hub.variants')}</legend>
      {found.variants.map((variant) => (
        <VariantRow
          key={variant.dtype}
          variant={variant}
          type={several ? 'checkbox' : 'radio'}
          group={group.current}
          checked={chosen.includes(variant.dtype)}
          closed={faultOf(variant) !== null}
          isLargest={variant === most}
          onChange={(on) => {
            const others = several ? chosen.filter((dtype) => dtype !== variant.dtype) : [];
            take(on ? [...others, variant.dtype] : others);
          }}
        />
      ))}
      {[...reasons].map(([reason, dtypes]) => (
        <p key={reason} class="hint">
          <strong>{dtypes.join(', ')}</strong>: <span class="reason">{reason}</span>
        </p>
      ))}
      {none && usable.length > 0 && (
        <div class="message message-warn">
          <p>
            {faultSentence({
              code: 'hub-dtype-missing',
              params: {
                dtype: chosen.join(', '),
                where: found.name,
                known: usable.join(', '),
              },
            })}
          </p>
          {instead !== null && (
            <p>
              <button
                type="button"
                class="button button-quiet"
                onClick={() => {
                  take([instead.dtype]);
                }}
              >
                {hub('hub.useInstead', { dtype: instead.dtype })}
              </button>
            </p>
          )}
        </div>
      )}
      <p class="hint">{hub('hub.variantsHint')}</p>
    </fieldset>
  );

  function faultOf(variant: HubVariant): string | null {
    const fault = variantFault(variant, place, found.name);
    return fault === null ? null : faultSentence(fault);
  }
}

interface RowProps {
  variant: HubVariant;
  type: 'radio' | 'checkbox';
  group: string;
  checked: boolean;
  /** It cannot run here; why is said below. */
  closed: boolean;
  isLargest: boolean;
  onChange: (on: boolean) => void;
}

function VariantRow({ variant, type, group, checked, closed, isLargest, onChange }: RowProps) {
  const { hub, tr } = useHubUi();
  const { dtype, bytes } = variant;
  const remarks = [
    ...(isLargest ? [hub('hub.largest')] : []),
    ...((bytes ?? 0) >= LARGE_BYTES && !closed ? [hub('hub.large')] : []),
    ...(closed ? [tr('choice.unavailable')] : []),
  ];
  const id = `${group}-${dtype}`;
  return (
    <div class="hub-variant">
      <label>
        <input
          type={type}
          name={group}
          value={dtype}
          checked={checked}
          // What is chosen can be taken back, though it cannot be chosen.
          disabled={closed && !(checked && type === 'checkbox')}
          aria-describedby={`${id}-remarks`}
          onChange={(event) => {
            onChange(event.currentTarget.checked);
          }}
        />
        {dtype}
      </label>{' '}
      <Size bytes={bytes} />{' '}
      <span id={`${id}-remarks`} class={isLargest && !closed ? 'hint hub-large' : 'hint'}>
        {remarks.join('; ')}
      </span>
    </div>
  );
}

/** Sets the recipe's dtypes in the table's order; none is refused, since a recipe has at least one. */
function useTakeDtype(): (dtypes: readonly Dtype[]) => void {
  const { store, badFields } = useHubUi();
  return (dtypes) => {
    const { value } = parseOption('dtype', [dtypes.join(',')]);
    // Set again all the same: the box that was cleared shows its tick again.
    store.setRecipe({ dtype: value ?? [...store.recipe.value.dtype] });
    badFields.value = new Map([...badFields.value].filter(([key]) => key !== 'dtype'));
  };
}
