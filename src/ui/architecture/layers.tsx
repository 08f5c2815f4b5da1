/** All layers in one picture, one cell each, and in a table: those that are alike together, or every one. */
import { useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import type { KvDtype } from '../../geometry/engines/kv-dtype';
import type { InputModel } from '../config-input/config-input';
import { useUi } from '../context';
import { ScrollTable } from '../table';
import { CopyTable } from './copy-table';
import { numberText } from './derivation-text';
import { groupLayers, KIND_LETTERS, layerViews, type LayerView } from './layer-groups';
import { groupHead, groupRow, layerFacts, layerHead, layerRow, type Cell } from './layer-rows';
import { passesOf } from './says';

export function Layers({ model, dtype }: { model: InputModel; dtype: KvDtype }) {
  const { tr } = useUi<'architecture' | 'input'>();
  const every = useSignal(false);
  const views = useMemo(() => layerViews(model.geometry, dtype), [model.geometry, dtype.id]);
  const groups = useMemo(() => groupLayers(views), [views]);
  const title = tr(every.value ? 'arch.everyLayer' : 'arch.groups');
  const head = every.value ? layerHead(tr) : groupHead(tr);
  const rows = every.value
    ? views.map((view) => layerRow(view, tr))
    : groups.map((group) => groupRow(group, tr));
  const words = every.value ? [1, 3, 4] : [0, 1, 4, 5];
  return (
    <section class="architecture-part" aria-labelledby="layers-title">
      <h3 id="layers-title">{tr('arch.layers')}</h3>
      <Strip name={model.name} views={views} passes={passesOf(model.geometry, views.length)} />
      <ScrollTable caption={title} head={head} textColumns={every.value ? [1] : [0, 1]} testId="layers-table">
        {rows.map((row) => (
          <tr key={row.join()}>
            {row.map((cell, column) => (
              <LayerCell key={column} cell={cell} column={column} word={words.includes(column)} />
            ))}
          </tr>
        ))}
      </ScrollTable>
      <p class="buttons">
        <button
          type="button"
          class="button button-quiet"
          onClick={() => {
            every.value = !every.value;
          }}
        >
          {tr(every.value ? 'arch.showGroups' : 'arch.showAll')}
        </button>
      </p>
      <CopyTable title={title} table={{ head, rows }} />
    </section>
  );
}

function LayerCell({ cell, column, word }: { cell: Cell; column: number; word: boolean }) {
  const text = typeof cell === 'number' ? numberText(cell) : cell;
  if (column === 0) {
    return (
      <th scope="row" class={word ? 'text' : undefined}>
        {text}
      </th>
    );
  }
  return <td class={word && column === 1 ? 'text' : undefined}>{text}</td>;
}

/** One tab stop; the arrow keys move from layer to layer, and the line below says what the layer keeps. */
function Strip({ name, views, passes }: { name: string; views: readonly LayerView[]; passes: number }) {
  const { tr } = useUi<'architecture' | 'input'>();
  const at = useSignal(0);
  const shown = useSignal<number | null>(null);
  const cells = useRef<HTMLDivElement>(null);
  const current = Math.min(at.value, views.length - 1);
  const kinds = [...new Set(views.flatMap((view) => view.kinds))];
  const move = (to: number) => {
    at.value = Math.max(0, Math.min(views.length - 1, to));
    shown.value = at.value;
    const cell = cells.current?.children[at.value];
    if (cell instanceof HTMLElement) cell.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Not `current`: a key may repeat before the page is drawn again.
    const from = Math.min(at.value, views.length - 1);
    const target = { ArrowRight: from + 1, ArrowLeft: from - 1, Home: 0, End: views.length - 1 }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    move(target);
  };
  const view = shown.value === null ? undefined : views[Math.min(shown.value, views.length - 1)];
  return (
    <>
      <div
        ref={cells}
        class="strip"
        role="group"
        aria-label={tr(passes > 1 ? 'arch.stripPasses' : 'arch.strip', {
          ...{ name, passes, layers: views.length / passes, caches: views.length },
        })}
        data-testid="layer-strip"
        onKeyDown={onKeyDown}
      >
        {views.map((one, index) => (
          <button
            key={one.layer}
            type="button"
            class={`strip-cell kind-${one.kinds[0] ?? 'none'}`}
            tabIndex={index === current ? 0 : -1}
            title={layerFacts(one, tr)}
            aria-label={layerFacts(one, tr)}
            onFocus={() => {
              at.value = index;
              shown.value = index;
            }}
            onMouseEnter={() => {
              shown.value = index;
            }}
          >
            {one.kinds.map((kind) => KIND_LETTERS[kind]).join('')}
          </button>
        ))}
      </div>
      <p class="strip-line" data-testid="layer-line">
        {view === undefined ? tr('arch.layersHint') : layerFacts(view, tr)}
      </p>
      <ul class="strip-legend">
        {kinds.map((kind) => (
          <li key={kind}>
            <span class={`strip-cell kind-${kind}`} aria-hidden="true">
              {KIND_LETTERS[kind]}
            </span>{' '}
            {tr(`kind.${kind}`)}
          </li>
        ))}
      </ul>
    </>
  );
}
