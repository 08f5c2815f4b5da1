/** Cards of the chosen cache twins that are not on the first screen: of the catalogue, of a pasted config, latent variants. */
import { bytesPerToken, fixedBytes } from '../../geometry/bytes';
import type { LayerCache } from '../../geometry/geometry';
import { isTwinToOpen } from '../../lab/models';
import { layerCount } from '../../model/cut-layers';
import { readTwinId, twinIdWith } from '../../model/twin-id';
import { isLatentId } from '../../protocol/model-name';
import type { TwinSource } from '../../protocol/source';
import { TwinBadges } from '../badges';
import { FactRows, type Fact } from '../fact-rows';
import { modelName } from '../model-name';
import { useHubUi } from './text';
import { addTwin, describeTwin, removeTwin } from './twins';

export function TwinCards() {
  const { store } = useHubUi();
  return (
    <>
      {store.recipe.value.model.filter(isTwinToOpen).map((id) => (
        <TwinCard key={id} id={id} />
      ))}
    </>
  );
}

function TwinCard({ id }: { id: string }) {
  const { hub, tr, store, announce, faultSentence } = useHubUi();
  const described = describeTwin(store, id);
  const twin = readTwinId(id);
  // The catalogue's own name for it, where it could be opened.
  const name =
    'code' in described || twin?.layers != null || twin?.latent ? modelName(id, tr) : described.name;
  return (
    <div class="card is-chosen hub-card" data-testid="twin-card" data-id={id}>
      <div class="card-title">
        <span class="card-name" title={id}>
          {name}
        </span>
        <TwinBadges model={id} />
        <button
          type="button"
          class="button button-quiet hub-remove"
          aria-label={hub('hub.removeOf', { name })}
          onClick={() => {
            removeTwin(store, id);
            announce(hub('hub.removed', { name }));
            // The button that had the focus is gone.
            document.querySelector<HTMLElement>('[data-testid="other-models"] > summary')?.focus();
          }}
        >
          {hub('hub.remove')}
        </button>
      </div>
      {twin !== null && twin.base !== name && <p class="hub-id">{twin.base}</p>}
      {'code' in described ? (
        <p class="message message-error">{faultSentence(described)}</p>
      ) : (
        <TwinFacts id={id} source={described} />
      )}
    </div>
  );
}

/** Key and value dim of a layer's cache; one number where both are the same, or no values are kept. */
function dimOf({ keyDim, valueDim }: LayerCache): string {
  return valueDim === 0 || valueDim === keyDim ? String(keyDim) : `${String(keyDim)} + ${String(valueDim)}`;
}

function TwinFacts({ id, source }: { id: string; source: TwinSource }) {
  const { hub, tr, store, int, announce, faultSentence } = useHubUi();
  const { geometry, scaled, cacheType, parameters } = source;
  const whole = scaled?.whole ?? geometry;
  const elementBytes = cacheType === 'float16' ? 2 : 4;
  const fixed = fixedBytes(whole, elementBytes);
  const of = layerCount(whole);
  // Of the layers' own caches: a graph may keep other heads than config.json names, and layers may differ.
  const keys = whole.caches.filter(({ kvHeads }) => kvHeads > 0);
  const heads = [...new Set(keys.map(({ kvHeads }) => int(kvHeads)))].join(' / ');
  const dims = [...new Set(keys.map(dimOf))].join(' / ');
  const facts: Fact[] = [
    [tr('models.layers'), int(of)],
    [hub('twin.measured'), hub('twin.measuredOf', { measured: layerCount(geometry), of })],
    [tr('models.kvHeads'), heads === '' ? int(0) : heads],
    ...(dims === '' ? [] : ([[tr('models.headDim'), dims]] satisfies Fact[])),
    [tr('models.bytesPerToken'), int(bytesPerToken(whole, elementBytes))],
    ...(fixed === 0 ? [] : ([[hub('twin.fixed'), int(fixed)]] satisfies Fact[])),
    [tr('models.maxPositions'), whole.maxPositions === null ? tr('models.noLimit') : int(whole.maxPositions)],
    ...(parameters === null ? [] : ([[tr('models.parameters'), int(parameters)]] satisfies Fact[])),
  ];
  const twin = readTwinId(id);
  const latent = twin === null || twin.latent ? null : twinIdWith({ ...twin, latent: true }, twin.layers);
  const hasLatents = geometry.caches.some(({ kind }) => kind === 'latent');
  return (
    <>
      <dl class="facts">
        <FactRows facts={facts} />
      </dl>
      <p class="hint">{hub(isLatentId(id) ? 'twin.latentNote' : 'twin.note', { type: cacheType })}</p>
      {(twin?.layers ?? 0) > of && (
        <p class="message message-warn">{hub('twin.tooMany', { asked: twin?.layers ?? 0, of })}</p>
      )}
      {scaled !== null && <p class="hint">{hub('twin.scaledNote')}</p>}
      {hasLatents && latent !== null && !store.recipe.value.model.includes(latent) && (
        <p>
          <button
            type="button"
            class="button button-quiet"
            onClick={() => {
              const fault = addTwin(store, latent);
              announce(
                fault === null ? hub('hub.added', { name: modelName(latent, tr) }) : faultSentence(fault),
              );
            }}
          >
            {hub('twin.addLatent')}
          </button>
        </p>
      )}
    </>
  );
}
