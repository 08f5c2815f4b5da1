/** A model from a folder of this computer: chosen as a folder, or file by file where a browser picks no folders. */
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { pickedFiles } from '../../model/hub/local';
import { addFolder, folderFault } from './models';
import { outsideName } from './outside-cards';
import { useHubUi } from './text';

export function AddFolder() {
  const { hub, store, announce, faultSentence } = useHubUi();
  const reading = useSignal(false);
  const add = async (files: File[]) => {
    if (files.length === 0) return;
    reading.value = true;
    const id = await addFolder(store, pickedFiles(files));
    reading.value = false;
    if (id !== null) announce(hub('hub.added', { name: outsideName(id) }));
  };
  const fault = folderFault.value;
  return (
    <div class="field" role="group" aria-labelledby="hub-folder">
      <span class="hub-label" id="hub-folder">
        {hub('hub.folder')}
      </span>
      <div class="buttons">
        {'webkitdirectory' in HTMLInputElement.prototype && (
          <Picker folder onFiles={(files) => void add(files)} />
        )}
        <Picker folder={false} onFiles={(files) => void add(files)} />
      </div>
      {reading.value && (
        <p class="muted" role="status">
          {hub('hub.readingFolder')}
        </p>
      )}
      {fault !== null && (
        <p class="field-error" role="alert" data-testid="folder-fault">
          {faultSentence(fault)}
        </p>
      )}
      <p class="hint">{hub('hub.folderHint')}</p>
    </div>
  );
}

function Picker({ folder, onFiles }: { folder: boolean; onFiles: (files: File[]) => void }) {
  const { hub } = useHubUi();
  const input = useRef<HTMLInputElement>(null);
  const label = hub(folder ? 'hub.pickFolder' : 'hub.pickFiles');
  return (
    <>
      <button type="button" class="button" onClick={() => input.current?.click()}>
        {label}
      </button>
      <input
        ref={(field) => {
          input.current = field;
          if (field !== null) field.webkitdirectory = folder;
        }}
        class="visually-hidden"
        type="file"
        multiple
        tabIndex={-1}
        aria-label={label}
        data-testid={folder ? 'hub-folder-input' : 'hub-files-input'}
        onChange={(event) => {
          const field = event.currentTarget;
          onFiles([...(field.files ?? [])]);
          // So that the same folder can be chosen again.
          field.value = '';
        }}
      />
    </>
  );
}
