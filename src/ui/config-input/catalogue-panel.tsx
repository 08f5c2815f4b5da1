/** The catalogue as a list that can be searched: name, id and kinds of cache of each model. */
import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { ARCHITECTURES } from '../../model/architectures';
import { useUi } from '../context';
import { findModels, listModels, type ListedModel } from './catalogue';
import type { ReadModel } from './input-model';
import { readModelConfig } from './read-model';

/** So many are shown at first. */
const SHOWN = 24;

/** @param isChosen Whether a model of that id is chosen now. */
export function CataloguePanel({
  idPrefix,
  isChosen,
  onRead,
}: {
  idPrefix: string;
  isChosen: (id: string) => boolean;
  onRead: (read: ReadModel) => void;
}) {
  const { tr } = useUi<'input'>();
  const query = useSignal('');
  const all = useSignal(false);
  const models = useMemo(() => listModels(ARCHITECTURES), []);
  const found = findModels(models, query.value, (kind) => tr(`kind.${kind}`));
  const shown = all.value ? found : found.slice(0, SHOWN);
  const choose = ({ architecture }: ListedModel) => {
    const { id, name, config, source, weightBytes, parameters } = architecture;
    const facts = { id, name, source, weightBytes, parameters: parameters?.count ?? null };
    onRead(readModelConfig(config, 'catalogue', facts));
  };
  return (
    <div class="config-way" data-testid="catalogue">
      <div class="field is-wide">
        <label for={`${idPrefix}-search`}>{tr('input.search', { n: models.length })}</label>
        <input
          id={`${idPrefix}-search`}
          type="search"
          autocomplete="off"
          spellcheck={false}
          aria-describedby={`${idPrefix}-search-help`}
          value={query.value}
          onInput={(event) => {
            query.value = event.currentTarget.value;
            all.value = false;
          }}
        />
        <p class="hint" id={`${idPrefix}-search-help`}>
          {tr('input.searchHint')}
        </p>
      </div>
      {found.length === 0 ? (
        <p class="message">{tr('input.none', { query: query.value.trim() })}</p>
      ) : (
        <>
          <ul class="catalogue-list" aria-label={tr('calc.way.catalogue')}>
            {shown.map((model) => (
              <li key={model.architecture.id}>
                <button
                  type="button"
                  class="catalogue-item"
                  aria-pressed={isChosen(model.architecture.id)}
                  onClick={() => {
                    choose(model);
                  }}
                >
                  <span class="catalogue-name">{model.architecture.name}</span>
                  <span class="catalogue-id">{model.architecture.id}</span>
                  <span class="catalogue-kinds">
                    {model.kinds.map((kind) => tr(`kind.${kind}`)).join(' · ')}
                  </span>
                </button>
              </li>
            ))}
          </ul>
          {shown.length < found.length && (
            <p>
              <button
                type="button"
                class="button button-quiet"
                onClick={() => {
                  all.value = true;
                }}
              >
                {tr('input.more', { n: found.length })}
              </button>
            </p>
          )}
        </>
      )}
    </div>
  );
}
