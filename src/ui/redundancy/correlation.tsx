/** Channel by channel against all channels together: adjacent pairs, and the first layer with the last. */
import { chartPairs } from '../../charts/redundancy-chart';
import type { RedundancyResult } from '../../protocol/redundancy';
import { CopyTable } from '../architecture/copy-table';
import { useUi } from '../context';
import { ScrollTable } from '../table';
import { NumberCell } from './cells';
import { KINDS, meanOf } from './numbers';
import type { RedundancyTexts } from './words';

export function Correlation({ result }: { result: RedundancyResult }) {
  const { tr } = useUi<RedundancyTexts>();
  const pairs = chartPairs(result);
  const groups = [true, false].flatMap((adjacent) => {
    const of = pairs.filter((pair) => pair.adjacent === adjacent);
    return of.length === 0 ? [] : [{ adjacent, of }];
  });
  const columns = KINDS.flatMap((kind) => [
    { kind, what: 'channels' as const, name: tr('red.corr.kind', { kind }) },
    { kind, what: 'r2' as const, name: tr('red.corr.kindR2', { kind }) },
  ]);
  const title = tr('red.corr.title');
  const head = [tr('red.corr.pairs'), ...columns.map(({ name }) => name)];
  const rows = groups.map(({ adjacent, of }) => ({
    // The chart's only pair that is not adjacent is the first layer with the last.
    label: adjacent
      ? tr('red.corr.adjacent', {
          n: new Set(of.map(({ from, to }) => `${String(from)} ${String(to)}`)).size,
        })
      : tr('red.corr.apart'),
    values: columns.map(({ kind, what }) =>
      meanOf(
        of
          .filter((pair) => pair.kind === kind)
          .map((pair) => (what === 'r2' ? pair.r2.mean : pair.channelCorrelation)),
      ),
    ),
  }));
  return (
    <section aria-labelledby="red-corr-title">
      <h3 id="red-corr-title">{title}</h3>
      <p class="hint">{tr('red.corr.hint')}</p>
      <ScrollTable caption={title} hideCaption testId="correlation-table" head={head}>
        {rows.map(({ label, values }) => (
          <tr key={label}>
            <th scope="row" class="text">
              {label}
            </th>
            {values.map((value, at) => (
              <NumberCell
                key={columns[at]?.name ?? at}
                value={value}
                none={tr(columns[at]?.what === 'channels' ? 'red.corr.none' : 'red.unknown')}
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
    </section>
  );
}
