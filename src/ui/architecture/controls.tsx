/** Context, batch and element type of the cache. */
import type { Signal } from '@preact/signals';
import { useUi } from '../context';
import { BATCHES, DTYPE_CHOICES } from './settings';

/** The choice of bits per element, which are typed. */
export const OWN_BITS = 'bits';

interface Props {
  /** Null: what is usual for the model. */
  tokensText: Signal<string | null>;
  dtypeChoice: Signal<string>;
  bitsText: Signal<string>;
  batch: Signal<number>;
  /** The type that is chosen now, or usual for the model. */
  choice: string;
  usual: number;
  tokensFault: string | null;
  bitsFault: string | null;
  /** Positions that the model was made for, when more are asked for. */
  over: number | null;
}

export function Controls(props: Props) {
  const { tr } = useUi<'architecture'>();
  const { tokensText, dtypeChoice, bitsText, batch, choice, usual, tokensFault, bitsFault, over } = props;
  return (
    <div class="fields architecture-controls">
      <TypedField
        id="calc-tokens"
        label={tr('arch.tokens')}
        inputMode="numeric"
        value={tokensText.value ?? String(usual)}
        fault={tokensFault}
        hint={over === null ? null : tr('arch.overMax', { maximum: over })}
        onType={(text) => {
          tokensText.value = text;
        }}
      />
      <div class="field">
        <label for="calc-batch">{tr('setting.batch')}</label>
        <select
          id="calc-batch"
          value={batch.value}
          onChange={(event) => {
            batch.value = Number(event.currentTarget.value);
          }}
        >
          {BATCHES.map((size) => (
            <option key={size} value={size}>
              {size}
            </option>
          ))}
        </select>
      </div>
      <div class="field">
        <label for="calc-dtype">{tr('arch.kvDtype')}</label>
        <select
          id="calc-dtype"
          value={choice}
          onChange={(event) => {
            dtypeChoice.value = event.currentTarget.value;
          }}
        >
          {DTYPE_CHOICES.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
          <option value={OWN_BITS}>{tr('arch.kvDtypeBits')}</option>
        </select>
      </div>
      {choice === OWN_BITS && (
        <TypedField
          id="calc-bits"
          label={tr('arch.bits')}
          inputMode="decimal"
          value={bitsText.value}
          fault={bitsFault}
          onType={(text) => {
            bitsText.value = text;
          }}
        />
      )}
    </div>
  );
}

interface FieldProps {
  id: string;
  label: string;
  inputMode: 'numeric' | 'decimal';
  value: string;
  /** What is wrong with the value. */
  fault: string | null;
  /** What is to be known of a value that is not wrong. */
  hint?: string | null;
  onType: (text: string) => void;
}

function TypedField({ id, label, inputMode, value, fault, hint = null, onType }: FieldProps) {
  const below = fault ?? hint;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        inputMode={inputMode}
        autocomplete="off"
        aria-invalid={fault !== null}
        aria-describedby={below === null ? undefined : `${id}-help`}
        value={value}
        onInput={(event) => {
          onType(event.currentTarget.value);
        }}
      />
      {below !== null && (
        <p class={fault === null ? 'hint' : 'field-error'} id={`${id}-help`}>
          {below}
        </p>
      )}
    </div>
  );
}
