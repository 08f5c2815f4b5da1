/** The models that this page keeps in the browser: what, how much, since when; deleted one by one or all. */
import { useRef } from 'preact/hooks';
import { browserDeps } from '../../model/hub/deps';
import { deleteAllStored, deleteStored, storedBytes, type StoredModel } from '../../model/hub/storage';
import { shortModelName } from '../../protocol/model-name';
import { ScrollTable } from '../table';
import { AskFirst } from '../ask-first';
import { formatTime } from '../time';
import { Revision, Size } from './reveal';
import { useHubUi } from './text';
import { useStored } from './use-stored';

export function StoredModels() {
  const { hub, int, size, announce } = useHubUi();
  const { stored, problem, attempt } = useStored();
  const top = useRef<HTMLElement>(null);
  const now = stored.value;
  const total = storedBytes(now?.models ?? []);
  const remove = async (model: StoredModel) => {
    if (!(await attempt((signal) => deleteStored(browserDeps(), model, signal)))) return;
    // The button that had the focus is gone.
    top.current?.focus();
    announce(hub('store.deleted', { name: nameOf(model) }));
  };
  const clear = async () => {
    if (!(await attempt((signal) => deleteAllStored(browserDeps(), signal)))) return;
    top.current?.focus();
    announce(hub('store.deletedAll'));
  };
  return (
    <section class="hub-stored" aria-labelledby="hub-stored" tabIndex={-1} ref={top} data-testid="stored">
      <h3 id="hub-stored">{hub('store.title')}</h3>
      {problem.value !== null && (
        <div class="message message-error" role="alert">
          <p>{hub('store.failed', { detail: problem.value })}</p>
          <p>
            <button type="button" class="button button-quiet" onClick={() => void attempt()}>
              {hub('store.retry')}
            </button>
          </p>
        </div>
      )}
      {now === null && problem.value === null && <p class="muted">{hub('store.reading')}</p>}
      {now?.models.length === 0 && <p class="muted">{hub('store.empty')}</p>}
      {now !== null && now.models.length > 0 && (
        <StoredTable models={now.models} onRemove={(model) => void remove(model)} />
      )}
      {now !== null && (
        <p class="hint">
          {now.models.length > 0 && `${hub('store.total', { size: size(total) })} `}
          {now.usage !== null &&
            now.quota !== null &&
            hub('store.estimate', { usage: size(now.usage), quota: size(now.quota) })}
        </p>
      )}
      {now !== null && now.models.length > 0 && (
        <p>
          <AskFirst
            label={hub('store.deleteAll')}
            question={hub('store.deleteAllAsk', { n: int(now.models.length), size: size(total) })}
            yes={hub('store.deleteAllYes')}
            no={hub('store.deleteAllNo')}
            testId="stored-clear"
            onYes={() => void clear()}
          />
        </p>
      )}
    </section>
  );
}

function nameOf({ repo, revision }: StoredModel): string {
  return shortModelName(`${repo}@${revision}`);
}

function StoredTable({
  models,
  onRemove,
}: {
  models: StoredModel[];
  onRemove: (model: StoredModel) => void;
}) {
  const { hub, int, language } = useHubUi();
  return (
    <ScrollTable
      caption={hub('store.title')}
      hideCaption
      testId="stored-table"
      head={[hub('store.model'), hub('store.bytes'), hub('store.action'), hub('store.state')]}
      textColumns={[0, 2, 3]}
    >
      {models.map((model) => (
        <tr key={`${model.host} ${model.repo} ${model.revision}`}>
          <th scope="row" class="text">
            {model.repo}
            <span class="hub-remark">
              {hub('hub.commit')} <Revision revision={model.revision} />
            </span>
            <span class="hub-remark">{hub('store.from', { host: model.host })}</span>
          </th>
          <td>
            <Size bytes={model.bytes} />
            <span class="hub-remark" title={model.files.map(({ path }) => path).join('\n')}>
              {hub('store.files', { n: int(model.files.length) })}
            </span>
          </td>
          <td class="hub-delete">
            <button
              type="button"
              class="button button-quiet"
              aria-label={hub('store.deleteOf', { name: nameOf(model) })}
              onClick={() => {
                onRemove(model);
              }}
            >
              {hub('store.delete')}
            </button>
          </td>
          <td class="text">
            {hub(model.whole ? 'store.whole' : 'store.partial')}
            <span class="hub-remark">
              {model.when === 0
                ? hub('store.unknownTime')
                : formatTime(new Date(model.when).toISOString(), language)}
            </span>
          </td>
        </tr>
      ))}
    </ScrollTable>
  );
}
