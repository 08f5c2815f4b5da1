/** What each document says when it is the test, and what the documents were. */
import { chartPairs } from '../../charts/redundancy-chart';
import type { RedundancyResult } from '../../protocol/redundancy';
import { useUi } from '../context';
import { Exact } from '../exact';
import { documentName } from './document-name';
import { FoldedTable, PairsByDocument } from './folded-table';
import { NumbersTable } from './numbers-table';
import { adjacentPairs, documentMean, KINDS, r2Text } from './numbers';
import type { RedundancyTexts } from './words';

export function DocumentsTable({ result }: { result: RedundancyResult }) {
  const { tr } = useUi<RedundancyTexts>();
  const kinds = KINDS.filter((kind) => adjacentPairs(result.pairs, kind).length > 0);
  const columns = kinds.flatMap((kind) => [
    { kind, of: 'r2' as const, name: tr('red.docs.r2', { kind }) },
    { kind, of: 'shuffled' as const, name: tr('red.docs.shuffled', { kind }), control: true },
  ]);
  const title = tr('red.docs.table');
  return (
    <section aria-labelledby="red-docs-title">
      <h3 id="red-docs-title">{title}</h3>
      <p class="hint">{tr(result.split === 'halves' ? 'red.docs.hintHalves' : 'red.docs.hint')}</p>
      <NumbersTable
        title={title}
        testId="documents-table"
        first={tr('red.docs.col')}
        columns={columns}
        rows={result.documents.map(({ name }, at) => ({
          document: name,
          label: documentName(name, tr),
          values: columns.map(({ kind, of }) => documentMean(adjacentPairs(result.pairs, kind), of, at)),
        }))}
      />
      <EveryPair result={result} />
    </section>
  );
}

/** Pairs by documents, the control below each number. */
function EveryPair({ result }: { result: RedundancyResult }) {
  const { tr } = useUi<RedundancyTexts>();
  return (
    <PairsByDocument
      result={result}
      title={tr('red.docs.every', { n: chartPairs(result).length * result.documents.length })}
      cell={({ r2, shuffled }, name, at) => {
        const value = r2.perDocument[at] ?? null;
        const control = shuffled.perDocument[at] ?? null;
        return value === null ? (
          <td key={name} class="unmeasured">
            {tr('red.unknown')}
          </td>
        ) : (
          <td key={name}>
            {r2Text(value, 3, tr)}
            {control !== null && (
              <span class="below">{tr('red.docs.shuffledIs', { value: r2Text(control, 3, tr) })}</span>
            )}
          </td>
        );
      }}
    />
  );
}

export function DocumentSources({ result }: { result: RedundancyResult }) {
  const { tr, int } = useUi<RedundancyTexts>();
  return (
    <FoldedTable
      title={tr('red.docs.source')}
      class="red-sources"
      head={[tr('red.docs.col'), tr('red.docs.tokens'), tr('red.docs.sha')]}
      textColumns={[0, 2]}
    >
      {result.documents.map(({ name, tokens, sha256 }) => (
        <tr key={name}>
          <th scope="row" class="text">
            {documentName(name, tr)}
          </th>
          <td>
            <Exact value={tokens} />
            <span class="below">
              {tr('red.docs.used', { used: int(result.keep), skipped: int(result.skip) })}
            </span>
          </td>
          <td class={sha256 === null ? 'text unmeasured' : 'text'}>
            {sha256 === null ? tr('red.docs.noSha') : <code class="sha">{sha256}</code>}
          </td>
        </tr>
      ))}
    </FoldedTable>
  );
}
