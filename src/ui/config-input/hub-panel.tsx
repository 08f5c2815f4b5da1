/** A model's config.json from the hub, asked for when the button is pressed. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { hubHost } from '../../lab/hub-host';
import { browserDeps } from '../../model/hub/deps';
import { cut } from '../../protocol/options';
import { useUi } from '../context';
import { readTypedId } from '../hub/typed-id';
import { LineInput } from '../line-input';
import { fetchHubModel } from './hub-model';
import type { ReadModel } from './input-model';

interface Props {
  idPrefix: string;
  /** What is in the field at first. */
  start: string;
  /** A new question begins; what was wrong with the last one is over. */
  onAsk: () => void;
  onRead: (read: ReadModel) => void;
}

export function HubPanel({ idPrefix, start, onAsk, onRead }: Props) {
  const { tr } = useUi<'input'>();
  const text = useSignal(start);
  /** The id that is being asked for. */
  const looking = useSignal<string | null>(null);
  const abort = useRef<AbortController | null>(null);
  const host = hubHost();
  useEffect(() => () => abort.current?.abort(), []);

  const lookUp = async () => {
    abort.current?.abort();
    onAsk();
    const typed = text.value.trim();
    const id = readTypedId(typed, host);
    if (id === null) {
      onRead({ fault: { code: 'hub-bad-id', params: { id: cut(typed) } }, prefill: null });
      return;
    }
    const own = new AbortController();
    abort.current = own;
    looking.value = id;
    // A notice tells that a file of kilobytes was not kept: nothing that matters here.
    const request = { id, host, signal: own.signal, onNotice: () => undefined };
    const read = await fetchHubModel(browserDeps(), request);
    if (abort.current !== own || own.signal.aborted) return;
    looking.value = null;
    onRead(read);
  };

  return (
    <form
      class="config-way"
      onSubmit={(event) => {
        event.preventDefault();
        void lookUp();
      }}
    >
      <label for={`${idPrefix}-hub`}>{tr('input.hubId')}</label>
      <LineInput
        id={`${idPrefix}-hub`}
        class="config-text"
        testId={`${idPrefix}-hub`}
        placeholder="Qwen/Qwen3-8B"
        value={text.value}
        onType={(typed) => {
          text.value = typed;
        }}
        button={tr('input.lookUp')}
      />
      <p class="hint" id={`${idPrefix}-hub-help`}>
        {tr('input.hubHint', { host })}
      </p>
      {looking.value !== null && (
        <p role="status">
          {tr('input.looking', { id: looking.value, host })}{' '}
          <button
            type="button"
            class="button button-quiet"
            onClick={() => {
              abort.current?.abort();
              looking.value = null;
            }}
          >
            {tr('input.cancel')}
          </button>
        </p>
      )}
    </form>
  );
}
