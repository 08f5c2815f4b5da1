/** One of the planner's fields: the limits of the link, and the same words when a value is refused. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { CapacityState } from '../../protocol/capacity';
import { linkText } from '../../protocol/capacity-form';
import { CAPACITY_OPTIONS } from '../../protocol/capacity-options';
import { cut, parseCapacityOption } from '../../protocol/options';
import type { Fault } from '../../protocol/faults';
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
  /** What is said of a value that is refused, where the link's words do not fit. */
  refusal?: (value: string) => string;
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
  refusal,
  children,
}: Props) {
  const { faultSentence } = useUi();
  const committed = CAPACITY_OPTIONS[name].serialise(state[name] as never).join('');
  // What is being typed, kept as it is as long as it belongs to the committed value.
  const draft = useSignal<{ text: string; of: string } | null>(null);
  const mine = draft.value?.of === committed ? draft.value : null;
  const text = mine?.text ?? shown ?? committed;
  const { fault } = mine === null ? { fault: null } : parseCapacityOption(name, [linkText(name, mine.text)]);
  const said = cut(text.trim());
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
        aria-describedby={fault === null ? `${id}-help` : `${id}-help ${id}-error`}
        aria-invalid={fault !== null}
        value={text}
        onInput={(event) => {
          const typed = event.currentTarget.value;
          const { value, fault: refused } = parseCapacityOption(name, [linkText(name, typed)]);
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
        <p class="field-error" id={`${id}-error`} role="alert">
          {refusal?.(said) ?? faultSentence(inWordsOfTheForm(fault, label, said))}
        </p>
      )}
    </div>
  );
}

/** The fault of a link's option with the field's label and what was typed. */
function inWordsOfTheForm(fault: Fault, label: string, value: string): Fault {
  return { ...fault, params: { ...fault.params, option: `“${label}”`, value } };
}
