/** Which documents: the page's own as checkboxes, a person's own texts, and the way to add one. */
import { isActive } from '../../lab/run-state';
import { ownDocuments, removeDocument } from '../../lab/documents';
import { BUILT_IN_DOCUMENTS, defaultRedundancy } from '../../protocol/redundancy';
import { fewestDocuments, isBuiltInDocument, MAX_DOCUMENTS } from '../../protocol/redundancy-options';
import { useUi } from '../context';
import { documentName } from './document-name';
import { ModelHint } from './model-hint';
import { OwnText } from './own-text';
import type { RedundancyTexts } from './words';

export function Documents() {
  const { tr, store, int, announce } = useUi<RedundancyTexts>();
  const state = store.recipe.value.redundancy ?? defaultRedundancy();
  const { documents: chosen, split, skip, keep } = state;
  const own = ownDocuments.value;
  // Those that a link names and that are not here are shown, so that they can be left out.
  const missing = chosen.filter((name) => !isBuiltInDocument(name) && !own.has(name));
  const others = [...own.keys(), ...missing];
  // Several files are added one after the other, so what is chosen is read anew each time.
  const now = () => store.recipe.peek().redundancy ?? state;
  const choose = (name: string, on: boolean) => {
    const before = now();
    const rest = before.documents.filter((one) => one !== name && !isBuiltInDocument(one));
    // The page's order, whatever the order of clicking: the same choice gives the same link.
    const listed = BUILT_IN_DOCUMENTS.filter((one) => (one === name ? on : before.documents.includes(one)));
    const added = on && !isBuiltInDocument(name) ? [name] : [];
    store.setRecipe({ redundancy: { ...before, documents: [...listed, ...rest, ...added] } });
  };
  const remove = (name: string) => {
    const label = documentName(name, tr);
    removeDocument(name);
    if (chosen.includes(name)) choose(name, false);
    announce(tr('red.doc.removed', { name: label }));
    document.querySelector<HTMLElement>('[data-testid="own-text"] > summary')?.focus();
  };
  const needed = fewestDocuments(state);
  return (
    <>
      <ModelHint />
      <fieldset class="red-documents" data-testid="documents" disabled={isActive(store.run.value)}>
        <legend>{tr('red.documents')}</legend>
        <p class="hint" id="documents-hint">
          {tr(split === 'halves' ? 'red.documents.hintHalves' : 'red.documents.hint', { needed })}
        </p>
        <ul class="red-document-list">
          {BUILT_IN_DOCUMENTS.map((name) => (
            <li key={name}>
              <DocumentCheck
                name={name}
                checked={chosen.includes(name)}
                what={tr(`red.doc.${name}.what`)}
                onChange={choose}
              />
            </li>
          ))}
          {others.map((name) => {
            const text = own.get(name);
            return (
              <li key={name}>
                <DocumentCheck
                  name={name}
                  checked={chosen.includes(name)}
                  what={
                    text === undefined ? tr('red.doc.missing') : tr('red.doc.own', { bytes: int(text.bytes) })
                  }
                  missing={text === undefined}
                  onChange={choose}
                />{' '}
                {text !== undefined && (
                  <button
                    type="button"
                    class="button button-quiet"
                    aria-label={tr('red.doc.removeOf', { name: documentName(name, tr) })}
                    onClick={() => {
                      remove(name);
                    }}
                  >
                    {tr('red.doc.remove')}
                  </button>
                )}
              </li>
            );
          })}
        </ul>
        <OwnText
          needed={skip + keep}
          full={(name) => {
            const { documents } = now();
            return !documents.includes(name) && documents.length >= MAX_DOCUMENTS;
          }}
          onAdd={(name) => {
            choose(name, true);
          }}
        />
      </fieldset>
    </>
  );
}

interface CheckProps {
  name: string;
  what: string;
  checked: boolean;
  missing?: boolean;
  onChange: (name: string, on: boolean) => void;
}

function DocumentCheck({ name, what, checked, missing = false, onChange }: CheckProps) {
  const { tr } = useUi<RedundancyTexts>();
  return (
    <label class="check">
      <input
        type="checkbox"
        name="document"
        value={name}
        checked={checked}
        aria-invalid={missing && checked}
        onChange={(event) => {
          onChange(name, event.currentTarget.checked);
        }}
      />
      <span>
        {documentName(name, tr)} <span class={missing ? 'red-missing' : 'muted'}>· {what}</span>
      </span>
    </label>
  );
}
