/** Ways in of a model that is planned: by id, by reported bytes, by any config.json. */
import { useSignal } from '@preact/signals';
import { keepLookedUp, plannedIdOf } from '../../lab/capacity-sources';
import { ARCHITECTURES } from '../../model/architectures';
import { readBytes, readTyped, typedId } from '../../protocol/capacity-options';
import { ConfigInput, type InputModel } from '../config-input/config-input';
import { useUi } from '../context';
import { LineInput } from '../line-input';
import type { CapacityTexts } from './words';

/** Keeps a model for this page, so that the plan can be worked out; gives its id. */
export function remember({ id, name, config, geometry, weightBytes, parameters }: InputModel): string {
  return keepLookedUp({ id, name, config, geometry, weightBytes, parameters });
}

export function AddModel({ onAdd }: { onAdd: (id: string) => void }) {
  const { tr } = useUi<CapacityTexts>();
  const text = useSignal('');
  const bad = useSignal<string | null>(null);
  return (
    <form
      class="field capacity-add"
      onSubmit={(event) => {
        event.preventDefault();
        const typed = text.value.trim();
        const id = plannedIdOf(typed);
        if (id === null) bad.value = typed;
        else {
          bad.value = null;
          text.value = '';
          onAdd(id);
        }
      }}
    >
      <label for="capacity-add">{tr('cap.add')}</label>
      <LineInput
        id="capacity-add"
        list="capacity-catalogue"
        invalid={bad.value !== null}
        value={text.value}
        onType={(typed) => {
          text.value = typed;
        }}
        button={tr('cap.add.button')}
      />
      <datalist id="capacity-catalogue">
        {ARCHITECTURES.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </datalist>
      <p
        class={bad.value === null ? 'hint' : 'field-error'}
        id="capacity-add-help"
        role={bad.value === null ? undefined : 'alert'}
      >
        {bad.value === null
          ? tr('cap.add.hint', { n: ARCHITECTURES.length })
          : bad.value === ''
            ? tr('cap.add.empty')
            : tr('cap.add.bad', { value: bad.value })}
      </p>
    </form>
  );
}

const TYPED_FIELDS = ['name', 'perToken', 'fixed', 'weights'] as const;
const EMPTY = { name: '', perToken: '', fixed: '', weights: '' };

export function AddTyped({ onAdd }: { onAdd: (id: string) => void }) {
  const { tr } = useUi<CapacityTexts>();
  const fields = useSignal(EMPTY);
  const bad = useSignal(false);
  const submit = () => {
    const { name, perToken, fixed, weights } = fields.value;
    const fixedBytes = fixed.trim() === '' ? 0 : readBytes(fixed);
    const weightBytes = weights.trim() === '' ? null : readBytes(weights);
    const numbers = fixedBytes !== null && (weights.trim() === '' || weightBytes !== null);
    const bytesPerToken = Number(perToken.replaceAll(',', '').trim());
    const id = typedId({ name: name.trim(), bytesPerToken, fixedBytes: fixedBytes ?? 0, weightBytes });
    bad.value = !numbers || readTyped(id) === null;
    if (bad.value) return;
    fields.value = EMPTY;
    onAdd(id);
  };
  return (
    <form
      class="config-way"
      data-testid="capacity-typed"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <p class="hint">{tr('cap.typed.hint')}</p>
      <div class="fields">
        {TYPED_FIELDS.map((name) => (
          <div key={name} class="field">
            <label for={`capacity-typed-${name}`}>{tr(`cap.typed.${name}`)}</label>
            <input
              id={`capacity-typed-${name}`}
              type="text"
              autocomplete="off"
              aria-describedby={bad.value ? 'capacity-typed-error' : undefined}
              value={fields.value[name]}
              onInput={(event) => {
                fields.value = { ...fields.value, [name]: event.currentTarget.value };
              }}
            />
          </div>
        ))}
      </div>
      {bad.value && (
        <p class="field-error" id="capacity-typed-error" role="alert">
          {tr('cap.typed.bad')}
        </p>
      )}
      <p class="buttons">
        <button type="submit" class="button">
          {tr('cap.typed.use')}
        </button>
      </p>
    </form>
  );
}

export function AddOther({ onAdd }: { onAdd: (id: string) => void }) {
  const { tr } = useUi<CapacityTexts>();
  const read = useSignal<InputModel | null>(null);
  return (
    <>
      <p class="hint">{tr('cap.other.hint')}</p>
      <ConfigInput
        idPrefix="capacity-config"
        onModel={(model) => {
          read.value = model;
        }}
        onClear={() => {
          read.value = null;
        }}
      >
        <p>
          <button
            type="button"
            class="button"
            onClick={() => {
              const model = read.value;
              if (model === null) return;
              onAdd(model.from === 'catalogue' && model.id !== null ? model.id : remember(model));
            }}
          >
            {tr('cap.add.button')}
          </button>
        </p>
      </ConfigInput>
    </>
  );
}
