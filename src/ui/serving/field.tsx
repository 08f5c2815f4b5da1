/** One number of the serving settings: the limits of the link, and the same words when a value is refused. Closes Run meanwhile. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Fault } from '../../protocol/faults';
import { parseServingOption } from '../../protocol/options';
import { SERVING_OPTIONS } from '../../protocol/policies-options';
import type { ServingState } from '../../protocol/serving';
import { useUi } from '../context';

interface Props {
  name: 'requests' | 'pool' | 'longest';
  state: ServingState;
  help: string;
  /** Why the value cannot be used though it is within its own limits. */
  trouble?: Fault | null;
  onChange: (patch: Partial<ServingState>) => void;
}

export function ServingField({ name, state, help, trouble = null, onChange }: Props) {
  const { tr, badFields, faultSentence } = useUi<'serving'>();
  const committed = String(state[name]);
  // What is being typed, kept as it is as long as it belongs to the committed value.
  const draft = useSignal<{ text: string; of: string } | null>(null);
  const text = draft.value?.of === committed ? draft.value.text : committed;
  const key = `serving.${name}`;
  const fault = badFields.value.get(key) ?? trouble;
  const tell = (refused: Fault | null) => {
    const others = new Map([...badFields.peek()].filter(([other]) => other !== key));
    if (refused !== null) others.set(key, refused);
    badFields.value = others;
  };
  // A field that is no longer there keeps nothing closed.
  useEffect(
    () => () => {
      if (badFields.peek().has(key)) tell(null);
    },
    [],
  );
  const { form } = SERVING_OPTIONS[name];
  const limits = form.control === 'number' ? { min: form.min, max: form.max } : {};
  const label = tr(`serving.${name}`);
  const id = `serving-${name}`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        name={name}
        type="number"
        inputMode="numeric"
        step={1}
        {...limits}
        aria-describedby={fault === null ? `${id}-help` : `${id}-help ${id}-error`}
        aria-invalid={fault !== null}
        value={text}
        onInput={(event) => {
          const typed = event.currentTarget.value;
          const { value, fault: refused } = parseServingOption(name, [typed]);
          tell(refused);
          draft.value = { text: typed, of: refused === null ? String(value) : committed };
          if (refused === null) onChange({ [name]: value });
        }}
        onBlur={() => {
          if (fault === null) draft.value = null;
        }}
      />
      <p class="hint" id={`${id}-help`}>
        {help}
      </p>
      {fault !== null && (
        <p class="field-error" id={`${id}-error`} role="alert">
          {faultSentence({
            ...fault,
            params: { ...fault.params, option: `“${label}”`, value: text.trim() },
          })}
        </p>
      )}
    </div>
  );
}
