/** The table of cells, like the article's: exact integers, the ratio to four places, skipped rows with their reason. */
import { findModel } from '../model/catalog';
import { formatRatio } from '../protocol/format';
import type { Cell, LabRecord } from '../protocol/record';
import { Badge } from './badges';
import { useUi } from './context';
import { NotMeasured, useWhyNotMeasured } from './not-measured';
import { BytesCell, ScrollTable } from './table';

/** Columns after the formula: tensor, ratio, resident, slack, device after, device peak, prefill. */
const MEASURED_COLUMNS = 7;

export function CellsTable({ record }: { record: LabRecord }) {
  const { tr } = useUi();
  const repeats = record.recipe.repeats > 1;
  const head = [
    tr('table.model'),
    ...(repeats ? [tr('table.repeat')] : []),
    tr('table.tokens'),
    tr('table.formula'),
    tr('table.tensor'),
    tr('table.ratio'),
    tr('table.resident'),
    tr('table.slack'),
    tr('table.deviceAfter'),
    tr('table.devicePeak'),
    tr('table.prefill'),
  ];
  return (
    <section aria-labelledby="cells-title">
      <h3 id="cells-title">{tr('table.cells')}</h3>
      <ScrollTable caption={tr('table.cells')} hideCaption testId="cells-table" head={head}>
        {record.cells.map((cell) => (
          <Row
            key={`${cell.model} ${String(cell.repeat)} ${String(cell.tokens)}`}
            cell={cell}
            record={record}
            repeats={repeats}
          />
        ))}
      </ScrollTable>
      <NotMeasured record={record} />
    </section>
  );
}

function Row({ cell, record, repeats }: { cell: Cell; record: LabRecord; repeats: boolean }) {
  const { tr, int, faultSentence } = useUi();
  const why = useWhyNotMeasured(record);
  const { tensorBytes, formulaBytes, residentBytes, deviceBytes } = cell;
  const skipped = cell.fault === null ? cell.skipped : faultSentence(cell.fault);
  return (
    <tr data-model={cell.model} data-tokens={cell.tokens}>
      <th scope="row" class="text">
        {findModel(cell.model)?.name ?? cell.model} {cell.model.startsWith('twin:') && <Badge kind="twin" />}
        {cell.background && <Badge kind="background" />}
      </th>
      {repeats && <td>{int(cell.repeat + 1)}</td>}
      <td>{int(cell.tokens)}</td>
      <td>{int(formulaBytes)}</td>
      {tensorBytes === null ? (
        <td colSpan={MEASURED_COLUMNS} class="text unmeasured">
          {tr('table.skipped', { reason: skipped ?? tr('table.unknownReason') })}
        </td>
      ) : (
        <>
          <td>{int(tensorBytes)}</td>
          <td class={tensorBytes === formulaBytes ? 'verdict-pass' : 'verdict-fail'}>
            {formatRatio(tensorBytes, formulaBytes) ?? tr('table.notMeasured')}
          </td>
          <BytesCell bytes={residentBytes} why={why('resident')} />
          <td class={residentBytes === null ? 'unmeasured' : undefined}>
            {residentBytes === null
              ? tr('table.notMeasured')
              : `${(residentBytes / tensorBytes).toFixed(2)}×`}
          </td>
          <BytesCell bytes={deviceBytes.after} why={why('device')} />
          <BytesCell bytes={deviceBytes.peak} why={why('device')} />
          <td>{cell.prefillMs === null ? tr('table.notMeasured') : int(cell.prefillMs)}</td>
        </>
      )}
    </tr>
  );
}
