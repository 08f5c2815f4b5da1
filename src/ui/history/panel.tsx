/** What is in the history: the kept records, what can be done with them, and the comparison of the selected ones. */
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { NamedRecord } from '../../charts/compare-chart';
import { HISTORY_LIMITS } from '../../lab/history';
import { download } from '../../lab/handout';
import { readRecordFile } from '../../lab/lazy';
import { recordJson } from '../../record/export';
import { AskFirst } from '../ask-first';
import { Boundary } from '../boundary';
import { useUi } from '../context';
import { CompareView } from './compare-view';
import { EntriesTable } from './entries-table';
import { nameOf } from './entry-text';
import { useHistory, type Item } from './use-history';

export function HistoryPanel() {
  const ui = useUi<'report' | 'history'>();
  const { tr, int, size, store, announce, faultSentence } = ui;
  const { items, problem, retry, attempt } = useHistory();
  const selected = useSignal<ReadonlySet<string>>(new Set());
  const compared = useSignal<NamedRecord[] | null>(null);
  const top = useRef<HTMLDivElement>(null);

  const entries = (items.value ?? []).filter((item) => !item.damaged);
  const chosen = entries.filter(({ key }) => selected.value.has(key));
  const title = (item: Item): string => (item.damaged ? tr('history.damaged') : nameOf(item, ui));

  const show = (item: Item) =>
    attempt(title(item), async (history) => {
      const text = recordJson(await history.read(item.key));
      await store.importFile(new File([text], 'history.json', { type: 'application/json' }));
      announce(tr('history.said.shown', { name: title(item) }));
      document.getElementById('question')?.scrollIntoView();
    });
  const save = (item: Item) =>
    attempt(title(item), async (history) => {
      const record = await history.read(item.key);
      const when = record.createdAt.slice(0, 19).replace(/[:T]/g, '-');
      const name = `kv-cache-lab-${record.recipe.experiment}-${when}.json`;
      download(name, 'application/json', recordJson(record));
      announce(tr('share.saved', { name }));
    });
  const remove = async (item: Item) => {
    const done = await attempt(title(item), (history) => history.remove(item.key));
    if (!done) return;
    // The button that had the focus is gone.
    top.current?.focus();
    announce(tr('history.said.deleted', { name: title(item) }));
  };
  const compare = async () => {
    const records: NamedRecord[] = [];
    for (const [index, entry] of chosen.entries()) {
      const name = nameOf(entry, ui);
      const done = await attempt(name, async (history) => {
        // The number keeps two records of one name apart.
        records.push({ name: `${String(index + 1)} · ${name}`, record: await history.read(entry.key) });
      });
      if (!done) return;
    }
    compared.value = records;
  };
  const clear = async () => {
    compared.value = null;
    if (!(await attempt(null, (history) => history.clear()))) return;
    top.current?.focus();
    announce(tr('history.said.cleared'));
  };
  const add = async (files: readonly File[]) => {
    let added = 0;
    for (const file of files) {
      const done = await attempt(file.name, async (history) => {
        await history.add(await readRecordFile(file));
      });
      if (!done) break;
      added += 1;
    }
    if (added > 0) announce(tr('history.said.added', { n: added }));
  };

  return (
    <div class="history-panel" tabIndex={-1} ref={top}>
      <p class="hint">
        {tr('history.lead', { records: HISTORY_LIMITS.records, size: size(HISTORY_LIMITS.bytes) })}
      </p>
      {problem.value !== null && (
        <div class="message message-error" role="alert">
          <p>
            {problem.value.name !== null && <strong>{problem.value.name}: </strong>}
            {faultSentence(problem.value.fault)}
          </p>
          {items.value === null && (
            <p>
              <button type="button" class="button button-quiet" onClick={retry}>
                {tr('history.retry')}
              </button>
            </p>
          )}
        </div>
      )}
      {items.value === null && problem.value === null && <p class="muted">{tr('history.loading')}</p>}
      {items.value?.length === 0 && <p class="muted">{tr('history.empty')}</p>}
      {items.value !== null && items.value.length > 0 && (
        <EntriesTable
          items={items.value}
          selected={selected.value}
          onSelect={(key, on) => {
            const next = new Set(selected.value);
            if (on) next.add(key);
            else next.delete(key);
            selected.value = next;
          }}
          onRename={(entry, name) => void attempt(title(entry), (history) => history.rename(entry.key, name))}
          onShow={(entry) => void show(entry)}
          onExport={(entry) => void save(entry)}
          onRemove={(item) => void remove(item)}
        />
      )}
      {items.value !== null && (
        <div class="buttons history-buttons">
          <button
            type="button"
            class="button"
            data-testid="history-compare"
            disabled={chosen.length < 2}
            onClick={() => void compare()}
          >
            {tr('history.compare', { n: chosen.length })}
          </button>
          <AddFiles onFiles={(files) => void add(files)} />
          {items.value.length > 0 && (
            <AskFirst
              label={tr('history.clear')}
              question={tr('history.clearAsk', { n: int(items.value.length) })}
              yes={tr('history.clearYes')}
              no={tr('history.clearNo')}
              testId="history-clear"
              onYes={() => void clear()}
            />
          )}
        </div>
      )}
      {items.value !== null && (
        <p class="hint">
          {entries.length > 0 && chosen.length < 2 && `${tr('history.compareHint')} `}
          {tr('history.addHint')}
        </p>
      )}
      {compared.value !== null && (
        <Boundary retryOn={compared.value}>
          <CompareView
            records={compared.value}
            onClose={() => {
              compared.value = null;
              top.current?.focus();
            }}
          />
        </Boundary>
      )}
    </div>
  );
}

function AddFiles({ onFiles }: { onFiles: (files: File[]) => void }) {
  const { tr } = useUi<'report' | 'history'>();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" class="button" onClick={() => input.current?.click()}>
        {tr('history.add')}
      </button>
      <input
        ref={input}
        class="visually-hidden"
        type="file"
        multiple
        accept=".json,application/json"
        tabIndex={-1}
        data-testid="history-files"
        aria-label={tr('history.add')}
        onChange={(event) => {
          const field = event.currentTarget;
          onFiles([...(field.files ?? [])]);
          // So that the same file can be chosen again.
          field.value = '';
        }}
      />
    </>
  );
}
