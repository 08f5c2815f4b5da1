/** What repeats of the same point say: bytes identical in n of n, times and page memory as median and spread. */
import { repeatRows, type Identity, type RepeatRow, type Spread } from '../../experiments/repeats';
import { hasPreallocated } from '../../protocol/content';
import type { LabRecord } from '../../protocol/record';
import { useUi } from '../context';
import { signed } from '../experiment-verdicts';
import { modelName } from '../model-name';
import { ScrollTable } from '../table';

/** Nothing where every point was measured once. */
export function RepeatsTable({ record }: { record: LabRecord }) {
  const { tr } = useUi<'report'>();
  const rows = repeatRows(record);
  const repeated = rows.filter(({ tensor }) => (tensor?.count ?? 0) > 1);
  if (repeated.length === 0) return null;
  const same = repeated.filter(({ tensor }) => tensor !== null && tensor.identical === tensor.count).length;
  const points = repeated.length;
  const process = rows.some((row) => row.process !== null);
  return (
    <section aria-labelledby="repeats-title">
      <h3 id="repeats-title">{tr('repeats.title')}</h3>
      <p>{same === points ? tr('repeats.all', { points }) : tr('repeats.some', { same, points })}</p>
      <ScrollTable
        caption={tr('repeats.title')}
        hideCaption
        testId="repeats-table"
        head={[
          tr('repeats.point'),
          tr(hasPreallocated(record) ? 'table.used' : 'table.tensor'),
          tr('table.resident'),
          tr('table.device'),
          ...(process ? [tr('points.process')] : []),
          tr('repeats.time'),
        ]}
      >
        {rows.map((row) => (
          <Row
            key={JSON.stringify([row.model, row.dtype, row.batch, row.tokens, row.kind])}
            {...{ row, rows, process }}
          />
        ))}
      </ScrollTable>
      <p class="hint">{tr('repeats.spread')}</p>
    </section>
  );
}

function Row({ row, rows, process }: { row: RepeatRow; rows: RepeatRow[]; process: boolean }) {
  const { tr, int } = useUi<'report'>();
  const { kind, batch, tokens } = row;
  const several = (of: (one: RepeatRow) => string): boolean => new Set(rows.map(of)).size > 1;
  const name = [
    ...(several(({ model }) => model) ? [modelName(row.model, tr)] : []),
    ...(several(({ dtype }) => dtype) ? [row.dtype] : []),
    tr(`repeats.${kind}`, { batch, tokens }),
  ].join(' · ');
  const step = kind === 'step';
  return (
    <tr>
      <th scope="row" class="text">
        {name}
      </th>
      <IdentityCell of={row.tensor} change={step} />
      <IdentityCell of={row.resident} change={step} />
      <IdentityCell of={row.device} />
      {process && <SpreadCell of={row.process} format={(value) => signed(value, int)} />}
      <SpreadCell of={row.ms} format={(value) => int(value)} warmUp={row.warmUp === true} />
    </tr>
  );
}

/** The value that occurs most, and in how many of the repeats. `change`: with its sign. */
function IdentityCell({ of, change = false }: { of: Identity | null; change?: boolean }) {
  const { tr, int } = useUi<'report'>();
  if (of === null) return <td class="unmeasured">{tr('table.notMeasured')}</td>;
  const { identical, count, bytes } = of;
  return (
    <td>
      {change ? signed(bytes, int) : int(bytes)}
      <span class={identical === count ? 'below verdict-pass' : 'below'}>
        {tr('repeats.identical', { identical, count })}
      </span>
    </td>
  );
}

/** The median, and below it the smallest and the largest. */
export function SpreadCell({
  of,
  format,
  warmUp = false,
}: {
  of: Spread | null;
  format: (value: number) => string;
  /** A time with the shaders’ warm-up in it. */
  warmUp?: boolean;
}) {
  const { tr } = useUi<'report'>();
  if (of === null) return <td class="unmeasured">{tr('table.notMeasured')}</td>;
  return (
    <td>
      {format(of.median)}
      {of.count > 1 && (
        <span class="below">
          {tr('points.range', { smallest: format(of.smallest), largest: format(of.largest) })}
        </span>
      )}
      {warmUp && <span class="below">{tr('table.warmUp')}</span>}
    </td>
  );
}
