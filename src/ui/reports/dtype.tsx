/** The report of the dtype experiment: one row a variant of the weights, with the element type of its cache. */
import type { LabRecord } from '../../protocol/record';
import { CellsTable } from '../cells-table';
import { Chart } from '../chart';
import { useUi } from '../context';
import { LengthFigures } from '../figures';
import { RepeatsTable } from './repeats';

export function DtypeReport({ record }: { record: LabRecord }) {
  const { tr } = useUi<'report'>();
  const measured = record.cells.some(({ tensorBytes }) => tensorBytes !== null);
  return (
    <>
      <div class="report-grid">
        {measured && (
          <div class="charts">
            <Chart kind="dtype" title={tr('chart.dtype')} input={record} table={tr('dtype.table')} />
          </div>
        )}
        <LengthFigures record={record} first />
      </div>
      <p class="prose">{tr('dtype.note')}</p>
      <CellsTable record={record} title={tr('dtype.table')} />
      <RepeatsTable record={record} />
    </>
  );
}
