/** Checkboxes of the policies experiment: which policies, which allocator modes. At least one of each; none closes Run, in words. */
import { useEffect } from 'preact/hooks';
import { parsePoliciesOption } from '../../protocol/options';
import type { PoliciesState } from '../../protocol/policies';
import { POLICIES_OPTIONS } from '../../protocol/policies-options';
import { useUi } from '../context';
import { choiceText } from '../option-field';

interface Props {
  name: keyof PoliciesState;
  state: PoliciesState;
  help: string;
  /** Why the whole control is closed; null when it is open. */
  closed?: string | null;
  onChange: (patch: Partial<PoliciesState>) => void;
}

export function ChoicesField({ name, state, help, closed = null, onChange }: Props) {
  const { tr, badFields } = useUi<'policies'>();
  const { form } = POLICIES_OPTIONS[name];
  const key = `policies.${name}`;
  const empty = badFields.value.has(key);
  const chosen: readonly string[] = empty ? [] : state[name];
  const enter = (values: readonly string[]) => {
    const { value, fault } = parsePoliciesOption(name, [values.join(',')]);
    const others = new Map([...badFields.peek()].filter(([other]) => other !== key));
    if (fault !== null) others.set(key, fault);
    badFields.value = others;
    if (fault === null) onChange({ [name]: value });
  };
  // A field that is no longer there keeps nothing closed.
  useEffect(
    () => () => {
      badFields.value = new Map([...badFields.peek()].filter(([other]) => other !== key));
    },
    [],
  );
  if (form.control !== 'choices') return null;
  const id = `policies-${name}`;
  return (
    <fieldset class="field is-wide" aria-describedby={`${id}-help`} disabled={closed !== null}>
      <legend>{tr(`policies.${name}`)}</legend>
      <div class="checks">
        {form.values.map((value) => (
          <label key={value} class="check">
            <input
              type="checkbox"
              name={name}
              value={value}
              checked={chosen.includes(value)}
              aria-invalid={empty}
              onChange={(event) => {
                const now = event.currentTarget.checked;
                enter(form.values.filter((one) => (one === value ? now : chosen.includes(one))));
              }}
            />
            {choiceText(tr, value)}
          </label>
        ))}
      </div>
      <p class="hint" id={`${id}-help`}>
        {help} {closed !== null && <span class="reason">{closed}</span>}
      </p>
      {empty && (
        <p class="field-error" role="alert">
          {tr('setting.chooseOne')}
        </p>
      )}
    </fieldset>
  );
}
