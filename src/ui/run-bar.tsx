/** Run and Cancel, why Run is closed when it is, and the way out where there is no GPU. */
import { deviceFault } from '../lab/device-fault';
import { hasMeasurements } from '../lab/run-state';
import { recipeFault } from '../protocol/options';
import { useUi } from './context';
import { isBusy } from './model-picker';
import { Progress } from './progress';

export function RunBar() {
  const { tr, store } = useUi();
  const run = store.run.value;
  const busy = isBusy(run.status);
  const obstacle = useObstacle();
  return (
    <div class="run-bar">
      <div class="run-buttons">
        {busy ? (
          <button
            type="button"
            class="button button-primary"
            data-testid="cancel"
            onClick={() => {
              store.cancel();
            }}
          >
            {tr('run.cancel')}
          </button>
        ) : (
          <button
            type="button"
            class="button button-primary"
            data-testid="run"
            disabled={obstacle !== null}
            aria-describedby={obstacle === null ? undefined : 'run-obstacle'}
            onClick={() => {
              // Never rejects: a run that fails says so in its state.
              void store.start();
            }}
          >
            {tr(store.record.value === null ? 'run.run' : 'run.again')}
          </button>
        )}
        {!busy && obstacle !== null && (
          <p class="obstacle" id="run-obstacle">
            {obstacle}
          </p>
        )}
      </div>
      {busy ? <Progress /> : <LastEnd />}
    </div>
  );
}

/** Why nothing can run at the moment, in one sentence; null when it can. */
function useObstacle(): string | null {
  const { tr, store, badFields, faultSentence } = useUi();
  const recipe = store.recipe.value;
  const probe = store.probe.value;
  // The sentence of the bad value stands at its field.
  if (badFields.value.size > 0) return tr('run.badSetting');
  if (recipe.model.length === 0) return tr('run.needsModel');
  const together = recipeFault(recipe);
  if (together !== null) return faultSentence(together);
  if (recipe.device === 'wasm') return null;
  if (probe.status === 'probing') return tr('run.probing');
  if (probe.fault !== null) return tr('run.noGpu');
  const fault = deviceFault(recipe, probe);
  return fault === null ? null : faultSentence(fault);
}

/** How the last run ended, when it was not simply done. */
export function LastEnd() {
  const { tr, store, badFields, faultSentence } = useUi();
  const { status, fault } = store.run.value;
  if (status === 'idle' || status === 'done' || badFields.value.size > 0) return null;
  const kept = store.record.value !== null && hasMeasurements(store.record.value);
  const sentence =
    fault === null
      ? `${tr(`run.status.${status === 'waiting' ? 'running' : status}`)}.`
      : faultSentence(fault);
  return (
    <p class={status === 'failed' ? 'message message-error' : 'message'} role="alert">
      {sentence} {kept && tr('run.keptPartial')}
    </p>
  );
}

/** Says that there is no GPU and offers the other backend; nothing when there is one, or when WASM is chosen. */
export function NoGpu() {
  const { tr, store, faultSentence } = useUi();
  const { fault, status } = store.probe.value;
  if (status !== 'ready' || fault === null || store.recipe.value.device !== 'webgpu') return null;
  return (
    <div class="message message-warn" role="status" data-testid="no-gpu">
      <p>
        <strong>{faultSentence(fault)}</strong> {tr('run.noGpu')}
      </p>
      <p>
        <button
          type="button"
          class="button"
          data-testid="use-wasm"
          onClick={() => {
            store.setRecipe({ device: 'wasm' });
          }}
        >
          {tr('run.useWasm')}
        </button>
      </p>
      <p class="hint">{tr('run.useWasm.why')}</p>
    </div>
  );
}
