/** The report of the experiment policies: the sentence, what holds the most, the pictures, the numbers, what was tried besides. */
import { isEqual } from '../verdict-text';
import { verdict } from '../../experiments/summarise';
import type { LabRecord } from '../../protocol/record';
import { policiesSummary } from '../../record/policies-summary';
import { EveryCell } from '../cells-table';
import { useUi } from '../context';
import { NotMeasured } from '../not-measured';
import { Verdict } from '../verdict';
import { Best } from './best';
import { Pictures } from './pictures';
import { Probes } from './probes';
import { StepsTable } from './steps-table';
import { SummaryTable } from './summary-table';
import { takeHome } from './sentences';
import type { PoliciesTexts } from './words';

export function PoliciesReport({ record }: { record: LabRecord }) {
  const { tr, int, size, language } = useUi<PoliciesTexts>();
  const rows = policiesSummary(record);
  const measured = rows.some(({ tokens }) => tokens !== null);
  if (!measured && record.status === 'running') return <p class="muted">{tr('policies.waiting')}</p>;
  return (
    <>
      <Verdict
        record={record}
        sentences={takeHome(record, rows, { tr, int, size, language })}
        good={isEqual(verdict(record), 'policies')}
      />
      {measured && (
        <>
          <Best record={record} />
          <Pictures record={record} />
        </>
      )}
      <SummaryTable record={record} rows={rows} />
      <NotMeasured record={record} />
      <Probes record={record} />
      <StepsTable record={record} />
      <EveryCell record={record} />
    </>
  );
}
