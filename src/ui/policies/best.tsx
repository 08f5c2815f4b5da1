/** Which policy and mode hold the most tokens on this device, by how much, within which budget, and how all of them do. */
import type { LabRecord } from '../../protocol/record';
import { useUi } from '../context';
import { Exact } from '../exact';
import { ScrollTable } from '../table';
import { recommendationSentence } from './sentences';
import type { PoliciesTexts } from './words';

export function Best({ record }: { record: LabRecord }) {
  const { tr, int, size, language } = useUi<PoliciesTexts>();
  const best = record.policies?.recommendation ?? null;
  const device = record.environment?.backend ?? record.recipe.device;
  return (
    <section class="policies-best" aria-labelledby="policies-best-title" data-testid="recommendation">
      <h3 id="policies-best-title">{tr('policies.best.title')}</h3>
      {best === null ? (
        <p>{tr(record.status === 'running' ? 'policies.best.later' : 'policies.best.unknown')}</p>
      ) : (
        <>
          <p class="policies-best-sentence">
            {recommendationSentence(best, device, { tr, int, size, language })}
          </p>
          <p class="hint">
            {tr('policies.best.budget')} <Exact value={best.budgetBytes} /> {tr('unit.bytes')}.{' '}
            {tr('policies.best.what')}
          </p>
          <details class="panel panel-inside">
            <summary>
              <h4>{tr('policies.best.table')}</h4>
            </summary>
            <ScrollTable
              caption={tr('policies.best.table')}
              hideCaption
              testId="holds-table"
              head={[
                tr('policies.best.rank'),
                tr('policies.col.policy'),
                tr('policies.col.mode'),
                tr('policies.best.tokens'),
                tr('policies.best.peak'),
              ]}
              textColumns={[1, 2]}
            >
              {best.holds.map(({ policy, allocator, tokens, peakBytes }, index) => (
                <tr key={`${policy} ${allocator}`} data-policy={policy} data-allocator={allocator}>
                  <td>{int(index + 1)}</td>
                  <th scope="row" class="text variant">
                    {policy}
                  </th>
                  <td class="text variant">{allocator}</td>
                  <td>{peakBytes === null ? tr('policies.best.nothing') : int(tokens)}</td>
                  <td class={peakBytes === null ? 'unmeasured' : undefined}>
                    {peakBytes === null ? '–' : int(peakBytes)}
                  </td>
                </tr>
              ))}
            </ScrollTable>
          </details>
        </>
      )}
    </section>
  );
}
