/** Every reading of the pools, folded away: exact tokens and bytes by system and step. */
import type { ServingResult } from '../../protocol/serving';
import { useUi } from '../context';
import { ScrollTable } from '../table';
import type { ServingTexts } from './words';

const COLUMNS = [
  'step',
  'running',
  'waiting',
  'usedTokens',
  'usedBytes',
  'held',
  'reserved',
  'wasted',
] as const;

export function SamplesTable({ result: { runs } }: { result: ServingResult }) {
  const { tr, int } = useUi<ServingTexts>();
  const count = runs.flatMap(({ samples }) => samples).length;
  const title = tr('serving.samples', { count });
  return (
    <details class="panel panel-inside">
      <summary>
        <h3>{title}</h3>
      </summary>
      <p class="hint">{tr('serving.samples.hint')}</p>
      <ScrollTable
        caption={title}
        hideCaption
        testId="serving-samples"
        head={[tr('serving.table.system'), ...COLUMNS.map((column) => tr(`serving.samples.${column}`))]}
      >
        {runs.flatMap(({ system, samples }) =>
          samples.map((sample, at) => (
            <tr key={`${system} ${String(sample.step)}`} class={at === 0 ? 'is-first' : undefined}>
              <th scope="row" class="text nowrap">
                {tr(`serving.system.${system}`)}
              </th>
              <td>{int(sample.step)}</td>
              <td>{int(sample.running)}</td>
              <td>{int(sample.waiting)}</td>
              <td>{int(sample.usedTokens)}</td>
              <td>{int(sample.usedBytes)}</td>
              <td>{int(sample.heldTokens)}</td>
              <td>{int(sample.reservedTokens)}</td>
              <td>{int(sample.wastedTokens)}</td>
            </tr>
          )),
        )}
      </ScrollTable>
    </details>
  );
}
