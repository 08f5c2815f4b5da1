/** What was asked of ONNX Runtime by trying it, what came of it, and what that means. */
import type { LabRecord } from '../../protocol/record';
import { useUi } from '../context';
import { choiceText } from '../option-field';
import type { PoliciesTexts } from './words';

export function Probes({ record }: { record: LabRecord }) {
  const { tr } = useUi<PoliciesTexts>();
  const probes = record.policies?.probes ?? [];
  if (probes.length === 0 && record.status === 'running') return null;
  return (
    <section aria-labelledby="policies-probes-title" data-testid="probes">
      <h3 id="policies-probes-title">{tr('policies.probes.title')}</h3>
      {probes.length === 0 ? (
        <p>{tr('policies.probes.none')}</p>
      ) : (
        <ul class="policies-probes">
          {probes.map(({ name, backend, outcome, detail }) => (
            <li key={`${name} ${backend}`} data-probe={name} data-outcome={outcome}>
              <strong>
                {tr(`policies.probes.name.${name}`)} ({choiceText(tr, backend)}):{' '}
                {tr(`policies.probes.outcome.${outcome}`)}.
              </strong>{' '}
              {tr(`policies.probes.${name}.${outcome}`)}
              {detail !== '' && (
                <span class="below" lang="en">
                  {tr('policies.probes.said', { detail })}
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
