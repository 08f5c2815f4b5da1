/** The numbers by hand: heads and dims, or bytes; prefilled with what a config gave. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useUi } from '../context';
import { modelByHand, type HandFault, type HandFields, type HandWay } from './by-hand';
import type { HandPrefill, ReadModel } from './input-model';

const FIELDS: Record<HandWay, (keyof HandFields)[]> = {
  heads: [
    'name',
    'layers',
    'kvHeads',
    'attentionHeads',
    'keyDim',
    'valueDim',
    'windowLayers',
    'window',
    'fixedBytes',
  ],
  bytes: ['name', 'bytesPerToken', 'fixedBytes'],
};

const HINTS = {
  attentionHeads: 'input.hand.headsHint',
  valueDim: 'input.hand.valueHint',
  windowLayers: 'input.hand.windowHint',
  fixedBytes: 'input.hand.fixedHint',
} as const;

const EMPTY: HandFields = {
  name: '',
  layers: '',
  kvHeads: '',
  attentionHeads: '',
  keyDim: '',
  valueDim: '',
  windowLayers: '',
  window: '',
  bytesPerToken: '',
  fixedBytes: '',
};

interface Props {
  idPrefix: string;
  prefill: HandPrefill | null;
  onRead: (read: ReadModel) => void;
}

export function HandPanel({ idPrefix, prefill, onRead }: Props) {
  const { tr } = useUi<'input'>();
  const way = useSignal<HandWay>('heads');
  const fields = useSignal<HandFields>(EMPTY);
  const fault = useSignal<HandFault | null>(null);
  useEffect(() => {
    if (prefill === null) return;
    const text = (value: number | null): string => (value === null ? '' : String(value));
    const { name, layers, kvHeads, attentionHeads, headDim } = prefill;
    fields.value = {
      ...EMPTY,
      ...{ name, layers: text(layers), kvHeads: text(kvHeads), keyDim: text(headDim) },
      attentionHeads: text(attentionHeads),
    };
    way.value = 'heads';
    document.getElementById(`${idPrefix}-hand-layers`)?.focus();
  }, [prefill]);
  const submit = () => {
    const read = modelByHand(fields.value, way.value);
    if ('fault' in read) {
      fault.value = read.fault;
      document.getElementById(`${idPrefix}-hand-${read.fault.field}`)?.focus();
      return;
    }
    fault.value = null;
    onRead({ model: read.model });
  };
  return (
    <form
      class="config-way"
      data-testid={`${idPrefix}-hand`}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div class="segments" role="group" aria-label={tr('input.hand')}>
        {(['heads', 'bytes'] as const).map((name) => (
          <button
            key={name}
            type="button"
            class="segment"
            aria-pressed={way.value === name}
            onClick={() => {
              way.value = name;
              fault.value = null;
            }}
          >
            {tr(name === 'heads' ? 'input.handHeads' : 'input.handBytes')}
          </button>
        ))}
      </div>
      <div class="fields">
        {FIELDS[way.value].map((name) => {
          const id = `${idPrefix}-hand-${name}`;
          const bad = fault.value?.field === name ? fault.value : null;
          const hint = name in HINTS ? HINTS[name as keyof typeof HINTS] : null;
          return (
            <div key={name} class="field">
              <label for={id}>{tr(`input.hand.${name}`)}</label>
              <input
                id={id}
                type="text"
                inputMode={name === 'name' ? 'text' : 'numeric'}
                autocomplete="off"
                aria-invalid={bad !== null}
                aria-describedby={hint === null && bad === null ? undefined : `${id}-help`}
                value={fields.value[name]}
                onInput={(event) => {
                  fields.value = { ...fields.value, [name]: event.currentTarget.value };
                }}
              />
              {(bad !== null || hint !== null) && (
                <p class={bad === null ? 'hint' : 'field-error'} id={`${id}-help`}>
                  {bad === null
                    ? hint !== null && tr(hint)
                    : tr(sentenceOf(bad), { ...bad, field: tr(`input.hand.${name}`) })}
                </p>
              )}
            </div>
          );
        })}
      </div>
      <p class="buttons">
        <button type="submit" class="button">
          {tr('input.hand.use')}
        </button>
      </p>
    </form>
  );
}

function sentenceOf({ value, multipleOf }: HandFault) {
  if (multipleOf > 1) return 'input.hand.badMultiple';
  return value === '' ? 'input.hand.empty' : 'input.hand.bad';
}
