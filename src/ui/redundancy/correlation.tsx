/** Channel by channel against all channels together: adjacent pairs, and the first layer with the last. */
import { chartPairs } from '../../charts/redundancy-chart';
import type { RedundancyResult } from '../../protocol/redundancy';
import { useUi } from '../context';
import { KINDS, meanOf } from './numbers';
import { NumbersTable } from './numbers-table';
import type { RedundancyTexts } from './words';

export function Correlation({ result }: { result: RedundancyResult }) {
  const { tr } = useUi<RedundancyTexts>();
  const pairs = chartPairs(result);
  const groups = [true, false].flatMap((adjacent) => {
    const of = pairs.filter((pair) => pair.adjacent === adjacent);
    return of.length === 0 ? [] : [{ adjacent, of }];
  });
  const columns = KINDS.flatMap((kind) => [
    { kind, what: 'channels' as const, name: tr('red.corr.kind', { kind }), none: tr('red.corr.none') },
    { kind, what: 'r2' as const, name: tr('red.corr.kindR2', { kind }) },
  ]);
  const title = tr('red.corr.title');
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
      <NumbersTable
        title={title}
        testId="correlation-table"
        first={tr('red.corr.pairs')}
        columns={columns}
        rows={rows}
      />
    </section>
  );
}
