/** The models that are planned side by side: what each is, its weights, and how others are added. */
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { hubHost } from '../../lab/hub-host';
import { browserDeps } from '../../model/hub/deps';
import type { CapacityState, PlannedModel } from '../../protocol/capacity';
import { CAPACITY_OPTIONS, readBytes, readTyped, readWeights } from '../../protocol/capacity-options';
import { fetchHubModel } from '../config-input/hub-model';
import { useUi } from '../context';
import { AddModel, AddOther, AddTyped, remember } from './add-model';
import { reasonText, sourceText } from './sentences';
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
          {size(weights.bytes)} ·{' '}
          {tr(`cap.weights.${weights.from}`, { source: sourceText(weights.source, tr) })}
          {weights.atLeast && ` ${tr('cap.weights.atLeast')}`}
        </p>
      )}
      {reason !== null && <p class="message message-warn">{reasonText(reason, tr, id)}</p>}
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
    else remember({ ...read.model, id });
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
