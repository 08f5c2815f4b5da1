/** Pairs of layers of several records: a row a pair, a column a record, R² and below it the shuffled control. */
import { pairName } from '../../charts/redundancy-chart';
import type { ManyPair } from '../../record/compare-many-pairs';
import { R2_TOLERANCE } from '../../record/redundancy-results';
import { useUi } from '../context';
import { modelName } from '../model-name';
import { ScrollTable } from '../table';
import { r2Text } from './numbers';
import type { RedundancyTexts } from './words';

const SIGNS = { same: '✓', different: '✗', single: '·' };
const LOOKS = { same: 'text verdict-pass', different: 'text verdict-fail', single: 'text unmeasured' };

export function ManyPairs({ pairs, names }: { pairs: ManyPair[]; names: string[] }) {
  const { tr } = useUi<RedundancyTexts | 'history'>();
  const title = tr('red.compare.many');
  const compared = pairs.filter(({ outcome }) => outcome !== 'single');
  const same = compared.filter(({ outcome }) => outcome === 'same').length;
  return (
    <>
      {compared.length > 0 && (
        <p
          class={same === compared.length ? 'verdict-pass' : 'verdict-fail'}
          data-testid="many-pairs-verdict"
        >
          <span aria-hidden="true">{same === compared.length ? '✓' : '✗'}</span>{' '}
          {tr('red.compare.manySame', { same, compared: compared.length, tolerance: R2_TOLERANCE })}
        </p>
      )}
      <ScrollTable
        caption={title}
        testId="many-pairs"
        head={[tr('red.col.pair'), tr('red.col.kind'), ...names, tr('checks.result')]}
        textColumns={[0, 1, names.length + 2]}
      >
        {pairs.map((pair) => {
          const { model, dtype, skip, keep, split, seed } = pair;
          return (
            <tr
              key={JSON.stringify([model, dtype, skip, keep, split, seed, pairName(pair), pair.kind])}
              data-outcome={pair.outcome}
            >
              <th scope="row" class="text nowrap">
                {pairName(pair)}
                <span class="below">
                  {modelName(model, tr)}, {dtype}, {tr(`red.split.short.${split}`)}, {skip} + {keep}
                </span>
              </th>
              <td class="text kind-cell">{pair.kind}</td>
              {pair.values.map((value, at) =>
                value?.r2 == null ? (
                  <td key={at} class="unmeasured">
                    {tr(value === null ? 'table.notMeasured' : 'red.unknown')}
                  </td>
                ) : (
                  <td key={at}>
                    {r2Text(value.r2, 4, tr)}
                    {value.shuffled !== null && (
                      <span class="below">
                        {tr('red.docs.shuffledIs', { value: r2Text(value.shuffled, 4, tr) })}
                      </span>
                    )}
                  </td>
                ),
              )}
              <td class={LOOKS[pair.outcome]}>
                <span aria-hidden="true">{SIGNS[pair.outcome]}</span> {tr(`many.outcome.${pair.outcome}`)}
              </td>
            </tr>
          );
        })}
      </ScrollTable>
    </>
  );
}
