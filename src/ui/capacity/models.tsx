/** The models that are planned side by side: what each is, its weights, and how others are added. */
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { hubHost } from '../../lab/hub-host';
import { lookedUpModels } from '../../lab/capacity-sources';
import { ARCHITECTURES } from '../../model/architectures';
import { browserDeps } from '../../model/hub/deps';
import type { CapacityState, PlannedModel } from '../../protocol/capacity';
import {
  CAPACITY_OPTIONS,
  isPlannedId,
  readBytes,
  readTyped,
  readWeights,
  typedId,
} from '../../protocol/capacity-options';
import { ConfigInput, type InputModel } from '../config-input/config-input';
import { fetchHubModel } from '../config-input/hub-model';
import { useUi } from '../context';
import { reasonText } from './sentences';
import type { CapacityTexts } from './words';

interface Props {
  state: CapacityState;
  models: readonly PlannedModel[];
  onChange: (patch: Partial<CapacityState>) => void;
}

/** As many as the link takes. */
const MOST = CAPACITY_OPTIONS.model.form.control === 'models' ? CAPACITY_OPTIONS.model.form.maxItems : 0;

export function CapacityModels({ state, models, onChange }: Props) {
  const { tr } = useUi<CapacityTexts>();
  const add = (id: string) => {
    if (!state.model.includes(id) && state.model.length < MOST) onChange({ model: [...state.model, id] });
  };
  const full = state.model.length >= MOST;
  return (
    <fieldset class="models capacity-models">
      <legend>{tr('cap.models')}</legend>
      <p class="hint">{tr('cap.models.hint')}</p>
      <ul class="cards">
        {models.map((model) => (
          <ModelCard key={model.id} {...{ model, state, onChange }} />
        ))}
      </ul>
      {full ? (
        <p class="hint">{tr('cap.add.full', { n: MOST })}</p>
      ) : (
        <>
          <AddModel onAdd={add} />
          <details class="capacity-more">
            <summary>{tr('cap.typed')}</summary>
            <AddTyped onAdd={add} />
          </details>
          <details class="capacity-more">
            <summary>{tr('cap.other')}</summary>
            <AddOther onAdd={add} />
          </details>
        </>
      )}
    </fieldset>
  );
}

function ModelCard({ model, state, onChange }: Omit<Props, 'models'> & { model: PlannedModel }) {
  const { tr, size } = useUi<CapacityTexts>();
  const { id, name, weights, reason } = model;
  // What was typed or pasted is nowhere to be looked up.
  const isOnHub = readTyped(id) === null && !id.startsWith('config:');
  return (
    <li class="card capacity-card" data-testid="capacity-model" data-model={id}>
      <div class="capacity-card-head">
        <span class="card-name">{name}</span>
        <span class="hint">{isOnHub ? id : ''}</span>
        <button
          type="button"
          class="button button-quiet"
          aria-label={tr('cap.remove', { name })}
          // A plan of no model has nothing to say, and its link would be the default's.
          disabled={state.model.length === 1}
          onClick={() => {
            onChange({
              model: state.model.filter((other) => other !== id),
              weights: state.weights.filter((text) => readWeights(text)?.model !== id),
            });
          }}
        >
          {tr('cap.remove.short')}
        </button>
      </div>
      {weights !== null && (
        <p class="hint">
          {size(weights.bytes)} · {tr(`cap.weights.${weights.from}`, { source: weights.source })}
          {weights.atLeast && ` ${tr('cap.weights.atLeast')}`}
        </p>
      )}
      {reason !== null && <p class="message message-warn">{reasonText(reason, tr)}</p>}
      {weights === null && isOnHub && <LookUp id={id} />}
      {model.rows.length > 0 && <WeightsField {...{ model, state, onChange }} />}
    </li>
  );
}

function WeightsField({ model, state, onChange }: Omit<Props, 'models'> & { model: PlannedModel }) {
  const { tr } = useUi<CapacityTexts>();
  const { id, name } = model;
  const mine = state.weights.find((text) => readWeights(text)?.model === id);
  const committed = mine?.slice(id.length + 1) ?? '';
  const draft = useSignal<{ text: string; of: string } | null>(null);
  const text = draft.value?.of === committed ? draft.value.text : committed;
  const bad = text.trim() !== '' && readBytes(text) === null;
  const field = `capacity-weights-${String(state.model.indexOf(id))}`;
  return (
    <div class="field capacity-weights">
      <label for={field} aria-label={tr('cap.weights', { name })}>
        {tr('cap.weights.short')}
      </label>
      <input
        id={field}
        type="text"
        autocomplete="off"
        aria-describedby={`${field}-help`}
        aria-invalid={bad}
        placeholder={model.weights === null ? '' : String(model.weights.bytes)}
        value={text}
        onInput={(event) => {
          const typed = event.currentTarget.value;
          const bytes = readBytes(typed);
          const others = state.weights.filter((other) => other !== mine);
          if (typed.trim() === '') {
            draft.value = { text: typed, of: '' };
            onChange({ weights: others });
          } else if (bytes === null) draft.value = { text: typed, of: committed };
          else {
            draft.value = { text: typed, of: String(bytes) };
            onChange({ weights: [...others, `${id}:${bytes}`] });
          }
        }}
      />
      <p class={bad ? 'field-error' : 'hint'} id={`${field}-help`} role={bad ? 'alert' : undefined}>
        {bad ? tr('cap.weights.bad', { value: text.trim() }) : tr('cap.weights.help')}
      </p>
    </div>
  );
}

/** Asks the hub for a model that the catalogue does not have, on a click. */
function LookUp({ id }: { id: string }) {
  const { tr, faultSentence } = useUi<CapacityTexts>();
  const host = hubHost();
  const state = useSignal<'idle' | 'looking'>('idle');
  const problem = useSignal<string | null>(null);
  const abort = useRef(new AbortController());
  const lookUp = async () => {
    state.value = 'looking';
    problem.value = null;
    const { signal } = abort.current;
    const read = await fetchHubModel(browserDeps(), { id, host, signal, onNotice: () => undefined });
    state.value = 'idle';
    if ('fault' in read) problem.value = faultSentence(read.fault);
    else remember(id, read.model);
  };
  return (
    <p>
      <button type="button" class="button" disabled={state.value === 'looking'} onClick={() => void lookUp()}>
        {state.value === 'looking' ? tr('cap.looking', { host, id }) : tr('cap.lookUp', { host })}
      </button>
      {problem.value !== null && <span class="field-error" role="alert">{` ${problem.value}`}</span>}
    </p>
  );
}

/** Keeps a model for this page, so that the plan can be worked out. */
function remember(id: string, { config, geometry, weightBytes, parameters }: InputModel): void {
  const name = id.replace(/^config:/, '').replace(/^.*\//, '');
  const model = { name, config, geometry, weightBytes, parameters };
  lookedUpModels.value = new Map([...lookedUpModels.value, [id, model]]);
}

function AddModel({ onAdd }: { onAdd: (id: string) => void }) {
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

function AddTyped({ onAdd }: { onAdd: (id: string) => void }) {
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

function AddOther({ onAdd }: { onAdd: (id: string) => void }) {
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
