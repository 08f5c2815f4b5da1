/** The report of the KV heads experiment: each model beside its twin with as many KV heads as attention heads. */
import { loadedModel } from '../../protocol/loaded-model';
import { counterfactualOf, findModel } from '../../model/catalog';
import { contentBytes, hasPreallocated } from '../../protocol/content';
import { formatRatio } from '../../protocol/format';
import type { LabRecord } from '../../protocol/record';
import { TwinBadges } from '../badges';
import { EveryCell } from '../cells-table';
import { Chart } from '../chart';
import { useUi } from '../context';
import { modelName } from '../model-name';
import { pointRows, severalOf, type PointRow } from '../points';
import { ScrollTable } from '../table';
import { RepeatsTable } from './repeats';

export function GqaReport({ record }: { record: LabRecord }) {
  const { tr } = useUi<'report'>();
  const rows = pointRows(record);
  const measured = rows.some(({ cells }) => cells.length > 0);
  const dtypes = severalOf(record, ({ dtype }) => dtype);
  return (
    <>
      {measured && (
        <div class="charts">
          <Chart kind="gqa" title={tr('chart.gqa')} input={record} table={tr('gqa.table')} />
        </div>
      )}
      <section aria-labelledby="gqa-title">
        <h3 id="gqa-title">{tr('gqa.table')}</h3>
        <ScrollTable
          caption={tr('gqa.table')}
          hideCaption
          testId="gqa-table"
          head={[
            tr('table.model'),
            ...(dtypes ? [tr('points.variant')] : []),
            tr('gqa.kvHeads'),
            tr('gqa.heads'),
            tr('gqa.perToken'),
            tr('table.tokens'),
            tr('table.formula'),
            tr(hasPreallocated(record) ? 'table.used' : 'table.tensor'),
            tr('table.ratio'),
            tr('gqa.factor'),
          ]}
        >
          {rows.map((row) => (
            <Row
              key={JSON.stringify([row.model, row.dtype, row.batch, row.tokens])}
              {...{ row, rows, record, dtypes }}
            />
          ))}
        </ScrollTable>
        <p class="hint">{tr('gqa.note')}</p>
      </section>
      <EveryCell record={record} />
      <RepeatsTable record={record} />
    </>
  );
}

interface RowProps {
  row: PointRow;
  rows: PointRow[];
  record: LabRecord;
  dtypes: boolean;
}

function Row({ row, rows, record, dtypes }: RowProps) {
  const { tr, int } = useUi<'report'>();
  const { model, dtype, batch, tokens, formulaBytes, cells } = row;
  const loaded = loadedModel(record, { model, dtype, policy: record.recipe.policy });
  const geometry = findModel(model)?.geometry ?? loaded?.geometry;
  const [first] = cells;
  const tensor = first === undefined ? null : contentBytes(first);
  return (
    <tr data-model={model}>
      <th scope="row" class="text">
        {modelName(model, tr)} <TwinBadges model={model} />
      </th>
      {dtypes && <td>{dtype}</td>}
      <td>{geometry === undefined ? '' : int(geometry.kvHeads)}</td>
      <td>{geometry === undefined ? '' : int(geometry.attentionHeads)}</td>
      <td>{int(loaded?.bytesPerToken ?? formulaBytes / (tokens * batch))}</td>
      <td>{int(tokens)}</td>
      <td>{int(formulaBytes)}</td>
      {tensor === null ? <td class="unmeasured">{tr('table.notMeasured')}</td> : <td>{int(tensor)}</td>}
      <td class={tensor === formulaBytes ? 'verdict-pass' : 'verdict-fail'}>
        {(tensor === null ? null : formatRatio(tensor, formulaBytes)) ?? tr('table.notMeasured')}
      </td>
      <td>{factorOf(row, rows)}</td>
    </tr>
  );
}

/** How many times its base's bytes a counterfactual takes; a model without one is 1.0 times itself. */
function factorOf(row: PointRow, rows: readonly PointRow[]): string {
  const base = rows.find(
    (other) =>
      counterfactualOf(other.model) === row.model &&
      other.dtype === row.dtype &&
      other.batch === row.batch &&
      other.tokens === row.tokens,
  );
  const [own, of] = [row, base].map((one) => one?.cells.map(contentBytes)[0]);
  if (base === undefined) return '1.0×';
  return own == null || of == null
    ? `${(row.formulaBytes / base.formulaBytes).toFixed(1)}×`
    : `${(own / of).toFixed(1)}×`;
}
