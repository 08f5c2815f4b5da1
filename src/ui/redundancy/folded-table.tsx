/** Tables of the redundancy report that are folded away: any, and those of a row a pair and a column a document. */
import type { ComponentChildren, VNode } from 'preact';
import { chartPairs, pairName } from '../../charts/redundancy-chart';
import type { RedundancyResult } from '../../protocol/redundancy';
import type { PairResult } from '../../redundancy/types';
import { useUi } from '../context';
import { ScrollTable } from '../table';
import { KindMark } from './cells';
import { documentName } from './document-name';
import type { RedundancyTexts } from './words';

interface Props {
  title: string;
  /** What stands above the table. */
  hint?: string | undefined;
  class?: string;
  head: string[];
  textColumns: number[];
  children: ComponentChildren;
}

export function FoldedTable({ title, hint, class: look, head, textColumns, children }: Props) {
  return (
    <details class={look === undefined ? 'panel panel-inside' : `panel panel-inside ${look}`}>
      <summary>
        <h3>{title}</h3>
      </summary>
      {hint !== undefined && <p class="hint">{hint}</p>}
      <ScrollTable caption={title} hideCaption head={head} textColumns={textColumns}>
        {children}
      </ScrollTable>
    </details>
  );
}

interface PairsProps {
  result: RedundancyResult;
  title: string;
  hint?: string;
  /** The cell of a pair and a document, by its name and index. */
  cell: (pair: PairResult, name: string, at: number) => VNode;
}

/** The chart's pairs by documents. */
export function PairsByDocument({ result, title, hint, cell }: PairsProps) {
  const { tr } = useUi<RedundancyTexts>();
  const { documents } = result;
  return (
    <FoldedTable
      title={title}
      hint={hint}
      head={[tr('red.col.pair'), tr('red.col.kind'), ...documents.map(({ name }) => documentName(name, tr))]}
      textColumns={[0, 1]}
    >
      {chartPairs(result).map((pair) => (
        <tr key={`${pairName(pair)} ${pair.kind}`} class={pair.kind === 'K' ? 'is-first' : undefined}>
          <th scope="row" class="text nowrap">
            {pairName(pair)}
          </th>
          <td class="text kind-cell">
            <KindMark kind={pair.kind} />
          </td>
          {documents.map(({ name }, at) => cell(pair, name, at))}
        </tr>
      ))}
    </FoldedTable>
  );
}
