/** A table of the redundancy report that holds nothing but numbers, and its copy. */
import { CopyTable } from '../architecture/copy-table';
import { useUi } from '../context';
import { ScrollTable } from '../table';
import { NumberCell } from './cells';
import type { RedundancyTexts } from './words';

interface Column {
  name: string;
  /** What is said on the page where there is no number; “unknown” where the column does not say. */
  none?: string;
  /** A shuffled control, wrong above 0. */
  control?: boolean;
}

interface Row {
  label: string;
  /** The document that the row is about. */
  document?: string;
  /** A value a column. */
  values: (number | null)[];
}

interface Props {
  title: string;
  testId: string;
  /** The name of the labels' column. */
  first: string;
  columns: Column[];
  rows: Row[];
}

export function NumbersTable({ title, testId, first, columns, rows }: Props) {
  const { tr } = useUi<RedundancyTexts>();
  const head = [first, ...columns.map(({ name }) => name)];
  return (
    <>
      <ScrollTable caption={title} hideCaption testId={testId} head={head}>
        {rows.map(({ label, document, values }) => (
          <tr key={document ?? label} data-document={document}>
            <th scope="row" class="text">
              {label}
            </th>
            {values.map((value, at) => (
              <NumberCell
                key={columns[at]?.name ?? at}
                value={value}
                none={columns[at]?.none}
                class={columns[at]?.control === true && (value ?? 0) > 0 ? 'verdict-fail' : undefined}
              />
            ))}
          </tr>
        ))}
      </ScrollTable>
      <CopyTable
        title={title}
        table={{
          head,
          rows: rows.map(({ label, values }) => [
            label,
            ...values.map((value) => value ?? tr('red.unknown')),
          ]),
        }}
      />
    </>
  );
}
