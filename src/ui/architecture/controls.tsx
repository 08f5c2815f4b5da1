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
  const below = tokensFault ?? (over === null ? null : tr('arch.overMax', { maximum: over }));
  return (
    <div class="fields architecture-controls">
      <div class="field">
        <label for="calc-tokens">{tr('arch.tokens')}</label>
        <input
          id="calc-tokens"
          type="text"
          inputMode="numeric"
          autocomplete="off"
          aria-invalid={tokensFault !== null}
          aria-describedby={below === null ? undefined : 'calc-tokens-help'}
          value={tokensText.value ?? String(usual)}
          onInput={(event) => {
            tokensText.value = event.currentTarget.value;
          }}
        />
        {below !== null && (
          <p class={tokensFault === null ? 'hint' : 'field-error'} id="calc-tokens-help">
            {below}
          </p>
        )}
      </div>
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
        <div class="field">
          <label for="calc-bits">{tr('arch.bits')}</label>
          <input
            id="calc-bits"
            type="text"
            inputMode="decimal"
            autocomplete="off"
            aria-invalid={bitsFault !== null}
            aria-describedby={bitsFault === null ? undefined : 'calc-bits-help'}
            value={bitsText.value}
            onInput={(event) => {
              bitsText.value = event.currentTarget.value;
            }}
          />
          {bitsFault !== null && (
            <p class="field-error" id="calc-bits-help">
              {bitsFault}
            </p>
          )}
        </div>
      )}
    </div>
  );
}
