/** Every layer with every other, as a table whose cells are shaded; before such data are there, the way to them. */
import { useSignal } from '@preact/signals';
import type { RedundancyResult } from '../../protocol/redundancy';
import type { LabRecord } from '../../protocol/record';
import type { Kind } from '../../redundancy/types';
import { CopyTable } from '../architecture/copy-table';
import { useUi } from '../context';
import { KINDS, pairCounts, r2Text } from './numbers';
import type { RedundancyTexts } from './words';

/** Share of the colour in the cell of an R² of 1: text stays readable on it in both themes. */
const FULL_SHADE = 55;

export function HeatMap({ record, result }: { record: LabRecord; result: RedundancyResult }) {
  const { tr } = useUi<RedundancyTexts>();
  const all = record.recipe.redundancy?.pairs === 'all';
  return (
    <section aria-labelledby="red-heat-title">
      <h3 id="red-heat-title">{tr('red.heat.title')}</h3>
      {all ? <HeatTable result={result} /> : <Offer layers={result.layers.length} />}
    </section>
  );
}

function Offer({ layers }: { layers: number }) {
  const { tr, store, int, announce } = useUi<RedundancyTexts>();
  const { redundancy } = store.recipe.value;
  const { adjacent, all, times } = pairCounts(layers);
  if (all <= adjacent) return <p class="hint">{tr('red.heat.nothingMore')}</p>;
  const set = redundancy?.pairs === 'all';
  return (
    <p>
      {tr('red.heat.offer')} {tr('red.pairs.count', { all: int(all), adjacent: int(adjacent), n: times })}{' '}
      {set ? (
        <strong role="status">{tr('red.heat.set')}</strong>
      ) : (
        redundancy !== undefined && (
          <button
            type="button"
            class="button"
            data-testid="all-pairs"
            onClick={() => {
              store.setRecipe({ redundancy: { ...redundancy, pairs: 'all' } });
              announce(tr('red.heat.set'));
              document.querySelector<HTMLElement>('[data-testid="run"]')?.focus();
            }}
          >
            {tr('red.heat.show')}
          </button>
        )
      )}
    </p>
  );
}

function HeatTable({ result }: { result: RedundancyResult }) {
  const { tr } = useUi<RedundancyTexts>();
  const kind = useSignal<Kind>('K');
  const { layers, pairs } = result;
  const title = `${tr('red.heat.title')}, ${kind.value}`;
  const meanOf = (from: number, to: number): number | null =>
    pairs.find((pair) => pair.kind === kind.value && pair.from === from && pair.to === to)?.r2.mean ?? null;
  const head = [tr('red.heat.from'), ...layers.map(String)];
  return (
    <>
      <fieldset class="heat-kinds">
        <legend class="visually-hidden">{tr('red.heat.kinds')}</legend>
        {KINDS.map((one) => (
          <label key={one} class="check">
            <input
              type="radio"
              name="heat-kind"
              checked={kind.value === one}
              onChange={() => {
                kind.value = one;
              }}
            />
            {one}
          </label>
        ))}
      </fieldset>
      <div
        class="table-scroll heat-map"
        tabIndex={0}
        role="region"
        aria-label={tr('table.scroll', { title })}
        data-kind={kind.value}
      >
        <table data-testid="heat-map">
          <caption class="visually-hidden">{title}</caption>
          <thead>
            <tr>
              {head.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {layers.map((from) => (
              <tr key={from}>
                <th scope="row">{from}</th>
                {layers.map((to) => (
                  <HeatCell key={to} same={from === to} value={meanOf(from, to)} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="hint">{tr('red.heat.hint')}</p>
      <CopyTable
        title={title}
        table={{
          head,
          rows: layers.map((from) => [
            String(from),
            ...layers.map((to) => (from === to ? '' : (meanOf(from, to) ?? tr('red.unknown')))),
          ]),
        }}
      />
    </>
  );
}

function HeatCell({ same, value }: { same: boolean; value: number | null }) {
  const { tr } = useUi<RedundancyTexts>();
  if (same) return <td class="heat-same" />;
  if (value === null) return <td class="unmeasured">{tr('red.unknown')}</td>;
  const shade = Math.round(FULL_SHADE * Math.min(1, Math.max(0, value)));
  return <td style={{ '--shade': `${String(shade)}%` }}>{r2Text(value, 2, tr)}</td>;
}
