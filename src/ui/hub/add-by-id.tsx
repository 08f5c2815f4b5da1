/** A free field for the id of any public model. */
import { useSignal } from '@preact/signals';
import type { Fault } from '../../protocol/faults';
import { cut } from '../../protocol/options';
import { addOutside, host } from './models';
import { outsideName } from './outside-cards';
import { useHubUi } from './text';
import { readTypedId } from './typed-id';

export function AddById() {
  const { hub, store, announce, faultSentence } = useHubUi();
  const text = useSignal('');
  const fault = useSignal<Fault | null>(null);
  const add = async () => {
    const id = readTypedId(text.value, host.value);
    fault.value = id === null ? { code: 'hub-bad-id', params: { id: cut(text.value.trim()) } } : null;
    if (id === null) return;
    text.value = '';
    announce(hub('hub.added', { name: outsideName(id) }));
    fault.value = await addOutside(store, id);
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
      <div class="hub-line">
        <input
          id="hub-id"
          type="text"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          placeholder="onnx-community/Qwen3-0.6B-ONNX"
          aria-describedby="hub-id-help"
          aria-invalid={fault.value !== null}
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value;
            fault.value = null;
          }}
        />
        <button type="submit" class="button">
          {hub('hub.add')}
        </button>
      </div>
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
