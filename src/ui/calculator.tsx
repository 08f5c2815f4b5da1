/** The calculator: a pasted config.json to geometry, bytes per token, and formula bytes at a few lengths. Needs no GPU. */
import { useSignal } from '@preact/signals';
import type { Geometry } from '../geometry/geometry';
import { readGeometry } from '../geometry/read-config';
import { CATALOG } from '../model/catalog';
import { LabError, toFault, type Fault } from '../protocol/faults';
import { useUi } from './context';
import { lazyPart } from './lazy-part';

/** Longest text that is read, in characters; a config.json is a few thousand. */
const MAX_TEXT = 1_000_000;

const GeometryResult = lazyPart<{ geometry: Geometry }>(
  async () => (await import('./geometry-result')).GeometryResult,
);

type Result = { geometry: Geometry } | { fault: Fault } | null;

/** The geometry of a config.json's text, or the fault that says which field is wrong. */
export function readConfigText(text: string): Exclude<Result, null> {
  try {
    if (text.length > MAX_TEXT)
      throw new LabError('config-too-long', { characters: text.length, limit: MAX_TEXT });
    return { geometry: readGeometry(parseJson(text)) };
  } catch (error) {
    return { fault: toFault(error, 'config-not-json') };
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new LabError('config-not-json', { detail: error instanceof Error ? error.message : String(error) });
  }
}

export function Calculator() {
  const { tr, faultSentence } = useUi();
  const text = useSignal('');
  const result = useSignal<Result>(null);
  const compute = () => {
    result.value = text.value.trim() === '' ? null : readConfigText(text.value);
  };
  const fill = () => {
    const example = CATALOG.find(({ source }) => source === 'twin');
    text.value = JSON.stringify(example?.config ?? {}, null, 2);
    compute();
  };
  const shown = result.value;
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
            if (text.value.trim() === '') result.value = null;
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
        {shown !== null &&
          ('fault' in shown ? (
            <p class="message message-error">{faultSentence(shown.fault)}</p>
          ) : (
            <GeometryResult geometry={shown.geometry} />
          ))}
      </div>
    </section>
  );
}
