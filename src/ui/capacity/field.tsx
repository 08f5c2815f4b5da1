/** One of the planner's fields: the limits of the link, and the same words when a value is refused. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { CapacityState } from '../../protocol/capacity';
import { CAPACITY_OPTIONS } from '../../protocol/capacity-options';
import { parseCapacityOption } from '../../protocol/options';
import { useUi } from '../context';

export type FieldName = Exclude<keyof CapacityState, 'model' | 'weights' | 'engine'>;

interface Props {
  name: FieldName;
  label: string;
  help: string;
  state: CapacityState;
  onChange: (patch: Partial<CapacityState>) => void;
  /** Texts that are offered while typing. */
  offered?: readonly string[];
  /** What the field shows in place of the option's own text. */
  shown?: string;
  inputMode?: 'numeric' | 'text';
  children?: ComponentChildren;
}

export function CapacityField({
  name,
  label,
  help,
  state,
  onChange,
  offered,
  shown,
  inputMode = 'text',
  children,
}: Props) {
  const { faultSentence } = useUi();
  const committed = CAPACITY_OPTIONS[name].serialise(state[name] as never).join('');
  // What is being typed, kept as it is as long as it belongs to the committed value.
  const draft = useSignal<{ text: string; of: string } | null>(null);
  const mine = draft.value?.of === committed ? draft.value : null;
  const text = mine?.text ?? shown ?? committed;
  const { fault } = mine === null ? { fault: null } : parseCapacityOption(name, [mine.text]);
  const id = `capacity-${name}`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        inputMode={inputMode}
        autocomplete="off"
        spellcheck={false}
        list={offered === undefined ? undefined : `${id}-offered`}
        aria-describedby={`${id}-help`}
        aria-invalid={fault !== null}
        value={text}
        onInput={(event) => {
          const typed = event.currentTarget.value;
          const { value, fault: refused } = parseCapacityOption(name, [typed]);
          const of = refused === null ? CAPACITY_OPTIONS[name].serialise(value as never).join('') : committed;
          draft.value = { text: typed, of };
          if (refused === null) onChange({ [name]: value });
        }}
        onBlur={() => {
          if (fault === null) draft.value = null;
        }}
      />
      {offered !== undefined && (
        <datalist id={`${id}-offered`}>
          {offered.map((value) => (
            <option key={value} value={value} />
          ))}
        </datalist>
      )}
      <p class="hint" id={`${id}-help`}>
        {help}
      </p>
      {children}
      {fault !== null && (
        <p class="field-error" role="alert">
          {faultSentence(fault)}
        </p>
      )}
    </div>
  );
}
