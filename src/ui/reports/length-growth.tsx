/** The reports of the length and the growth experiment. */
import type { LabRecord } from '../../protocol/record';
import { CellsTable } from '../cells-table';
import { Chart } from '../chart';
import { useUi } from '../context';
import { GrowthFigures, LengthFigures } from '../figures';
import { GrowthTable } from '../growth-table';
import { WhyResidentJumps } from '../why';
import { RepeatsTable } from './repeats';

export function LengthReport({ record }: { record: LabRecord }) {
  const { tr } = useUi<'report'>();
  // A chart without a single point would be an empty frame.
  const measured = record.cells.some(({ tensorBytes }) => tensorBytes !== null);
  return (
    <>
      <div class="report-grid">
        <LengthFigures record={record} />
        {measured && (
          <div class="charts">
            <Chart kind="length" title={tr('chart.length')} input={record} table={tr('table.cells')} />
          </div>
        )}
      </div>
      {measured && <WhyResidentJumps record={record} />}
      <CellsTable record={record} />
      <RepeatsTable record={record} />
    </>
  );
}

export function GrowthReport({ record }: { record: LabRecord }) {
  const { tr } = useUi<'report'>();
  const begun = record.growth.some(({ promptTokens, steps }) => promptTokens > 0 || steps.length > 0);
  const stepped = record.growth.some(({ steps }) => steps.length > 0);
  return (
    <>
      <div class="report-grid">
        <GrowthFigures record={record} />
        {begun && (
          <div class="charts">
            <Chart kind="growth" title={tr('chart.growth')} input={record} table={tr('table.growth')} />
            {stepped && (
              <Chart kind="delta" title={tr('chart.delta')} input={record} table={tr('table.growth')} />
            )}
          </div>
        )}
      </div>
      {stepped && <WhyResidentJumps record={record} />}
      <GrowthTable record={record} />
      {/* A growth that no model could begin left only the reasons. */}
      {record.cells.length > 0 && <CellsTable record={record} />}
      <RepeatsTable record={record} />
    </>
  );
}
