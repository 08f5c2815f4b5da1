/** The report of the serving experiment. */
import type { LabRecord } from '../../protocol/record';
import { useUi } from '../context';

export function ServingReport({ record }: { record: LabRecord }) {
  const { int } = useUi<'serving' | 'report'>();
  return (
    <ul>
      {record.serving?.runs.map(({ system, poolBytes }) => (
        <li key={system}>
          {system} {int(poolBytes)}
        </li>
      ))}
    </ul>
  );
}
