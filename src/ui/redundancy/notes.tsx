/** How far the numbers carry: the noise floor, what is special about the data, which lambda was chosen. */
import type { RedundancyResult } from '../../protocol/redundancy';
import { useUi } from '../context';
import { PairsByDocument } from './folded-table';
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
  const { lambdas, split } = result;
  const candidates = split === 'halves' ? String(Math.min(...lambdas)) : lambdas.join(', ');
  return (
    <PairsByDocument
      result={result}
      title={tr('red.lambda.title')}
      hint={tr(split === 'halves' ? 'red.lambda.hintHalves' : 'red.lambda.hint', { candidates })}
      cell={({ lambda }, name, at) => <td key={name}>{lambda[at] ?? tr('red.unknown')}</td>}
    />
  );
}
