/** The catalogue of architectures, searched as one types: a press takes a model's cache twin into the recipe, or out again. */
import { useSignal } from '@preact/signals';
import type { Fault } from '../../protocol/faults';
import { CataloguePanel } from '../config-input/catalogue-panel';
import { useHubUi } from './text';
import { addTwin, removeTwin } from './twins';

export function TwinSearch() {
  const { hub, store, announce, faultSentence } = useHubUi();
  const fault = useSignal<Fault | null>(null);
  const chosen = store.recipe.value.model;
  const toggle = (repo: string, name: string) => {
    const id = `twin:${repo}`;
    if (chosen.includes(id)) {
      removeTwin(store, id);
      fault.value = null;
      announce(hub('hub.removed', { name }));
      return;
    }
    fault.value = addTwin(store, id);
    if (fault.value === null) announce(hub('hub.added', { name }));
  };
  return (
    <div class="hub-twins" data-testid="twin-search">
      <p class="hub-label">{hub('twin.title')}</p>
      <p class="hint">{hub('twin.lead')}</p>
      {fault.value !== null && (
        <p class="field-error" role="alert">
          {faultSentence(fault.value)}
        </p>
      )}
      <CataloguePanel
        idPrefix="twins"
        isChosen={(id) => chosen.includes(`twin:${id}`)}
        onRead={(read) => {
          if ('fault' in read) fault.value = read.fault;
          else if (read.model.id !== null) toggle(read.model.id, read.model.name);
        }}
      />
    </div>
  );
}
