/** Ways in of a model that is planned: by id, by reported bytes, by any config.json. */
import { useSignal } from '@preact/signals';
import { lookedUpModels } from '../../lab/capacity-sources';
import { ARCHITECTURES } from '../../model/architectures';
import { isPlannedId, readBytes, readTyped, typedId } from '../../protocol/capacity-options';
import { ConfigInput, type InputModel } from '../config-input/config-input';
import { useUi } from '../context';
import type { CapacityTexts } from './words';

/** Keeps a model for this page, so that the plan can be worked out. */
export function remember(id: string, { config, geometry, weightBytes, parameters }: InputModel): void {
  const name = id.replace(/^config:/, '').replace(/^.*\//, '');
  const model = { name, config, geometry, weightBytes, parameters };
  lookedUpModels.value = new Map([...lookedUpModels.value, [id, model]]);
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
        const id = text.value.trim();
        if (!isPlannedId(id)) bad.value = id;
        else {
          bad.value = null;
          text.value = '';
          onAdd(id);
        }
      }}
    >
      <label for="capacity-add">{tr('cap.add')}</label>
      <div class="hub-line">
        <input
          id="capacity-add"
          type="text"
          list="capacity-catalogue"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          aria-describedby="capacity-add-help"
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value;
          }}
        />
        <button type="submit" class="button">
          {tr('cap.add.button')}
        </button>
      </div>
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
              value={fields.value[name]}
              onInput={(event) => {
                fields.value = { ...fields.value, [name]: event.currentTarget.value };
              }}
            />
          </div>
        ))}
      </div>
      {bad.value && (
        <p class="field-error" role="alert">
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
              const id =
                model.id ??
                `config:${model.name.replace(/[^\w.-]+/g, '-').replace(/\.{2,}/g, '.') || 'model'}`;
              if (model.from !== 'catalogue') remember(id, model);
              onAdd(id);
            }}
          >
            {tr('cap.add.button')}
          </button>
        </p>
      </ConfigInput>
    </>
  );
}
