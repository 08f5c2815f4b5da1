/** One number or size of the redundancy settings: the limits of the link, and the same words when a value is refused. Closes Run meanwhile. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { cut, parseRedundancyOption } from '../../protocol/options';
import type { Fault } from '../../protocol/faults';
import type { RedundancyState } from '../../protocol/redundancy';
import { REDUNDANCY_OPTIONS } from '../../protocol/redundancy-options';
import { useUi } from '../context';

interface Props {
  name: 'skip' | 'keep' | 'context' | 'weights';
  state: RedundancyState;
  /** Why the value cannot be used though it is within its own limits. */
  trouble?: Fault | null;
  onChange: (patch: Partial<RedundancyState>) => void;
}

export function RedundancyField({ name, state, trouble = null, onChange }: Props) {
  const { tr, badFields, faultSentence } = useUi<'redundancy'>();
  const committed = REDUNDANCY_OPTIONS[name].serialise(state[name]).join('');
  // What is being typed, kept as it is as long as it belongs to the committed value.
  const draft = useSignal<{ text: string; of: string } | null>(null);
  const text = draft.value?.of === committed ? draft.value.text : shownText(name, committed);
  const key = `redundancy.${name}`;
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
  const { form } = REDUNDANCY_OPTIONS[name];
  const control =
    form.control === 'number'
      ? ({ type: 'number', inputMode: 'numeric', step: 1, min: form.min, max: form.max } as const)
      : ({ type: 'text', autocomplete: 'off', spellcheck: false } as const);
  const label = tr(`red.${name}`);
  const id = `redundancy-${name}`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        name={name}
        {...control}
        aria-describedby={fault === null ? `${id}-help` : `${id}-help ${id}-error`}
        aria-invalid={fault !== null}
        value={text}
        onInput={(event) => {
          const typed = event.currentTarget.value;
          const { value, fault: refused } = parseRedundancyOption(name, [linkText(name, typed)]);
          tell(refused);
          const of = refused === null ? REDUNDANCY_OPTIONS[name].serialise(value).join('') : committed;
          draft.value = { text: typed, of };
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

/** Weights that are not given are an empty field, and 0 in a link. */
function shownText(name: Props['name'], committed: string): string {
  return name === 'weights' && committed === '0' ? '' : committed;
}

function linkText(name: Props['name'], typed: string): string {
  return name === 'weights' && typed.trim() === '' ? '0' : typed;
}
