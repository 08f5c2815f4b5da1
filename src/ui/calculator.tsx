/** The calculator: a pasted config.json to geometry, bytes per token, and formula bytes at a few lengths. Needs no GPU. */
import { useSignal } from '@preact/signals';
import { bytesPerToken, formulaBytes } from '../geometry/bytes';
import type { Geometry } from '../geometry/geometry';
import { readGeometry } from '../geometry/read-config';
import { CATALOG } from '../model/catalog';
import { LabError, toFault, type Fault } from '../protocol/faults';
import { DTYPE_BYTES, DTYPES } from '../protocol/recipe';
import { useUi } from './context';
import { Exact } from './exact';
import { choiceText } from './option-field';
import { ScrollTable } from './table';

/** Lengths of the table, in tokens; those of the first article, and one token past a power of two. */
const LENGTHS = [1, 128, 129, 512, 1024, 2048, 4096, 32768];
/** Longest text that is read, in characters; a config.json is a few thousand. */
const MAX_TEXT = 1_000_000;

type Result = { geometry: Geometry } | { fault: Fault } | null;

/** The geometry of a config.json's text, or the fault that says which field is wrong. */
export function readConfigText(text: string): Exclude<Result, null> {
  try {
    if (text.length > MAX_TEXT)
      throw new LabError('record-too-large', { bytes: text.length, limit: MAX_TEXT });
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

function GeometryResult({ geometry }: { geometry: Geometry }) {
  const { tr, int } = useUi();
  const { modelType, layers, attentionHeads, kvHeads, headDim, maxPositions } = geometry;
  return (
    <>
      <p>
        <strong>{modelType}</strong>:{' '}
        {tr('calc.asHidden', { layers, heads: attentionHeads, kvHeads, headDim })}
        {maxPositions !== null && ` · ${tr('models.maxPositions')} ${int(maxPositions)}`}
      </p>
      <dl class="figure-row">
        {DTYPES.map((dtype) => (
          <div key={dtype} class="figure figure-formula">
            <dt>
              {tr('calc.perToken')}, {choiceText(tr, dtype)}
            </dt>
            <dd>
              <Exact value={bytesPerToken(geometry, DTYPE_BYTES[dtype])} />{' '}
              <span class="unit">{tr('unit.bytes')}</span>
            </dd>
          </div>
        ))}
      </dl>
      <ScrollTable
        caption={tr('calc.atLengths')}
        head={[tr('table.tokens'), ...DTYPES.map((dtype) => choiceText(tr, dtype))]}
        textColumns={[]}
      >
        {LENGTHS.map((tokens) => (
          <LengthRow key={tokens} geometry={geometry} tokens={tokens} />
        ))}
      </ScrollTable>
    </>
  );
}

function LengthRow({ geometry, tokens }: { geometry: Geometry; tokens: number }) {
  const { tr, int, size } = useUi();
  const { maxPositions } = geometry;
  return (
    <tr>
      <th scope="row">{int(tokens)}</th>
      {maxPositions !== null && tokens > maxPositions ? (
        <td colSpan={DTYPES.length} class="unmeasured">
          {tr('calc.overMax', { maximum: maxPositions })}
        </td>
      ) : (
        DTYPES.map((dtype) => {
          const bytes = bytesOrNull(geometry, tokens, DTYPE_BYTES[dtype]);
          return bytes === null ? (
            <td key={dtype} class="unmeasured">
              {tr('calc.tooLarge')}
            </td>
          ) : (
            <td key={dtype}>
              {int(bytes)} <span class="muted">({size(bytes)})</span>
            </td>
          );
        })
      )}
    </tr>
  );
}

/** Formula bytes at batch 1; null where they are no exact integer any more. */
function bytesOrNull(geometry: Geometry, tokens: number, elementBytes: number): number | null {
  try {
    return formulaBytes(geometry, { batch: 1, tokens, elementBytes });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
