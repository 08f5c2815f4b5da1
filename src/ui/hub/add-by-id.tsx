/** A free field for the id of any public model. */
import { useSignal } from '@preact/signals';
import type { Architecture } from '../../model/architectures';
import type { Fault } from '../../protocol/faults';
import { cut } from '../../protocol/options';
import { LineInput } from '../line-input';
import { addOutside, host } from './models';
import { outsideName } from './outside-cards';
import { useHubUi } from './text';
import { addTwin } from './twins';
import { readTypedId } from './typed-id';

export function AddById() {
  const { hub, store, announce, faultSentence } = useHubUi();
  const text = useSignal('');
  const fault = useSignal<Fault | null>(null);
  /** The typed model, where its config is in the catalogue. */
  const twin = useSignal<Architecture | null>(null);
  const add = async () => {
    const id = readTypedId(text.value, host.value);
    fault.value = id === null ? { code: 'hub-bad-id', params: { id: cut(text.value.trim()) } } : null;
    if (id === null) return;
    text.value = '';
    twin.value = null;
    announce(hub('hub.added', { name: outsideName(id) }));
    fault.value = await addOutside(store, id);
  };
  // The catalogue comes with the first letters. What is typed meanwhile is looked for once more, so that the last one wins.
  const findTwin = async () => {
    const { findArchitecture } = await import('../../model/architectures');
    const [repo] = readTypedId(text.peek(), host.peek())?.split('@') ?? [];
    twin.value = repo === undefined ? null : findArchitecture(repo);
  };
  const measureTwin = ({ id, name }: Architecture) => {
    fault.value = addTwin(store, `twin:${id}`);
    if (fault.value !== null) return;
    text.value = '';
    twin.value = null;
    announce(hub('hub.added', { name }));
  };
  return (
    <form
      class="field"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <label for="hub-id">{hub('hub.id')}</label>
      <LineInput
        id="hub-id"
        placeholder="onnx-community/Qwen3-0.6B-ONNX"
        invalid={fault.value !== null}
        value={text.value}
        onType={(typed) => {
          text.value = typed;
          fault.value = null;
          void findTwin();
        }}
        button={hub(twin.value === null ? 'hub.add' : 'hub.addModel')}
      />
      {twin.value !== null && (
        <p class="hub-twin-offer" data-testid="twin-offer">
          <button
            type="button"
            class="button"
            onClick={() => {
              if (twin.value !== null) measureTwin(twin.value);
            }}
          >
            {hub('twin.measure')}
          </button>{' '}
          <span class="hint">{hub('twin.offer', { name: twin.value.name })}</span>
        </p>
      )}
      {fault.value !== null && (
        <p class="field-error" role="alert">
          {faultSentence(fault.value)}
        </p>
      )}
      <p class="hint" id="hub-id-help">
        {hub('hub.idHint')}
      </p>
    </form>
  );
}
