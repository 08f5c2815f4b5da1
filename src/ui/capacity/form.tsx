/** What is planned besides the models: GPUs, what of them is usable, cache type, engine, contexts, sessions. */
import { GPUS } from '../../geometry/capacity/gpus';
import { KV_DTYPES } from '../../geometry/engines/kv-dtype';
import type { EngineId } from '../../geometry/engines';
import { defaultCapacity, type CapacityState } from '../../protocol/capacity';
import { ENGINE_IDS, gpuOf, writeBytes } from '../../protocol/capacity-options';
import { useUi } from '../context';
import { CapacityField } from './field';
import type { CapacityTexts } from './words';

interface Props {
  state: CapacityState;
  onChange: (patch: Partial<CapacityState>) => void;
}

export function CapacityForm({ state, onChange }: Props) {
  const { tr } = useUi<CapacityTexts>();
  const shared = { state, onChange };
  return (
    <fieldset class="fields capacity-fields">
      <legend class="visually-hidden">{tr('cap.form')}</legend>
      <GpuSelect {...shared} />
      <CapacityField
        {...shared}
        name="gpu"
        label={tr('cap.gpuBytes')}
        help={tr('cap.gpuBytes.help')}
        shown={writeBytes(gpuOf(state.gpu).bytes)}
      />
      <CapacityField
        {...shared}
        name="gpus"
        label={tr('cap.gpus')}
        help={tr('cap.gpus.help')}
        inputMode="numeric"
      />
      <CapacityField {...shared} name="reserve" label={tr('cap.reserve')} help={tr('cap.reserve.help')} />
      <CapacityField
        {...shared}
        name="share"
        label={tr('cap.share')}
        help={tr('cap.share.help')}
        shown={String(state.share)}
        refusal={(value) => tr('cap.share.bad', { value })}
      />
      <CapacityField
        {...shared}
        name="kv"
        label={tr('cap.kv')}
        help={tr('cap.kv.help')}
        offered={KV_DTYPES.map(({ id }) => id)}
      />
      <div class="field">
        <label for="capacity-engine">{tr('cap.engine')}</label>
        <select
          id="capacity-engine"
          aria-describedby="capacity-engine-help"
          value={state.engine}
          onInput={(event) => {
            onChange({ engine: event.currentTarget.value as EngineId });
          }}
        >
          {ENGINE_IDS.map((id) => (
            <option key={id} value={id}>
              {tr(`engine.${id}`)}
            </option>
          ))}
        </select>
        <p class="hint" id="capacity-engine-help">
          {tr('cap.engine.help')}
        </p>
      </div>
      <CapacityField
        {...shared}
        name="contexts"
        label={tr('cap.contexts')}
        help={tr('cap.contexts.help')}
        // With blanks, so that no two of them look like thousands.
        shown={state.contexts.join(', ')}
      />
      <CapacityField
        {...shared}
        name="sessions"
        label={tr('cap.sessions')}
        help={tr('cap.sessions.help')}
        inputMode="numeric"
      />
      <p class="field">
        <button
          type="button"
          class="button button-quiet"
          onClick={() => {
            onChange(defaultCapacity());
          }}
        >
          {tr('cap.reset')}
        </button>
      </p>
    </fieldset>
  );
}

const OWN = 'own';

function GpuSelect({ state, onChange }: Props) {
  const { tr, int } = useUi<CapacityTexts>();
  const gpu = gpuOf(state.gpu);
  const listed = GPUS.find(({ id }) => id === gpu.id);
  const reported = listed?.reportedBytes ?? null;
  return (
    <div class="field">
      <label for="capacity-gpu-list">{tr('cap.gpu')}</label>
      <select
        id="capacity-gpu-list"
        aria-describedby="capacity-gpu-list-help"
        value={gpu.id ?? OWN}
        onInput={(event) => {
          const chosen = event.currentTarget.value;
          onChange({ gpu: chosen === OWN ? writeBytes(gpu.bytes) : chosen });
        }}
      >
        <option value={OWN}>{tr('cap.gpu.own')}</option>
        {GPUS.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <p class="hint" id="capacity-gpu-list-help">
        {tr('cap.gpu.help', { bytes: gpu.bytes })}
        {reported !== null &&
          reported !== gpu.bytes &&
          ` ${tr('cap.gpu.reported', { bytes: int(reported) })}`}
        {listed?.unified === true && ` ${tr('cap.gpu.unified')}`}
        {listed !== undefined && ` ${listed.source}.`}
      </p>
    </div>
  );
}
