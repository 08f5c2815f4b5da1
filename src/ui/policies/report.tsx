/** The report of the policies experiment. */
import type { LabRecord } from '../../protocol/record';
import { CellsTable } from '../cells-table';

export function PoliciesReport({ record }: { record: LabRecord }) {
  return <CellsTable record={record} />;
}
