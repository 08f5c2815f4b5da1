/** The model picker: one card a model, with what decides its cache. Several can be chosen, from outside as well. */
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { bytesPerToken } from '../geometry/bytes';
import { isOutside, isTwinToOpen } from '../lab/models';
import { isActive, type RunState } from '../lab/run-state';
import { CATALOG, findModel, type CatalogModel } from '../model/catalog';
import { DTYPE_BYTES, OF_ONE_MODEL } from '../protocol/recipe';
import { Badge } from './badges';
import { useUi } from './context';
import { FactRows, type Fact } from './fact-rows';
import { lazyPart } from './lazy-part';
import { modelName } from './model-name';

const OutsideCards = lazyPart(async () => (await import('./hub/outside-cards')).OutsideCards);
const TwinCards = lazyPart(async () => (await import('./hub/twin-cards')).TwinCards);
const OtherModels = lazyPart(async () => (await import('./hub/other-models')).OtherModels);

export function ModelPicker() {
  const { tr, store } = useUi();
  const running = isActive(store.run.value);
  const { model: chosen, experiment } = store.recipe.value;
  const single = OF_ONE_MODEL.includes(experiment);
  const opened = useSignal(false);
  const details = useRef<HTMLDetailsElement>(null);
  const drop = useFolderDrop(running, () => {
    if (details.current !== null) details.current.open = true;
  });
  // A counterfactual that a link brought is chosen though the catalog does not list it.
  const unlisted = chosen.flatMap((id) =>
    CATALOG.some((model) => model.id === id) ? [] : (findModel(id) ?? []),
  );
  return (
    <fieldset class="models" data-testid="model-picker" disabled={running} {...drop}>
      <legend>{tr('models.legend')}</legend>
      <p class="hint" id="models-hint">
        {tr(single ? 'models.hintOne' : 'models.hint')}
      </p>
      <div class="cards">
        {[...CATALOG, ...unlisted].map((model) => (
          <ModelCard key={model.id} model={model} single={single} />
        ))}
        {chosen.some(isTwinToOpen) && <TwinCards waiting={<p class="muted">…</p>} />}
        {chosen.some(isOutside) && <OutsideCards />}
      </div>
      <details
        class="other-models"
        data-testid="other-models"
        ref={details}
        onToggle={(event) => {
          if (event.currentTarget.open) opened.value = true;
        }}
      >
        <summary>
          <span class="summary-title">{tr('models.other')}</span>
          <span class="summary-values">{tr('models.otherHint')}</span>
        </summary>
        {opened.value && <OtherModels waiting={<p class="muted">…</p>} />}
      </details>
    </fieldset>
  );
}

/** True while a run is being prepared or going on; settings are then closed. */
export function isBusy(status: RunState['status']): boolean {
  return ['waiting', 'asking', 'downloading', 'running'].includes(status);
}

/** Takes a dropped model folder. Its entries can be asked for only while the event lasts; the rest is loaded then. */
function useFolderDrop(closed: boolean, onDrop: () => void) {
  const { store } = useUi();
  const over = useSignal(false);
  const isFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;
  return {
    'data-drop': over.value ? '' : undefined,
    onDragOver: (event: DragEvent) => {
      if (!isFiles(event)) return;
      // Without this the browser would leave the page for the file, also while nothing can be added.
      event.preventDefault();
      over.value = !closed;
    },
    onDragLeave: (event: DragEvent & { currentTarget: Element }) => {
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) over.value = false;
    },
    onDrop: (event: DragEvent) => {
      if (!isFiles(event)) return;
      event.preventDefault();
      over.value = false;
      if (closed) return;
      const items = [...(event.dataTransfer?.items ?? [])];
      const entries = items.map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
      onDrop();
      void import('./hub/models').then(({ addDropped }) => addDropped(store, entries));
    },
  };
}

/** @param single The experiment takes one model. */
function ModelCard({ model, single }: { model: CatalogModel; single: boolean }) {
  const { tr, store, int } = useUi();
  const { model: chosen, dtype } = store.recipe.value;
  const checked = chosen.includes(model.id);
  const key = model.id.replace(/[^\w-]/g, '-');
  const { geometry } = model;
  const facts: Fact[] = [
    [tr('models.layers'), int(geometry.layers)],
    [tr('models.heads'), int(geometry.attentionHeads)],
    [tr('models.kvHeads'), int(geometry.kvHeads)],
    [tr('models.headDim'), int(geometry.headDim)],
    [tr('models.bytesPerToken'), int(bytesPerToken(geometry, DTYPE_BYTES[dtype[0] ?? 'fp32']))],
    [
      tr('models.maxPositions'),
      geometry.maxPositions === null ? tr('models.noLimit') : int(geometry.maxPositions),
    ],
    ...(model.parameters === null
      ? []
      : ([[tr('models.parameters'), int(model.parameters)]] satisfies Fact[])),
  ];
  const toggle = (on: boolean) => {
    if (single) {
      store.setRecipe({ model: [model.id] });
      return;
    }
    // The catalog's order, whatever the order of clicking: the same choice gives the same link. Others come after.
    const listed = CATALOG.map(({ id }) => id).filter((id) => (id === model.id ? on : chosen.includes(id)));
    const others = chosen.filter((id) => id !== model.id && !listed.includes(id));
    store.setRecipe({ model: [...listed, ...others] });
  };
  return (
    <div class={checked ? 'card is-chosen' : 'card'}>
      <label class="card-title">
        <input
          type={single ? 'radio' : 'checkbox'}
          name="model"
          value={model.id}
          checked={checked}
          aria-describedby={`facts-${key} note-${key}`}
          onChange={(event) => {
            toggle(event.currentTarget.checked);
          }}
        />
        <span class="card-name">{modelName(model.id, tr)}</span>
        <Badge kind={model.source === 'twin' ? 'twin' : 'builtIn'} />
      </label>
      <dl class="facts" id={`facts-${key}`}>
        <FactRows facts={facts} />
      </dl>
      <p class="hint" id={`note-${key}`}>
        {tr(model.source === 'twin' ? 'models.twinNote' : 'models.builtInNote')}
      </p>
    </div>
  );
}
