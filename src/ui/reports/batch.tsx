/** The report of the batch experiment: bytes by batch beside what the browser reports for the page, and how both repeat. */
import { repeatRows } from '../../experiments/repeats';
import { contentBytes, hasPreallocated } from '../../protocol/content';
import { formatRatio } from '../../protocol/format';
import type { LabRecord, MaybeBytes } from '../../protocol/record';
import { TwinBadges } from '../badges';
import { EveryCell } from '../cells-table';
import { Chart } from '../chart';
import { useUi } from '../context';
import { signed } from '../experiment-verdicts';
import { modelName } from '../model-name';
import { NotMeasured, useWhyNotMeasured } from '../not-measured';
import { pointRows, severalOf, type PointRow } from '../points';
import { ScrollTable } from '../table';
import { RepeatsTable, SpreadCell } from './repeats';

export function BatchReport({ record }: { record: LabRecord }) {
  const { tr } = useUi<'report'>();
  const rows = pointRows(record);
  const measured = rows.some(({ cells }) => cells.length > 0);
  return (
    <>
      {measured && (
        <div class="charts">
          <Chart kind="batch" title={tr('chart.batch')} input={record} table={tr('batch.table')} />
        </div>
      )}
      <BatchTable record={record} rows={rows} />
      <StepTable record={record} />
      <RepeatsTable record={record} />
      <EveryCell record={record} />
    </>
  );
}

function BatchTable({ record, rows }: { record: LabRecord; rows: PointRow[] }) {
  const { tr } = useUi<'report'>();
  const several = {
    models: severalOf(record, ({ model }) => model),
    dtypes: severalOf(record, ({ dtype }) => dtype),
  };
  return (
    <section aria-labelledby="batch-title">
      <h3 id="batch-title">{tr('batch.table')}</h3>
      <ScrollTable
        caption={tr('batch.table')}
        hideCaption
        testId="batch-table"
        textColumns={[]}
        head={[
          ...(several.models ? [tr('table.model')] : []),
          ...(several.dtypes ? [tr('points.variant')] : []),
          tr('points.batch'),
          tr('table.tokens'),
          tr('table.formula'),
          tr(hasPreallocated(record) ? 'table.used' : 'table.tensor'),
          tr('table.ratio'),
          tr('table.resident'),
          tr('table.deviceAfter'),
          tr('table.devicePeak'),
          tr('points.process'),
        ]}
      >
        {rows.map((row) => (
          <Row
            key={JSON.stringify([row.model, row.dtype, row.batch, row.tokens])}
            {...{ row, record, several }}
          />
        ))}
      </ScrollTable>
      <NotMeasured record={record} />
      <p class="hint">{tr('process.what')}</p>
    </section>
  );
}

interface RowProps {
  row: PointRow;
  record: LabRecord;
  several: { models: boolean; dtypes: boolean };
}

/** Columns after the formula. */
const MEASURED_COLUMNS = 6;

function Row({ row, record, several }: RowProps) {
  const { tr, int, faultSentence } = useUi<'report'>();
  const why = useWhyNotMeasured(record);
  const { cells, skipped, formulaBytes } = row;
  const tensors = cells.map(contentBytes).filter((bytes) => bytes !== null);
  const worst = tensors.find((bytes) => bytes !== formulaBytes) ?? tensors[0];
  const reason =
    skipped?.fault == null ? (skipped?.skipped ?? tr('table.unknownReason')) : faultSentence(skipped.fault);
  return (
    <tr data-batch={row.batch} data-tokens={row.tokens}>
      {several.models && (
        <td class="text">
          {modelName(row.model, tr)} <TwinBadges model={row.model} />
        </td>
      )}
      {several.dtypes && <td>{row.dtype}</td>}
      <th scope="row">{int(row.batch)}</th>
      <td>{int(row.tokens)}</td>
      <td>{int(formulaBytes)}</td>
      {worst === undefined ? (
        <td colSpan={MEASURED_COLUMNS} class="text unmeasured">
          {tr('table.skipped', { reason })}
        </td>
      ) : (
        <>
          <RangeCell of={tensors} why={null} />
          <td class={worst === formulaBytes ? 'verdict-pass' : 'verdict-fail'}>
            {formatRatio(worst, formulaBytes) ?? tr('table.notMeasured')}
          </td>
          <RangeCell of={cells.map(({ residentBytes }) => residentBytes)} why={why('resident')} />
          <RangeCell of={cells.map(({ deviceBytes }) => deviceBytes.after)} why={why('device')} />
          <RangeCell of={cells.map(({ deviceBytes }) => deviceBytes.peak)} why={why('device')} />
          <SpreadCell of={row.process} format={(value) => signed(value, int)} />
        </>
      )}
    </tr>
  );
}

/** One number where all repeats have the same, else the smallest and the largest. */
function RangeCell({ of, why }: { of: MaybeBytes[]; why: string | null }) {
  const { tr, int } = useUi<'report'>();
  const known = of.filter((bytes) => bytes !== null);
  if (known.length === 0) {
    return (
      <td class="unmeasured" title={why ?? undefined}>
        {tr('table.notMeasured')}
      </td>
    );
  }
  const [smallest, largest] = [Math.min(...known), Math.max(...known)];
  return (
    <td>
      {smallest === largest
        ? int(smallest)
        : tr('points.range', { smallest: int(smallest), largest: int(largest) })}
    </td>
  );
}

/** What one token more did to the cache and to page memory; nothing where no step was measured. */
function StepTable({ record }: { record: LabRecord }) {
  const { tr, int } = useUi<'report'>();
  const steps = repeatRows(record).filter(({ kind }) => kind === 'step');
  if (steps.length === 0) return null;
  return (
    <section aria-labelledby="step-title">
      <h3 id="step-title">{tr('batch.step')}</h3>
      <p class="hint">{tr('batch.stepWhat')}</p>
      <ScrollTable
        caption={tr('batch.step')}
        hideCaption
        testId="step-table"
        textColumns={[]}
        head={[
          tr('points.batch'),
          tr('table.tokens'),
          tr(hasPreallocated(record) ? 'table.deltaUsed' : 'table.deltaTensor'),
          tr('table.deltaResident'),
          tr('points.process'),
        ]}
      >
        {steps.map((row) => (
          <tr key={JSON.stringify([row.model, row.dtype, row.batch, row.tokens])}>
            <th scope="row">{int(row.batch)}</th>
            <td>{int(row.tokens)}</td>
            <td>{row.tensor === null ? tr('table.notMeasured') : signed(row.tensor.bytes, int)}</td>
            <td class={row.resident === null ? 'unmeasured' : undefined}>
              {row.resident === null ? tr('table.notMeasured') : signed(row.resident.bytes, int)}
            </td>
            <SpreadCell of={row.process} format={(value) => signed(value, int)} />
          </tr>
        ))}
      </ScrollTable>
    </section>
  );
}
