/** The calculator: a pasted config.json to geometry, bytes per token, and formula bytes at a few lengths. Needs no GPU. */
import { useSignal } from '@preact/signals';
import { CATALOG } from '../model/catalog';
import { useUi } from './context';
import { lazyPart } from './lazy-part';

const ConfigResult = lazyPart<{ text: string }>(
  async () => (await import('./config-result')).ConfigResult,
  'calculator',
);

export function Calculator() {
  const { tr } = useUi();
  const text = useSignal('');
  /** The text that was computed last; null while nothing is to be shown. */
  const computed = useSignal<string | null>(null);
  const compute = () => {
    computed.value = text.value.trim() === '' ? null : text.value;
  };
  const fill = () => {
    const example = CATALOG.find(({ source }) => source === 'twin');
    text.value = JSON.stringify(example?.config ?? {}, null, 2);
    compute();
  };
  return (
    <section class="calculator" id="calculator" aria-labelledby="calculator-title">
      <p class="eyebrow">{tr('calc.title')}</p>
      <h2 id="calculator-title">{tr('calc.question')}</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          compute();
        }}
      >
        <p class="hint" id="config-help">
          {tr('calc.help')}
        </p>
        <label for="config-input">{tr('calc.input')}</label>
        <textarea
          id="config-input"
          data-testid="config-input"
          rows={8}
          spellcheck={false}
          autocomplete="off"
          aria-describedby="config-help"
          placeholder={'{ "num_hidden_layers": 24, "num_attention_heads": 14, … }'}
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value;
            // A change of what is shown waits for Compute; an emptied field clears at once.
            if (text.value.trim() === '') computed.value = null;
          }}
          onPaste={() => {
            // After the browser has put the pasted text in.
            setTimeout(compute);
          }}
        />
        <p class="buttons">
          <button type="submit" class="button">
            {tr('calc.compute')}
          </button>
          <button type="button" class="button" onClick={fill}>
            {tr('calc.example')}
          </button>
        </p>
      </form>
      <div data-testid="config-result" aria-live="polite">
        {computed.value !== null && <ConfigResult text={computed.value} />}
      </div>
    </section>
  );
}
