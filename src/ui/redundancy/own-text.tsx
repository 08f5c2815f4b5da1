/** Adds a person's own text: pasted under a name, or as .txt and .md files, chosen or dropped. It stays in the page. */
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { addDocument, addDocumentFile, ownDocuments } from '../../lab/documents';
import { toFault, type Fault } from '../../protocol/faults';
import { MAX_DOCUMENTS, ownDocumentName } from '../../protocol/redundancy-options';
import { useUi } from '../context';
import { documentName } from './document-name';
import type { RedundancyTexts } from './words';

interface Props {
  /** Tokens that a document needs. */
  needed: number;
  /** Whether one more of this name would be too many for a run. */
  full: (name: string) => boolean;
  onAdd: (name: string) => void;
}

export function OwnText({ needed, full, onAdd }: Props) {
  const { tr, int, announce, faultSentence } = useUi<RedundancyTexts>();
  const title = useSignal('');
  const text = useSignal('');
  const problem = useSignal<string | null>(null);
  const over = useSignal(false);
  const files = useRef<HTMLInputElement>(null);
  const fallback = tr('red.own.defaultName', { n: ownDocuments.value.size + 1 });

  /** Whether there is room, asked before anything is added: a text of that name may be here already. */
  const hasRoom = (name: string) => {
    if (!full(ownDocumentName(name))) return true;
    problem.value = tr('red.own.full', { n: MAX_DOCUMENTS });
    return false;
  };
  const keep = (name: string) => {
    onAdd(name);
    announce(tr('red.doc.added', { name: documentName(name, tr) }));
  };
  const refuse = (error: unknown) => {
    const fault: Fault = toFault(error, 'document-not-text', { name: title.value, detail: '' });
    problem.value = faultSentence(fault);
  };
  const paste = () => {
    problem.value = null;
    try {
      const name = title.value.trim() === '' ? fallback : title.value;
      if (!hasRoom(name)) return;
      keep(addDocument(name, text.value));
      title.value = '';
      text.value = '';
    } catch (error) {
      refuse(error);
    }
  };
  const read = async (chosen: readonly File[]) => {
    problem.value = null;
    for (const file of chosen) {
      try {
        if (!hasRoom(file.name)) return;
        keep(await addDocumentFile(file));
      } catch (error) {
        refuse(error);
      }
    }
  };
  const isFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;
  return (
    <details
      class="other-models"
      data-testid="own-text"
      data-drop={over.value ? '' : undefined}
      onDragOver={(event) => {
        if (!isFiles(event)) return;
        event.preventDefault();
        over.value = true;
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) over.value = false;
      }}
      onDrop={(event) => {
        if (!isFiles(event)) return;
        event.preventDefault();
        over.value = false;
        event.currentTarget.open = true;
        void read([...(event.dataTransfer?.files ?? [])]);
      }}
    >
      <summary>
        <span class="summary-title">{tr('red.own.title')}</span>
      </summary>
      <div class="red-own">
        <p class="hint">{tr('red.own.hint', { tokens: int(needed) })}</p>
        <div class="field">
          <label for="own-name">{tr('red.own.name')}</label>
          <input
            id="own-name"
            type="text"
            autocomplete="off"
            spellcheck={false}
            placeholder={fallback}
            value={title.value}
            onInput={(event) => {
              title.value = event.currentTarget.value;
            }}
          />
        </div>
        <div class="field">
          <label for="own-text">{tr('red.own.text')}</label>
          <textarea
            id="own-text"
            rows={5}
            spellcheck={false}
            aria-invalid={problem.value !== null}
            aria-describedby={problem.value === null ? undefined : 'own-error'}
            value={text.value}
            onInput={(event) => {
              text.value = event.currentTarget.value;
            }}
          />
        </div>
        <p class="buttons">
          <button type="button" class="button" onClick={paste}>
            {tr('red.own.add')}
          </button>
          <button type="button" class="button" onClick={() => files.current?.click()}>
            {tr('red.own.file')}
          </button>
          <span class="muted">{tr('red.own.drop')}</span>
        </p>
        <input
          ref={files}
          class="visually-hidden"
          type="file"
          multiple
          accept=".txt,.md,text/plain,text/markdown"
          tabIndex={-1}
          aria-label={tr('red.own.file')}
          onChange={(event) => {
            const field = event.currentTarget;
            void read([...(field.files ?? [])]);
            // So that the same file can be chosen again.
            field.value = '';
          }}
        />
        {problem.value !== null && (
          <p class="field-error" id="own-error" role="alert">
            {problem.value}
          </p>
        )}
      </div>
    </details>
  );
}
