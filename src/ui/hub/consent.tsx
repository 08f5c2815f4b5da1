/** The question before a download: which files, how large, from where; nothing is fetched before the answer. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { DownloadNeed, NeededFile } from '../../lab/opening';
import { browserDeps } from '../../model/hub/deps';
import { shortModelName } from '../../protocol/model-name';
import { ScrollTable } from '../table';
import { host } from './models';
import { Revision, Size } from './reveal';
import { useHubUi } from './text';
import { LARGE_BYTES } from './variant-choice';

export function Consent() {
  const { store } = useHubUi();
  const { need } = store.run.value;
  return need === null ? null : <Question need={need} />;
}

function Question({ need }: { need: DownloadNeed }) {
  const { hub, store, size } = useHubUi();
  const panel = useRef<HTMLElement>(null);
  const free = useFreeBytes();
  useEffect(() => {
    panel.current?.focus({ preventScroll: true });
    showWhole(panel.current);
    return () => {
      // Its buttons are gone: the one that is there instead is Cancel, or Run.
      requestAnimationFrame(() => {
        if (document.activeElement === document.body || document.activeElement === null) {
          document.querySelector<HTMLElement>('.run-buttons button:not(:disabled)')?.focus();
        }
      });
    };
  }, []);
  const { bytes } = need;
  return (
    <section
      class="hub-need"
      data-testid="download-need"
      aria-labelledby="need-title"
      tabIndex={-1}
      ref={panel}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        store.answerDownload(false);
      }}
    >
      <h3 id="need-title">{hub('need.title')}</h3>
      <p class="hub-need-total">
        {bytes === null
          ? hub('need.totalUnknown', { host: host.value })
          : hub('need.total', { size: size(bytes), host: host.value })}
      </p>
      {need.models.map(({ id, dtype, revision, files }) => (
        <Files key={`${id} ${dtype}`} id={id} dtype={dtype} revision={revision} files={files} />
      ))}
      {bytes !== null && bytes >= LARGE_BYTES && <p class="hub-large">{hub('need.large')}</p>}
      {bytes !== null && free.value !== null && free.value < bytes && (
        <p class="message message-warn">{hub('need.space', { free: size(free.value) })}</p>
      )}
      <div class="buttons">
        <button
          type="button"
          class="button button-primary"
          data-testid="download-yes"
          onClick={() => {
            store.answerDownload(true);
          }}
        >
          {hub('need.yes')}
        </button>
        <button
          type="button"
          class="button"
          data-testid="download-no"
          onClick={() => {
            store.answerDownload(false);
          }}
        >
          {hub('need.no')}
        </button>
      </div>
      <p class="hint">{hub('need.kept')}</p>
    </section>
  );
}

function Files({ id, dtype, revision, files }: DownloadNeed['models'][number]) {
  const { hub } = useHubUi();
  const name = id.split('@')[0] ?? id;
  return (
    <div>
      <p>
        <strong title={id}>{shortModelName(name)}</strong> · {dtype} · {hub('hub.commit')}{' '}
        <Revision revision={revision} />
      </p>
      <ScrollTable
        caption={hub('need.caption', { name, dtype })}
        hideCaption
        head={[hub('need.file'), hub('need.size'), hub('need.where')]}
        textColumns={[0, 2]}
      >
        {files.map((file) => (
          <FileRow key={file.path} file={file} />
        ))}
      </ScrollTable>
    </div>
  );
}

function FileRow({ file: { path, bytes, stored } }: { file: NeededFile }) {
  const { hub } = useHubUi();
  return (
    <tr>
      <th scope="row" class="text">
        {path}
      </th>
      <td>
        <Size bytes={bytes} />
      </td>
      <td class={stored ? 'text muted' : 'text'}>{hub(stored ? 'need.stored' : 'need.download')}</td>
    </tr>
  );
}

/** Scrolls to the panel when a part of it is out of sight; on a phone the bar with Cancel covers the lower edge. */
function showWhole(panel: HTMLElement | null): void {
  if (panel === null) return;
  const { top, bottom } = panel.getBoundingClientRect();
  const bar = document.querySelector('.run-bar')?.getBoundingClientRect().top ?? innerHeight;
  if (top < 0 || bottom > Math.min(innerHeight, bar)) panel.scrollIntoView({ block: 'start' });
}

/** Bytes that this origin may still store; null until the browser told, or when it does not. */
function useFreeBytes() {
  const free = useSignal<number | null>(null);
  useEffect(() => {
    browserDeps()
      .estimate()
      .then(
        ({ usage, quota }) => {
          free.value = usage === undefined || quota === undefined ? null : Math.max(0, quota - usage);
        },
        () => undefined,
      );
  }, []);
  return free;
}
