/** The model picker: one card a model, with what decides its cache. Several can be chosen. */
import { bytesPerToken } from '../geometry/bytes';
import { CATALOG, type CatalogModel } from '../model/catalog';
import { DTYPE_BYTES } from '../protocol/recipe';
import { Badge } from './badges';
import { useUi } from './context';

export function ModelPicker() {
  const { tr, store } = useUi();
  const running = isBusy(store.run.value.status);
  return (
    <fieldset class="models" data-testid="model-picker" disabled={running}>
      <legend>{tr('models.legend')}</legend>
      <p class="hint" id="models-hint">
        {tr('models.hint')}
      </p>
      <div class="cards">
        {CATALOG.map((model) => (
          <ModelCard key={model.id} model={model} />
        ))}
      </div>
    </fieldset>
  );
}

/** True while a run is being prepared or going on; settings are then closed. */
export function isBusy(status: string): boolean {
  return status === 'running' || status === 'waiting';
}

function ModelCard({ model }: { model: CatalogModel }) {
  const { tr, store, int } = useUi();
  const { model: chosen, dtype } = store.recipe.value;
  const checked = chosen.includes(model.id);
  const key = model.id.replace(/[^\w-]/g, '-');
  const { geometry } = model;
  const facts: [string, string][] = [
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
      : ([[tr('models.parameters'), int(model.parameters)]] satisfies [string, string][])),
  ];
  const toggle = (on: boolean) => {
    // The catalog's order, whatever the order of clicking: the same choice gives the same link.
    const ids = CATALOG.map(({ id }) => id).filter((id) => (id === model.id ? on : chosen.includes(id)));
    store.setRecipe({ model: ids });
  };
  return (
    <div class={checked ? 'card is-chosen' : 'card'}>
      <label class="card-title">
        <input
          type="checkbox"
          name="model"
          value={model.id}
          checked={checked}
          aria-describedby={`facts-${key} note-${key}`}
          onChange={(event) => {
            toggle(event.currentTarget.checked);
          }}
        />
        <span class="card-name">{model.name}</span>
        <Badge kind={model.source === 'twin' ? 'twin' : 'builtIn'} />
      </label>
      <dl class="facts" id={`facts-${key}`}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p class="hint" id={`note-${key}`}>
        {tr(model.source === 'twin' ? 'models.twinNote' : 'models.builtInNote')}
      </p>
    </div>
  );
}
