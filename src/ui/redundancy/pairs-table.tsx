/** The chart's numbers: every pair that it shows, keys and values, with the control and what is special about it. */
import { chartPairs, pairName } from '../../charts/redundancy-chart';
import type { RedundancyResult } from '../../protocol/redundancy';
import type { PairNote, PairResult } from '../../redundancy/types';
import { CopyTable } from '../architecture/copy-table';
import { useUi } from '../context';
import { ScrollTable } from '../table';
import { KindMark, NumberCell, RangeCell } from './cells';
import { r2Text } from './numbers';
import type { RedundancyTexts, RedundancyTranslate } from './words';

export function PairsTable({ result }: { result: RedundancyResult }) {
  const { tr, int } = useUi<RedundancyTexts>();
  const pairs = chartPairs(result);
  const title = tr('red.table');
  const noted = pairs.some(({ notes }) => notes.length > 0);
  const head = [
    tr('red.col.pair'),
    tr('red.col.kind'),
    tr('red.col.r2'),
    tr('red.col.range'),
    tr('red.col.shuffled'),
    tr('red.col.shuffledRange'),
    tr('red.col.bits'),
    ...(noted ? [tr('red.col.notes')] : []),
  ];
  return (
    <section aria-labelledby="red-pairs-title">
      <h3 id="red-pairs-title">{title}</h3>
      <ScrollTable caption={title} hideCaption testId="pairs-table" head={head} textColumns={[0, 1, 7]}>
        {pairs.map((pair) => (
          <tr
            key={`${pairName(pair)} ${pair.kind}`}
            data-pair={pairName(pair)}
            data-kind={pair.kind}
            class={pair.kind === 'K' ? 'is-first' : undefined}
          >
            <th scope="row" class="text nowrap">
              {pairName(pair)}
              {!pair.adjacent && <span class="below">{tr('red.pair.apart')}</span>}
            </th>
            <td class="text kind-cell">
              <KindMark kind={pair.kind} />
            </td>
            <NumberCell value={pair.r2.mean} />
            <RangeCell min={pair.r2.min} max={pair.r2.max} />
            <NumberCell
              value={pair.shuffled.mean}
              class={(pair.shuffled.max ?? 0) > 0 ? 'verdict-fail' : undefined}
            />
            <RangeCell min={pair.shuffled.min} max={pair.shuffled.max} />
            <NumberCell
              value={pair.savedBits}
              none={tr(pair.r2.mean === null ? 'red.unknown' : 'red.noBound')}
            />
            {noted && <td class="text">{pair.notes.map((note) => noteText(note, tr, int)).join('; ')}</td>}
          </tr>
        ))}
      </ScrollTable>
      <CopyTable title={title} table={{ head, rows: pairs.map((pair) => textRow(pair, noted, tr, int)) }} />
    </section>
  );
}

function noteText({ code, count }: PairNote, tr: RedundancyTranslate, int: (n: number) => string): string {
  if (code === 'constant-channels' && count === 1) return tr('red.note.constant-channels.one');
  return tr(`red.note.${code}`, { count: int(count) });
}

/** The row as it is copied: numbers as numbers, as they were measured. */
function textRow(
  pair: PairResult,
  noted: boolean,
  tr: RedundancyTranslate,
  int: (n: number) => string,
): (string | number)[] {
  const unknown = tr('red.unknown');
  const ends = ({ min, max }: PairResult['r2']): string =>
    min === null || max === null
      ? unknown
      : tr('red.ends', { min: r2Text(min, 4, tr), max: r2Text(max, 4, tr) });
  return [
    pairName(pair),
    pair.kind,
    pair.r2.mean ?? unknown,
    ends(pair.r2),
    pair.shuffled.mean ?? unknown,
    ends(pair.shuffled),
    pair.savedBits ?? unknown,
    ...(noted ? [pair.notes.map((note) => noteText(note, tr, int)).join('; ')] : []),
  ];
}
