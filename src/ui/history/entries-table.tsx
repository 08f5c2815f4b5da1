/** The kept records as a table: choose, name, show, export, delete. */
import type { DamagedEntry, HistoryEntry } from '../../lab/history';
import { NAME_LIMIT } from '../../lab/history-summary';
import { isLatentId } from '../../protocol/model-name';
import { Badge } from '../badges';
import { useUi } from '../context';
import { choiceText } from '../option-field';
import { ScrollTable } from '../table';
import { formatTime } from '../time';
import { nameOf, whatOf } from './entry-text';
import type { Item } from './use-history';

interface Actions {
  selected: ReadonlySet<string>;
  onSelect: (key: string, on: boolean) => void;
  onRename: (entry: HistoryEntry, name: string) => void;
  onShow: (entry: HistoryEntry) => void;
  onExport: (entry: HistoryEntry) => void;
  onRemove: (item: Item) => void;
}

/** Columns that a damaged entry leaves out: when, what, equal, where. */
const READABLE_COLUMNS = 4;

export function EntriesTable({ items, ...actions }: Actions & { items: Item[] }) {
  const { tr } = useUi<'report' | 'history'>();
  return (
    <ScrollTable
      caption={tr('history.title')}
      hideCaption
      testId="history-table"
      head={[
        tr('history.select'),
        tr('history.name'),
        tr('history.when'),
        tr('history.what'),
        tr('history.equal'),
        tr('history.where'),
        tr('history.actions'),
      ]}
      textColumns={[0, 1, 2, 3, 5, 6]}
    >
      {items.map((item) =>
        item.damaged ? (
          <DamagedRow key={item.key} item={item} onRemove={actions.onRemove} />
        ) : (
          <EntryRow key={item.key} entry={item} {...actions} />
        ),
      )}
    </ScrollTable>
  );
}

function EntryRow({
  entry,
  selected,
  onSelect,
  onRename,
  onShow,
  onExport,
  onRemove,
}: Actions & { entry: HistoryEntry }) {
  const ui = useUi<'report' | 'history'>();
  const { tr, int, language } = ui;
  const name = nameOf(entry, ui);
  const equal = entry.measured > 0 && entry.equal === entry.measured;
  return (
    <tr data-key={entry.key}>
      <td class="history-select">
        <label>
          <input
            type="checkbox"
            checked={selected.has(entry.key)}
            onChange={(event) => {
              onSelect(entry.key, event.currentTarget.checked);
            }}
          />
          <span class="visually-hidden">{tr('history.selectOf', { name })}</span>
        </label>
      </td>
      <th scope="row" class="text">
        <input
          class="history-name"
          type="text"
          maxLength={NAME_LIMIT}
          aria-label={tr('history.nameOf', { name })}
          value={name}
          onChange={(event) => {
            const typed = event.currentTarget.value;
            if (typed === name) return;
            onRename(entry, typed);
            // An empty name becomes the made one again.
            if (typed.trim() === '') event.currentTarget.value = nameOf({ ...entry, name: null }, ui);
          }}
        />
      </th>
      <td class="text nowrap">{formatTime(entry.createdAt, language)}</td>
      <td class="text">
        {whatOf(entry, ui)} {entry.badges.twin && <Badge kind="twin" />}{' '}
        {entry.models.some(isLatentId) && <Badge kind="latent" />}{' '}
        {entry.status !== 'done' && (
          <Badge kind="partial" status={entry.status === 'running' ? 'interrupted' : entry.status} />
        )}
      </td>
      <td class={equal ? 'verdict-pass' : 'verdict-fail'}>
        <span aria-hidden="true">{equal ? '✓' : '✗'}</span>{' '}
        {tr('history.equalOf', { equal: int(entry.equal), measured: int(entry.measured) })}
      </td>
      <td class="text">
        {entry.backend === 'webgpu' || entry.backend === 'wasm'
          ? choiceText(tr, entry.backend)
          : entry.backend}
        {entry.adapter !== null && ` · ${entry.adapter}`}{' '}
        {entry.badges.software && !entry.badges.wasm && <Badge kind="software" />}
        {entry.badges.background && <Badge kind="background" />}
      </td>
      <td class="text history-actions">
        <RowButton
          label={tr('history.showOf', { name })}
          onClick={() => {
            onShow(entry);
          }}
        >
          {tr('history.show')}
        </RowButton>
        <RowButton
          label={tr('history.exportOf', { name })}
          onClick={() => {
            onExport(entry);
          }}
        >
          {tr('history.export')}
        </RowButton>
        <RowButton
          label={tr('history.deleteOf', { name })}
          onClick={() => {
            onRemove(entry);
          }}
        >
          {tr('history.delete')}
        </RowButton>
      </td>
    </tr>
  );
}

function DamagedRow({ item, onRemove }: { item: DamagedEntry; onRemove: (item: Item) => void }) {
  const { tr } = useUi<'report' | 'history'>();
  return (
    <tr data-key={item.key}>
      <td />
      <th scope="row" class="text">
        {tr('history.damaged')}
      </th>
      <td colSpan={READABLE_COLUMNS} class="text unmeasured">
        {tr('history.damagedWhy')}
      </td>
      <td class="text history-actions">
        <RowButton
          label={tr('history.deleteOf', { name: tr('history.damaged') })}
          onClick={() => {
            onRemove(item);
          }}
        >
          {tr('history.delete')}
        </RowButton>
      </td>
    </tr>
  );
}

/** A button of a row, whose full name says of which row. */
function RowButton({ label, children, onClick }: { label: string; children: string; onClick: () => void }) {
  return (
    <button type="button" class="button button-quiet" aria-label={label} onClick={onClick}>
      {children}
    </button>
  );
}
