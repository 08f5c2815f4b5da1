/** How far the numbers carry: the noise floor, what is special about the data, which lambda was chosen. */
import { chartPairs, pairName } from '../../charts/redundancy-chart';
import type { RedundancyResult } from '../../protocol/redundancy';
import { useUi } from '../context';
import { ScrollTable } from '../table';
import { KindMark } from './cells';
import { documentName } from './document-name';
import type { RedundancyTexts } from './words';

export function Noise({ result, running }: { result: RedundancyResult; running: boolean }) {
  const { tr } = useUi<RedundancyTexts>();
  const { noiseFloor } = result;
  if (noiseFloor === null && running) return null;
  return (
    <section aria-labelledby="red-noise-title" data-testid="noise-floor">
      <h3 id="red-noise-title">{tr('red.noise.title')}</h3>
      <p>
        {noiseFloor === null
          ? tr('red.noise.none')
          : noiseFloor === 0
            ? tr('red.noise.zero')
            : tr('red.noise.some', { value: noiseFloor.toPrecision(3) })}
      </p>
    </section>
  );
}

/** One sentence a kind of note that some pair has. */
export function Notes({ result }: { result: RedundancyResult }) {
  const { tr } = useUi<RedundancyTexts>();
  const codes = [...new Set(result.pairs.flatMap(({ notes }) => notes.map(({ code }) => code)))];
  if (codes.length === 0) return null;
  return (
    <section aria-labelledby="red-notes-title">
      <h3 id="red-notes-title">{tr('red.notes.title')}</h3>
      <ul class="prose">
        {codes.map((code) => (
          <li key={code}>{tr(`red.notes.${code}`)}</li>
        ))}
      </ul>
    </section>
  );
}

export function LambdaTable({ result }: { result: RedundancyResult }) {
  const { tr } = useUi<RedundancyTexts>();
  const title = tr('red.lambda.title');
  const { documents, lambdas, split } = result;
  const candidates = split === 'halves' ? String(Math.min(...lambdas)) : lambdas.join(', ');
  return (
    <details class="panel panel-inside">
      <summary>
        <h3>{title}</h3>
      </summary>
      <p class="hint">
        {tr(split === 'halves' ? 'red.lambda.hintHalves' : 'red.lambda.hint', { candidates })}
      </p>
      <ScrollTable
        caption={title}
        hideCaption
        head={[
          tr('red.col.pair'),
          tr('red.col.kind'),
          ...documents.map(({ name }) => documentName(name, tr)),
        ]}
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
            {documents.map(({ name }, at) => (
              <td key={name}>{pair.lambda[at] ?? tr('red.unknown')}</td>
            ))}
          </tr>
        ))}
      </ScrollTable>
    </details>
  );
}
