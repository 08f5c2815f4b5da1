/** The curated list, searched as one types; each result is added by one press. */
import { useSignal } from '@preact/signals';
import { searchCurated, type CuratedModel } from '../../model/hub/curated';
import { addOutside } from './models';
import { useHubUi } from './text';

export function SearchCurated() {
  const { hub, store, language, announce, faultSentence } = useHubUi();
  const text = useSignal('');
  const problem = useSignal<string | null>(null);
  const results = searchCurated(text.value);
  const add = async ({ id, name }: CuratedModel) => {
    announce(hub('hub.added', { name }));
    const fault = await addOutside(store, id);
    problem.value = fault === null ? null : faultSentence(fault);
  };
  return (
    <div class="hub-search">
      <div class="field">
        <label for="hub-search">{hub('hub.search')}</label>
        <input
          id="hub-search"
          type="search"
          autocomplete="off"
          spellcheck={false}
          aria-describedby="hub-search-help"
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value;
          }}
        />
        <p class="hint" id="hub-search-help">
          {hub('hub.searchHint')}
        </p>
      </div>
      {problem.value !== null && (
        <p class="field-error" role="alert">
          {problem.value}
        </p>
      )}
      <p class="hint" role="status">
        {results.length === 0 ? hub('hub.noResults') : hub('hub.results', { n: results.length })}
      </p>
      <ul class="hub-results" data-testid="hub-results">
        {results.map((model) => (
          <li key={model.id}>
            <span>
              <strong>{model.name}</strong> <span class="muted">{model.family}</span>
              <span class="hub-remark">{model.remark[language]}</span>
            </span>
            <AddButton model={model} onAdd={() => void add(model)} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function AddButton({ model, onAdd }: { model: CuratedModel; onAdd: () => void }) {
  const { hub, store } = useHubUi();
  const chosen = store.recipe.value.model.some((id) => id.split('@')[0] === model.id);
  return (
    <button
      type="button"
      class="button button-quiet"
      // Not disabled: a button that was just pressed keeps the focus.
      aria-disabled={chosen}
      aria-label={hub('hub.addOf', { name: model.name })}
      onClick={() => {
        if (!chosen) onAdd();
      }}
    >
      {hub(chosen ? 'hub.chosen' : 'hub.add')}
    </button>
  );
}
