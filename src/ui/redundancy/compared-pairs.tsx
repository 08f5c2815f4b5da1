/** Pairs of layers that were sent against those found here: R² within the tolerance, and why they may differ. */
import { pairName } from '../../charts/redundancy-chart';
import type { PairSide, RedundancyComparison } from '../../record/compare';
import { useUi } from '../context';
import { ScrollTable } from '../table';
import { KindMark } from './cells';
import { documentName } from './document-name';
import { places, r2Text } from './numbers';
import type { RedundancyTexts } from './words';

const LOOKS = { same: 'text verdict-pass', different: 'text verdict-fail', 'not-run': 'text unmeasured' };
const SIGNS = { same: '✓', different: '✗', 'not-run': '…' };

export function ComparedPairs({ comparison }: { comparison: RedundancyComparison }) {
  const { tr } = useUi<RedundancyTexts>();
  const { tolerance, pairs, largest, otherDocuments, otherSettings } = comparison;
  const title = tr('red.compare.title');
  const side = (of: PairSide | null): string =>
    of === null
      ? tr('compare.cell.not-run')
      : tr('red.compare.side', { r2: valueText(of.r2), shuffled: valueText(of.shuffled) });
  const valueText = (value: number | null): string =>
    value === null ? tr('red.unknown') : r2Text(value, 4, tr);
  return (
    <>
      <h3>{title}</h3>
      <p class="hint">
        {tr('red.compare.tolerance', { tolerance })}
        {largest !== null && ` ${tr('red.compare.largest', { value: places(largest, 4) })}`}
      </p>
      {otherSettings.length > 0 && (
        <p class="message message-warn">
          {tr('red.compare.settings', {
            list: otherSettings.map((field) => tr(`red.compare.${field}`)).join(', '),
          })}
        </p>
      )}
      {otherDocuments.length > 0 && (
        <p class="message message-warn">
          {tr('red.compare.documents', {
            list: otherDocuments.map((name) => documentName(name, tr)).join(', '),
          })}
        </p>
      )}
      <ScrollTable
        caption={title}
        hideCaption
        testId="compared-pairs"
        head={[
          tr('red.col.pair'),
          tr('red.col.kind'),
          tr('compare.expected'),
          tr('compare.here'),
          tr('checks.result'),
        ]}
        textColumns={[0, 1, 4]}
      >
        {pairs.map((pair) => (
          <tr key={`${pairName(pair)} ${pair.kind}`} data-outcome={pair.outcome}>
            <th scope="row" class="text nowrap">
              {pairName(pair)}
            </th>
            <td class="text kind-cell">
              <KindMark kind={pair.kind} />
            </td>
            <td>{side(pair.expected)}</td>
            <td>{side(pair.here)}</td>
            <td class={LOOKS[pair.outcome]}>
              <span aria-hidden="true">{SIGNS[pair.outcome]}</span> {tr(`compare.cell.${pair.outcome}`)}
            </td>
          </tr>
        ))}
      </ScrollTable>
    </>
  );
}
