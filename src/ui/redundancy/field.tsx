/** One number of the redundancy settings: the limits of the link, and the same words when a value is refused. Closes Run meanwhile. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { cut, parseRedundancyOption } from '../../protocol/options';
import type { Fault } from '../../protocol/faults';
import type { RedundancyState } from '../../protocol/redundancy';
import { REDUNDANCY_OPTIONS } from '../../protocol/redundancy-options';
import { useUi } from '../context';

interface Props {
  name: 'skip' | 'keep' | 'context';
  state: RedundancyState;
  onChange: (patch: Partial<RedundancyState>) => void;
}

export function RedundancyField({ name, state, onChange }: Props) {
  const { tr, badFields, faultSentence } = useUi<'redundancy'>();
  const committed = String(state[name]);
  // What is being typed, kept as it is as long as it belongs to the committed value.
  const draft = useSignal<{ text: string; of: string } | null>(null);
  const text = draft.value?.of === committed ? draft.value.text : committed;
  const key = `redundancy.${name}`;
  const fault = badFields.value.get(key) ?? null;
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
  const { form } = REDUNDANCY_OPTIONS[name];
  const limits = form.control === 'number' ? { min: form.min, max: form.max } : {};
  const label = tr(`red.${name}`);
  const id = `redundancy-${name}`;
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
          const { value, fault: refused } = parseRedundancyOption(name, [typed]);
          tell(refused);
          draft.value = { text: typed, of: refused === null ? String(value) : committed };
          if (refused === null) onChange({ [name]: value });
        }}
        onBlur={() => {
          if (fault === null) draft.value = null;
        }}
      />
      <p class="hint" id={`${id}-help`}>
        {tr(`red.${name}.help`)}
      </p>
      {fault !== null && (
        <p class="field-error" id={`${id}-error`} role="alert">
          {faultSentence({
            ...fault,
            params: { ...fault.params, option: `“${label}”`, value: cut(text.trim()) },
          })}
        </p>
      )}
    </div>
  );
}
