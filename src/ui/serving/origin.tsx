/** What of the serving report is really allocated and what is simulated, in words, above all numbers. */
import type { ServingResult } from '../../protocol/serving';
import { useUi } from '../context';
import type { ServingTexts } from './words';

export function Origin({ result }: { result: ServingResult }) {
  const { tr, int } = useUi<ServingTexts>();
  const { device, bytesPerToken, runs } = result;
  const bytes = Math.max(...runs.map(({ poolBytes }) => poolBytes));
  return (
    <dl class="serving-origin" aria-label={tr('serving.origin')} data-testid="serving-origin">
      <div>
        <dt>
          <span class="badge serving-real">{tr('serving.origin.real')}</span>
        </dt>
        <dd>
          {tr(device === 'wasm' ? 'serving.origin.real.wasm' : 'serving.origin.real.gpu', {
            bytes: int(bytes),
            row: int(bytesPerToken),
          })}
        </dd>
      </div>
      <div>
        <dt>
          <span class="badge serving-simulated">{tr('serving.origin.simulated')}</span>
        </dt>
        <dd>{tr('serving.origin.simulated.what')}</dd>
      </div>
    </dl>
  );
}
